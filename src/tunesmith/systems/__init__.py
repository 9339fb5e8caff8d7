"""Systems: what can be decoded with."""
