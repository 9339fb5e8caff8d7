"""Which method for which lists: cross-validated scores of all methods on several sets of lists."""
