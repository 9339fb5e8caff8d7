"""Inflection: the forms of German and English words from the few that the tables give."""
