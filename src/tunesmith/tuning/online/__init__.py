"""Online learning over shards: weights change after every sentence."""
