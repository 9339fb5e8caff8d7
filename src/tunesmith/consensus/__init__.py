"""Choosing what most of the probability agrees on: one file a rule."""
