"""The forest: all derivations of a sentence that a search kept, in flat arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest.names import Names
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["Edge", "Forest"]


@dataclass(frozen=True)
class Edge:
    """One edge as plain Python values. In `target` and `source` the int -1 - i is the gap of tail i."""

    tails: tuple[int, ...]
    target: tuple[str | int, ...]
    features: Mapping[str, float]
    span: tuple[int, int] = (-1, -1)
    source: tuple[str | int, ...] = ()
    alignment: tuple[tuple[int, int], ...] = ()
    rule: int = -1
    """Origin of the rule, such as the number of a pair in its table; -1 if unknown."""


class Forest:
    """An immutable hypergraph: nodes in topological order, tails before heads, the root last.

    Node n has the in-edges `edge_offsets[n]` to `edge_offsets[n + 1]`; edge e has the tails
    `tails[tail_offsets[e]:tail_offsets[e + 1]]` and the rule `edge_rules[e]`, whose words, links and features
    it shares with other edges. `native` has these and all other arrays as read-only views of its memory.
    """

    def __init__(self, native: _native.Forest) -> None:
        self.native = native

    @property
    def node_count(self) -> int:
        """The number of nodes; 0 if no derivation was found."""
        return self.native.node_count

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return self.native.edge_count

    @property
    def root(self) -> int:
        """The last node, the head of all derivations."""
        if self.node_count == 0:
            raise InputError("the forest is empty: no derivation was found")
        return self.node_count - 1

    @cached_property
    def names(self) -> Names:
        """The names of words and features: one object for all forests that share them."""
        return Names.of(self.native.names)

    @property
    def words(self) -> Texts:
        """The words by number."""
        return self.names.words

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features by column."""
        return self.names.features

    def weights(self, weights: Mapping[str, float], *, missing: float | None = None) -> FloatArray:
        """Return the weight of each feature, read-only; without one, `missing` or an InputError.

        Forests that share names share the array; see `Names.weights`.
        """
        return self.names.weights(weights, missing)

    def scores(
        self, weights: Mapping[str, float] | FloatArray, *, missing: float | None = None
    ) -> FloatArray:
        """Return the score of each edge: features times weights, one sparse product.

        An array has one weight per feature, by column; see `tunesmith.forest.scores`. Features without a
        weight by name have the weight `missing`, or are an InputError.
        """
        given = self.weights(weights, missing=missing) if isinstance(weights, Mapping) else weights
        array = np.ascontiguousarray(given, dtype=np.float64)
        if array.shape != (len(self.feature_names),):
            hint = "; these may be scores of edges already" if array.shape == (self.edge_count,) else ""
            count = len(self.feature_names)
            raise InputError(f"weights of shape {array.shape} for {count} features of a forest{hint}")
        return self.native.scores(array)

    def edge(self, number: int) -> Edge:
        """Return an edge as Python values; slow, for display. Negative numbers count from the end."""
        number = range(self.edge_count)[number]
        native, rule = self.native, int(self.native.edge_rules[number])
        features: dict[str, float] = {}
        for offsets, columns, values, row in (
            (native.rule_feature_offsets, native.rule_feature_columns, native.rule_feature_values, rule),
            (native.edge_feature_offsets, native.edge_feature_columns, native.edge_feature_values, number),
        ):
            for i in range(offsets[row], offsets[row + 1]):
                name = self.feature_names[columns[i]]
                features[name] = features.get(name, 0.0) + float(values[i])
        source = native.sources[native.source_offsets[rule] : native.source_offsets[rule + 1]]
        target = native.targets[native.target_offsets[rule] : native.target_offsets[rule + 1]]
        links = native.links[native.link_offsets[rule] : native.link_offsets[rule + 1]]
        tails = native.tails[native.tail_offsets[number] : native.tail_offsets[number + 1]]
        begin, end = native.spans[number].tolist()
        return Edge(
            tuple(tails.tolist()),
            self._symbols(target.tolist()),
            features,
            (begin, end),
            self._symbols(source.tolist()),
            tuple((i, j) for i, j in links.tolist()),
            int(native.rule_ids[rule]),
        )

    def edges(self, node: int) -> range:
        """Return the numbers of a node's in-edges. Negative numbers of nodes count from the root, -1."""
        node = range(self.node_count)[node]
        offsets = self.native.edge_offsets
        return range(int(offsets[node]), int(offsets[node + 1]))

    def _symbols(self, numbers: list[int]) -> tuple[str | int, ...]:
        return tuple(number if number < 0 else self.words[number] for number in numbers)

    def __repr__(self) -> str:
        return (
            f"<Forest: {self.node_count} nodes, {self.edge_count} edges, {len(self.feature_names)} features>"
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle a forest with only the words and features that it uses, in their order.

        The copy is small even if the file has many names. It has other columns: give it weights by name.
        """
        from tunesmith.forest.build import from_arrays

        native = _native.compact_names(self.native)
        arrays = (
            native.edge_offsets,
            (native.tail_offsets, native.tails),
            native.edge_rules,
            native.spans,
            (native.edge_feature_offsets, native.edge_feature_columns, native.edge_feature_values),
            (native.source_offsets, native.sources),
            (native.target_offsets, native.targets),
            (native.link_offsets, native.links),
            (native.rule_feature_offsets, native.rule_feature_columns, native.rule_feature_values),
            native.rule_ids,
            native.names.words,
            native.names.features,
        )
        return (from_arrays, arrays)
