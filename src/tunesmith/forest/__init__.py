"""Forests: all derivations that a search kept, and what can be computed from them."""

from tunesmith.forest.build import build_forest
from tunesmith.forest.forest import Edge, Forest

__all__ = ["Edge", "Forest", "build_forest"]
