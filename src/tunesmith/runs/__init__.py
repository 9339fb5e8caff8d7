"""Folders of runs, which a killed command resumes: whose they are, and what may be removed from them."""
