"""Consensus training on forests (Pauls, DeNero and Klein 2009)."""
