"""Passes over a text: it is decoded in pieces, here or by an executor, and each becomes a product."""
