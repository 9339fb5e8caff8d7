"""Candidate lists as JSON, one sentence per line; lossless."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from tunesmith import _native
from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.writers.base import WRITERS, Writer, pool_text, spans, text_arrays

__all__ = ["Jsonl"]

_NUMBER = re.compile("0|[1-9][0-9]*")


@WRITERS.register("jsonl")
class Jsonl(Writer):
    """`{"id": 0, "references": [...], "hypotheses": [{"text": "...", "features": {"lm": -3.1}}]}`

    If the order of the features does not follow from the candidates, the first line contains it:
    `{"feature_names": [...]}`.
    """

    name: ClassVar[str] = "jsonl"
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl",)

    def head(self, pool: Pool) -> bytes:
        if _names_in_order(pool.features):
            return b""
        return (json.dumps({"feature_names": pool.feature_names}, ensure_ascii=False) + "\n").encode()

    def chunks(self, pool: Pool) -> Iterator[bytes]:
        text = pool_text(
            pool,
            (name if _NUMBER.fullmatch(name) else _quote(name) for name in pool.ids),
            (f", {_quote(name)}: " for name in pool.feature_names),
        )
        score_prefixes = text_arrays(f"{_quote(name)}: " for name in pool.scores)
        scores = [np.ascontiguousarray(column, dtype=np.float64) for column in pool.scores.values()]
        sources = text_arrays(pool.sources)
        references = [text_arrays(reference) for reference in pool.references]
        for begin, end in spans(pool):
            yield _native.format_jsonl(text, score_prefixes, scores, sources, references, begin, end)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _names_in_order(features: Features) -> bool:
    """Whether features numbered by first occurrence would keep their numbers."""
    largest = np.maximum.accumulate(features.columns) if len(features.columns) else features.columns
    first = np.append(True, np.diff(largest) > 0)[: len(largest)]
    return np.array_equal(largest[first], np.arange(features.width))
