"""Large and deep forests."""

from __future__ import annotations

import numpy as np

from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.build import from_arrays
from tunesmith.texts import Texts


def chain(depth: int, first: str = "a") -> Forest:
    """Return a lattice of one derivation, `first` and then `depth` times "b": edge i leads to node i."""
    return build_forest([[Edge((), (first,), {})]] + [[Edge((i,), (-1, "b"), {})] for i in range(depth)])


def random_forest(nodes: int, in_edges: int, tails: int, *, reach: int = 20, seed: int = 1) -> Forest:
    """Return a forest of one leaf and nodes of `in_edges` edges with `tails` tails, among the `reach` before.

    One tail makes a lattice, whose derivations are long; the first in-edge leads on from the node before.
    An edge has a word of its own, one shared feature and one of eight others.
    """
    random = np.random.default_rng(seed)
    edges = nodes * in_edges
    heads = np.repeat(np.arange(1, nodes + 1), in_edges)
    steps = random.integers(1, reach + 1, size=(edges, tails))
    steps[::in_edges, 0] = 1
    ends = np.maximum(heads[:, None] - steps, 0)
    if tails > 1:
        # Derivations that branch at every node would be exponentially long: other tails are leaves.
        ends[:, 1:] = 0
    gaps = -1 - np.arange(tails)
    targets = np.column_stack([np.tile(gaps, (edges, 1)), np.arange(edges) % 1000])
    columns = np.column_stack([np.zeros(edges, dtype=np.int64), 1 + random.integers(0, 8, edges)])
    offsets = np.arange(edges + 2)
    words, names = Texts.of(f"w{i}" for i in range(1000)), Texts.of(f"f{i}" for i in range(9))
    return from_arrays(
        np.concatenate([[0], 1 + in_edges * np.arange(nodes + 1)]),
        (np.concatenate([[0], tails * np.arange(edges + 1)]), ends.reshape(-1)),
        np.arange(edges + 1),
        np.full((edges + 1, 2), -1),
        (np.zeros(edges + 2, dtype=np.uint32), [], []),
        (np.zeros(edges + 2, dtype=np.uint32), []),
        (np.concatenate([[0], (tails + 1) * np.arange(edges + 1)]), targets.reshape(-1)),
        (np.zeros(edges + 2, dtype=np.uint32), []),
        (np.concatenate([[0], 2 * offsets[:-1]]), columns.reshape(-1), random.normal(size=2 * edges)),
        np.full(edges + 1, -1),
        (words.blob, words.offsets),
        (names.blob, names.offsets),
    )
