"""Alignment models, one a file."""
