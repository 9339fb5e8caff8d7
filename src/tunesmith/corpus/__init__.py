"""Text: the built-in corpus that a grammar generates."""
