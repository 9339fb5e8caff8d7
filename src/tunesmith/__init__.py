"""Tunesmith trains, tunes and runs feature-rich log-linear translation models."""
