"""Readers of candidate lists: one file per format."""

from tunesmith.candidates.readers.base import READERS, Reader, Source

__all__ = ["READERS", "Reader", "Source"]
