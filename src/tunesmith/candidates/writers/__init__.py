"""Writers of candidate lists: one file a format."""

from tunesmith.candidates.writers.base import WRITERS, Writer

__all__ = ["WRITERS", "Writer"]
