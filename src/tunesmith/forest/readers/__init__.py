"""Readers of forests: one file a format."""

from tunesmith.forest.readers.base import READERS, Reader
from tunesmith.forest.readers.read import read_forests

__all__ = ["READERS", "Reader", "read_forests"]
