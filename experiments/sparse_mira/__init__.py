"""Sparse features and online MIRA: what they gain over dense features of the same models."""
