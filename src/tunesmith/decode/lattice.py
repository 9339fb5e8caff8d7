"""Word lattices: alternative inputs in one graph (Dyer, Muresan and Resnik 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tunesmith import _native

__all__ = ["Lattice"]


@dataclass(frozen=True)
class Lattice:
    """A word lattice in PLF: `((('A',0.5,1),('C',0.25,1),),(('B',2,1),),)`.

    Each node is a tuple of arcs (word, value, distance to the end node of the arc). The logs of the values,
    at least -100, are the feature InputFeature0. As in Moses, an arc may have no value, or several: further
    ones are the features InputFeature0_1, InputFeature0_2, ..., and `name=value` after them names a feature.
    Instead of values a dict may give features by name, `{'LatticePosterior': -0.7, 'Parts': 2}`. Named
    features are used unchanged: see `SearchOptions.arc_features`.
    The step from one node to the next is a column; an arc covers all columns between its nodes.
    """

    plf: str

    @cached_property
    def native(self) -> _native.WordLattice:
        """The parsed lattice; a malformed one is an InputError."""
        return _native.parse_plf(self.plf)

    @property
    def columns(self) -> int:
        """The number of columns: that of nodes, minus one."""
        return self.native.columns

    @property
    def has_scores(self) -> bool:
        """Whether an arc has a value other than 1, which needs a weight for InputFeature0."""
        return self.native.has_scores

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The features that arcs name, sorted."""
        return tuple(self.native.feature_names)

    def __reduce__(self) -> tuple[object, ...]:
        return (Lattice, (self.plf,))
