"""One file an objective over forests."""
