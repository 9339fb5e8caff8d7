"""Forests from arrays and from edges."""

from __future__ import annotations

import pytest

from tunesmith.errors import InputError
from tunesmith.forest import Edge, build_forest


@pytest.mark.parametrize(
    "edge",
    [Edge((0.9,), (-1,), {}), Edge((0,), (-1,), {}, (0.5, 1)), Edge((0,), (-1,), {}, alignment=((0.5, 0),))],
)
def test_fractions_are_no_numbers_of_nodes_or_places(edge: Edge) -> None:
    with pytest.raises(InputError, match="expected integers"):
        build_forest([[Edge((), (), {})], [edge]])
