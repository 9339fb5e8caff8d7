"""The tables of words, as people read and edit them."""
