"""Refined forests: copies of another forest's edges between split nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.forest.forest import Forest

__all__ = ["MAX_EDGES", "MAX_NODES", "Refinement", "check_limits"]

EdgeNumbers = npt.NDArray[np.uint32]

MAX_NODES = 5_000_000
MAX_EDGES = 20_000_000


@dataclass(frozen=True, eq=False)
class Refinement:
    """A forest, and for each of its edges the original edge that it is a copy of.

    Values of the original edges carry over: `scores[refinement.origins]`.
    """

    forest: Forest
    origins: EdgeNumbers

    @classmethod
    def of(cls, native: tuple[_native.Forest, EdgeNumbers]) -> Refinement:
        """Wrap the native result."""
        forest, origins = native
        return cls(Forest(forest), origins)


def check_limits(max_nodes: int, max_edges: int) -> tuple[int, int]:
    """Return the limits of a refined forest; an OptionError unless they are positive."""
    if max_nodes < 1 or max_edges < 1:
        raise OptionError(
            "{} and {} must be at least 1, not {nodes} and {edges}",
            "max_nodes",
            "max_edges",
            nodes=max_nodes,
            edges=max_edges,
        )
    return max_nodes, max_edges
