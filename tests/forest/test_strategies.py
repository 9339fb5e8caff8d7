"""The forests that algorithms are tested with have what goes wrong most easily."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from tests.forest import random_forests, rolled_forests, strategies
from tests.forest.enumeration import spelled

from tunesmith.forest import Forest

KINDS = {
    "drawn": strategies.forests(),
    "rolled": rolled_forests.forests(),
    "of files": random_forests.forests(),
}


def repeats_a_tail(forest: Forest) -> bool:
    return any(len(set(edge.tails)) < len(edge.tails) for edges in spelled(forest) for edge in edges)


def has_parallel_edges(forest: Forest) -> bool:
    return any(a.tails == b.tails != () for edges in spelled(forest) for a, b in combinations(edges, 2))


def has_an_edge_of_three_tails(forest: Forest) -> bool:
    return any(len(edge.tails) == 3 for edges in spelled(forest) for edge in edges)


def has_a_node_that_the_root_does_not_reach(forest: Forest) -> bool:
    """Walk down from the root: derivations themselves may be too many to be listed."""
    nodes = spelled(forest)
    waiting = [*range(forest.node_count)][-1:]
    reached = set(waiting)
    while waiting:
        tails = {tail for edge in nodes[waiting.pop()] for tail in edge.tails}
        waiting.extend(tails - reached)
        reached |= tails
    return len(reached) < forest.node_count


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "awkward",
    [
        repeats_a_tail,
        has_parallel_edges,
        has_an_edge_of_three_tails,
        has_a_node_that_the_root_does_not_reach,
    ],
)
def test_awkward_forests_are_among_them(awkward, kind: str):
    # The first one that is found will do; to shrink it would take long.
    unshrunk = settings(
        max_examples=500,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    find(KINDS[kind], awkward, settings=unshrunk)
