"""Decoders that are programs: how they are run, asked, and read."""
