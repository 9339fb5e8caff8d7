"""Reordering models trained for expected BLEU: what they gain over a model of likelihood."""
