"""Word lattices: alternative inputs in one graph (Dyer, Muresan and Resnik 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tunesmith import _native

__all__ = ["Lattice"]


@dataclass(frozen=True)
class Lattice:
    """A lattice of words that might have been said, in PLF: `((('A',0.5,1),('C',0.25,1),),(('B',2,1),),)`.

    For each node a tuple of arcs (word, value, distance to the node where the arc ends). The logs of the
    values, not below -100, are the feature InputFeature0. In place of the value a dict may name features,
    `{'LatticePosterior': -0.7, 'Parts': 2}`, which are taken as they are: see `SearchOptions.arc_features`.
    What lies between two neighboring nodes is a column; an arc covers all columns between its nodes.
    """

    plf: str

    @cached_property
    def native(self) -> _native.WordLattice:
        """The parsed lattice; what is not one is an InputError."""
        return _native.parse_plf(self.plf)

    @property
    def columns(self) -> int:
        """The number of columns: of nodes, but for the last."""
        return self.native.columns

    @property
    def has_scores(self) -> bool:
        """Whether an arc has a value other than 1: then the model needs a weight for InputFeature0."""
        return self.native.has_scores

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The features that arcs name, sorted."""
        return tuple(self.native.feature_names)

    def __reduce__(self) -> tuple[object, ...]:
        return (Lattice, (self.plf,))
