"""Small lattices for the chart decoder, with features of all kinds."""

from __future__ import annotations

import math
import random

from tests.decode.chart_brute_force import Arc

from tunesmith.decode.lattice import Lattice
from tunesmith.decode.settings import ChartOptions

NAMED = ChartOptions(pop_limit=0, arc_features=("Posterior", "Parts"))
ARC_WEIGHTS = {"Posterior": 0.75, "Parts": -0.5, "InputFeature0": 0.5}


def plf(arcs: list[list[Arc]]) -> Lattice:
    """Write a lattice; an arc without features has the value 1."""
    rows = []
    for node, leaving in enumerate(arcs):
        row = []
        for word, said, end in leaving:
            value = math.exp(said["InputFeature0"]) if "InputFeature0" in said else dict(said) or 1
            row.append((word, value, end - node))
        rows.append(tuple(row))
    return Lattice(repr(tuple(rows)))


def random_lattice(seed: int, nodes: int) -> list[list[Arc]]:
    """Return two arcs a node, some of which skip a node, with features of all kinds."""
    draw = random.Random(seed)
    arcs: list[list[Arc]] = []
    for node in range(nodes):
        leaving: list[Arc] = []
        for end in (node + 1, min(draw.choice((node + 1, node + 2)), nodes)):
            kinds: list[dict[str, float]] = [
                {},
                {"Posterior": draw.randint(-8, 0) / 8},
                {"Posterior": -0.5, "Parts": 2.0},
                {"InputFeature0": draw.randint(-4, 0) * math.log(2)},
            ]
            leaving.append((draw.choice("abcdq"), draw.choice(kinds), end))
        arcs.append(leaving)
    return arcs
