"""Reordering models trained for expected BLEU on n-best lists of the training text (Auli et al. 2014)."""
