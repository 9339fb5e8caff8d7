"""The loop with a decoder inside: rounds on disk, evidence, stop rules."""
