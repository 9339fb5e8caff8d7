"""Forests whose edges share rules, which `build_forest` does not make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from tests.forest.enumeration import spelled

from tunesmith.forest import Forest
from tunesmith.forest.build import from_arrays
from tunesmith.texts import Texts

Values = tuple[tuple[str, float], ...]
"""Features by name, in the order in which they are stored."""


@dataclass(frozen=True)
class Rule:
    """What edges share."""

    target: tuple[str | int, ...]
    source: tuple[str | int, ...] = ()
    alignment: tuple[tuple[int, int], ...] = ()
    features: Values = ()
    number: int = -1


@dataclass(frozen=True)
class Use:
    """An edge: which of the rules it uses, and what it has of its own."""

    tails: tuple[int, ...]
    rule: int
    span: tuple[int, int] = (-1, -1)
    features: Values = ()


def forest_of(
    nodes: Sequence[Sequence[Use]], rules: Sequence[Rule], words: Iterable[str], features: Iterable[str]
) -> Forest:
    """Return the forest whose node n has the in-edges `nodes[n]`; rules that no edge uses stay."""
    packed_words, packed_features = Texts.of(words), Texts.of(features)
    word_numbers = {word: number for number, word in enumerate(packed_words)}
    columns = {name: column for column, name in enumerate(packed_features)}

    def rows(lists: Iterable[Sequence[object]]) -> tuple[list[int], list[object]]:
        kept = list(lists)
        return [0, *accumulate(map(len, kept))], [item for row in kept for item in row]

    def symbols(sides: Iterable[tuple[str | int, ...]]) -> tuple[list[int], list[object]]:
        return rows([s if isinstance(s, int) else word_numbers[s] for s in side] for side in sides)

    def values(lists: Sequence[Values]) -> tuple[list[int], list[object], list[object]]:
        offsets, numbers = rows([columns[name] for name, _ in row] for row in lists)
        return offsets, numbers, [value for row in lists for _, value in row]

    edges = [edge for node in nodes for edge in node]
    return from_arrays(
        rows(nodes)[0],
        rows(edge.tails for edge in edges),
        [edge.rule for edge in edges],
        [edge.span for edge in edges],
        values([edge.features for edge in edges]),
        symbols(rule.source for rule in rules),
        symbols(rule.target for rule in rules),
        rows(rule.alignment for rule in rules),
        values([rule.features for rule in rules]),
        np.array([rule.number for rule in rules], dtype=np.int64),
        (packed_words.blob, packed_words.offsets),
        (packed_features.blob, packed_features.offsets),
    )


def with_shared_rules(forest: Forest) -> Forest:
    """Return the same forest: edges of equal sides share a rule, every second feature is the edge's own."""
    own = set(forest.feature_names[1::2])
    rules: dict[Rule, int] = {}
    nodes: list[list[Use]] = []
    for edges in spelled(forest):
        nodes.append([])
        for edge in edges:
            values = tuple(edge.features.items())
            shared = tuple(value for value in values if value[0] not in own)
            rule = Rule(edge.target, edge.source, edge.alignment, shared, edge.rule)
            number = rules.setdefault(rule, len(rules))
            nodes[-1].append(
                Use(edge.tails, number, edge.span, tuple(value for value in values if value[0] in own))
            )
    return forest_of(nodes, list(rules), forest.words, forest.feature_names)
