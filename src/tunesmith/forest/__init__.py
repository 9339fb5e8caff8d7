"""Forests: all derivations that a search kept, and what can be computed from them."""

from tunesmith.forest.build import build_forest
from tunesmith.forest.file import ForestFile, ForestWriter
from tunesmith.forest.forest import Edge, Forest
from tunesmith.forest.readers import read_forests
from tunesmith.forest.writers import write_forests

__all__ = ["Edge", "Forest", "ForestFile", "ForestWriter", "build_forest", "read_forests", "write_forests"]
