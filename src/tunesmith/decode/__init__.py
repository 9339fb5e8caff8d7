"""Decoders: text in, translations and forests out."""
