"""One file a method over forests."""
