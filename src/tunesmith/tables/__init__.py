"""Phrase tables: mapped from disk, filtered, merged, and the text forms of them."""
