"""Writers of candidate lists: one file per format."""

from tunesmith.candidates.writers.base import WRITERS, Writer

__all__ = ["WRITERS", "Writer"]
