"""Tuning: recipes, the journal of a run, and the one call that does it all."""
