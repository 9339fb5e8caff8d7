"""The loop with a decoder inside: its rounds on disk, the accumulated lists or forests, stop rules."""
