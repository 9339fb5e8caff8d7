"""The lexicon: tables of words, and the entries that are built from them."""
