"""Alignment models, one per file."""
