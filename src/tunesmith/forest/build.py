"""Forests from arrays, or edge by edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest.forest import Edge, Forest
from tunesmith.texts import Texts

__all__ = ["build_forest", "from_arrays"]


def build_forest(nodes: Iterable[Sequence[Edge]], features: Iterable[str] = ()) -> Forest:
    """Return the forest whose node n has the in-edges `nodes[n]`; the last node is the root.

    `features` are names to add even if no edge has them. Each edge gets its own rule.
    """
    draft = _Draft()
    for name in features:
        draft.column(name)
    for edges in nodes:
        for edge in edges:
            draft.add(edge)
        draft.edge_offsets.append(len(draft.spans))
    return draft.forest()


def from_arrays(
    edge_offsets: Any,
    tails: Any,
    edge_rules: Any,
    spans: Any,
    features: Any,
    sources: Any,
    targets: Any,
    links: Any,
    rule_features: Any,
    rule_ids: Any,
    words: Any,
    feature_names: Any,
) -> Forest:
    """Return a forest from checked copies of arrays; for their meaning see `Forest.native`."""

    def vector(array: Any, dtype: type[Any]) -> Any:
        if np.issubdtype(dtype, np.integer) and np.asarray(array).dtype.kind == "f" and np.size(array):
            raise InputError("an array of offsets or numbers has floats; expected integers")
        return np.ascontiguousarray(array, dtype=dtype)

    def matrix(array: Any) -> Any:
        return vector(array, np.int32).reshape(-1, 2)

    def rows(arrays: Any) -> Any:
        offsets, columns, values = arrays
        return vector(offsets, np.uint32), vector(columns, np.uint32), vector(values, np.float32)

    return Forest(
        _native.Forest(
            vector(edge_offsets, np.uint32),
            (vector(tails[0], np.uint32), vector(tails[1], np.uint32)),
            vector(edge_rules, np.uint32),
            matrix(spans),
            rows(features),
            (vector(sources[0], np.uint32), vector(sources[1], np.int32)),
            (vector(targets[0], np.uint32), vector(targets[1], np.int32)),
            (vector(links[0], np.uint32), matrix(links[1])),
            rows(rule_features),
            vector(rule_ids, np.int64),
            words,
            feature_names,
        )
    )


@dataclass
class _Rows:
    offsets: list[int] = field(default_factory=lambda: [0])
    values: list[Any] = field(default_factory=list)

    def add(self, row: Iterable[Any]) -> None:
        self.values.extend(row)
        self.offsets.append(len(self.values))

    @property
    def arrays(self) -> tuple[list[int], list[Any]]:
        return self.offsets, self.values


@dataclass
class _Draft:
    """Lists that grow edge by edge."""

    edge_offsets: list[int] = field(default_factory=lambda: [0])
    tails: _Rows = field(default_factory=_Rows)
    spans: list[tuple[int, int]] = field(default_factory=list)
    sources: _Rows = field(default_factory=_Rows)
    targets: _Rows = field(default_factory=_Rows)
    links: _Rows = field(default_factory=_Rows)
    columns: _Rows = field(default_factory=_Rows)
    values: list[float] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    words: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    def add(self, edge: Edge) -> None:
        if any(tail < 0 for tail in edge.tails):
            raise InputError(f"an edge has the tails {edge.tails}; expected numbers of nodes, from 0")
        self.tails.add(edge.tails)
        self.spans.append(edge.span)
        self.sources.add(self.symbols(edge.source))
        self.targets.add(self.symbols(edge.target))
        self.links.add(edge.alignment)
        self.add_features(edge.features)
        self.ids.append(edge.rule)

    def add_features(self, features: Mapping[str, float]) -> None:
        self.columns.add([self.column(name) for name in features])
        self.values.extend(features.values())

    def column(self, name: str) -> int:
        return self.names.setdefault(name, len(self.names))

    def symbols(self, symbols: Sequence[str | int]) -> list[int]:
        return [s if isinstance(s, int) else self.words.setdefault(s, len(self.words)) for s in symbols]

    def forest(self) -> Forest:
        words, names = Texts.of(self.words), Texts.of(self.names)
        return from_arrays(
            self.edge_offsets,
            self.tails.arrays,
            range(len(self.spans)),
            self.spans,
            ([0] * (len(self.spans) + 1), [], []),
            self.sources.arrays,
            self.targets.arrays,
            self.links.arrays,
            (*self.columns.arrays, self.values),
            self.ids,
            (words.blob, words.offsets),
            (names.blob, names.offsets),
        )
