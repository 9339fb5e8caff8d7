"""Writers of forests: one module per format."""

from tunesmith.forest.writers.base import WRITERS, Writer
from tunesmith.forest.writers.write import write_forests

__all__ = ["WRITERS", "Writer", "write_forests"]
