"""Forests as JSON that cdec reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest.forest import Forest
from tunesmith.forest.writers.base import WRITERS, TextWriter

__all__ = ["CdecJson"]

_LARGEST = float(np.finfo(np.float32).max)


@WRITERS.register("cdec-json")
@dataclass(frozen=True)
class CdecJson(TextWriter):
    """One forest per line: rules and features by number, then each node after its edges; the root is last.

    `|` in words, and brackets around a word, are escaped as in Moses. Links and numbers of rules are not
    written, and features of rules become features of edges.
    """

    name: ClassVar[str] = "cdec-json"
    summary: ClassVar[str] = "JSON forests of cdec, one forest per line"
    suffixes: ClassVar[tuple[str, ...]] = (".json",)
    unnamed: ClassVar[bool] = True

    def text(self, sentence: str, forest: Forest) -> bytes:
        return ("{" + ",".join(_pieces(forest)) + "}\n").encode()


def _pieces(forest: Forest) -> Iterator[str]:
    if not forest.node_count:
        return
    native = forest.native
    words = _native.escaped_words(native)
    sources = _sides(native.source_offsets, native.sources, words, "[X,{}]")
    targets = _sides(native.target_offsets, native.targets, words, "[{}]")
    # A rule without a source side has two fields.
    rules = [
        f"[X] ||| {source} ||| {target}" if source else f"[X] ||| {target}"
        for source, target in zip(sources, targets, strict=True)
    ]
    yield '"rules":[' + ",".join(f"{i},{_quoted(rule)}" for i, rule in enumerate(rules, 1)) + "]"
    yield '"features":[' + ",".join(map(_quoted, forest.feature_names)) + "]"
    of_rules = _rows(native.rule_feature_offsets, native.rule_feature_columns, native.rule_feature_values)
    own = _rows(native.edge_feature_offsets, native.edge_feature_columns, native.edge_feature_values)
    tails, tail_offsets = native.tails.tolist(), native.tail_offsets.tolist()
    spans, edge_rules = native.spans.tolist(), native.edge_rules.tolist()
    for node in range(forest.node_count):
        edges = forest.edges(node)
        spelled = []
        for edge in edges:
            begin, end = spans[edge]
            below = ",".join(map(str, tails[tail_offsets[edge] : tail_offsets[edge + 1]]))
            feats = _features(of_rules[edge_rules[edge]], own[edge])
            rule = edge_rules[edge] + 1  # 0 is no rule
            spelled.append(
                f'{{"tail":[{below}],"spans":[{begin},{end},-1,-1],"feats":[{feats}],"rule":{rule}}}'
            )
        yield f'"edges":[{",".join(spelled)}]'
        yield f'"node":{{"in_edges":[{",".join(map(str, edges))}],"cat":"X"}}'


def _rows(offsets: Any, columns: Any, values: Any) -> list[list[tuple[int, float]]]:
    items = list(zip(columns.tolist(), values.tolist(), strict=True))
    borders = offsets.tolist()
    return [items[begin:end] for begin, end in pairwise(borders)]


def _features(of_rule: list[tuple[int, float]], own: list[tuple[int, float]]) -> str:
    sums: dict[int, float] = {}
    for column, value in (*of_rule, *own):
        sums[column] = sums[column] + value if column in sums else value
    return ",".join(f"{column},{_number(value)}" for column, value in sums.items())


def _number(value: float) -> str:
    """Nine digits identify every 32-bit float; JSON would read -0 as an integer, without its sign."""
    if abs(value) > _LARGEST:
        raise InputError("a feature of a rule and of its edge do not add up to a finite number")
    text = f"{np.float32(value):.9g}"
    return "-0.0" if text == "-0" else text


def _sides(offsets: Any, symbols: Any, words: Sequence[str], gap: str) -> list[str]:
    spelled = [gap.format(-symbol) if symbol < 0 else words[symbol] for symbol in symbols.tolist()]
    borders = offsets.tolist()
    return [" ".join(spelled[begin:end]) for begin, end in pairwise(borders)]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
