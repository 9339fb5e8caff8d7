"""N-best lists of the translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from tunesmith.candidates import Pool
from tunesmith.candidates.columns import with_columns
from tunesmith.candidates.writers.stream import PoolStream
from tunesmith.corpus.side import Forms, Side
from tunesmith.decode.events import DerivationEvents
from tunesmith.decode.output.base import Decoded, Output
from tunesmith.decode.output.readable import forms_of_unknown
from tunesmith.decode.request import Request
from tunesmith.decode.rules import show_span
from tunesmith.decode.translation import Phrase
from tunesmith.forest.forest import Forest
from tunesmith.forest.kbest import kbest_pool
from tunesmith.forest.nbest import portion

__all__ = ["NO_PAIR", "Nbest", "NbestOptions"]

NO_PAIR = "*"
"""Ends a phrase of a list that is no pair of a table."""


@dataclass(frozen=True)
class NbestOptions:
    """Number of derivations per list, or with `unique` of different translations.

    With `segments`, lines have a further field, the phrases of the derivation in target order, as in Moses:
    `0-1=0-1 2=2`, source words `=` target words, each as first-last; nothing follows `=` for dropped words.
    `2=2*` is no pair of a phrase table: an unknown word, or a phrase given by the input.
    """

    size: int = 100
    unique: bool = False
    segments: bool = False


class Nbest(Output):
    """One list per sentence, best first; none if nothing was found."""

    needs_forests: ClassVar[bool] = True

    def __init__(
        self,
        stream: PoolStream,
        options: NbestOptions,
        weights: Mapping[str, float],
        feature_names: Sequence[str],
        threads: int | None = None,
        readable: Side | None = None,
    ) -> None:
        self._stream = stream
        self._options = options
        self._weights = weights
        self._names = tuple(feature_names)
        self._threads = threads
        self._readable = readable

    @property
    def head_size(self) -> int:
        return self._stream.head_size

    def write(self, batch: Sequence[Decoded]) -> None:
        searched = [
            (found, found.translation.forest)
            for found in batch
            if found.translation.found and found.translation.forest is not None
        ]
        step = portion(self._options.size)
        for begin in range(0, len(searched), step):
            self._write(searched[begin : begin + step])

    def _write(self, searched: Sequence[tuple[Decoded, Forest]]) -> None:
        forests = [forest for _, forest in searched]
        pool = kbest_pool(
            forests,
            self._weights,
            self._options.size,
            unique=self._options.unique,
            ids=[found.id for found, _ in searched],
            missing=0.0,  # features of templates need no weight
            threads=self._threads,
        )
        if self._readable is not None and pool.texts is not None:
            known = self._forms_of_unknown([found.request for found, _ in searched], forests, pool)
            pool = replace(pool, texts=self._readable.restore(pool.texts, known))
        fields = self._segments(forests) if self._options.segments else None
        self._stream.write(replace(pool, features=with_columns(pool.features, self._names)), fields)

    def _events(self, forests: Sequence[Forest]) -> DerivationEvents:
        """Return what the same derivations did."""
        return DerivationEvents.kbest(
            forests,
            self._weights,
            self._options.size,
            unique=self._options.unique,
            missing=0.0,
            threads=self._threads,
        )

    def _forms_of_unknown(
        self, requests: Sequence[Request], forests: Sequence[Forest], pool: Pool
    ) -> list[Forms]:
        """Return the words that each candidate passed through, as the input has them."""
        if pool.texts is None or not any(request.written for request in requests):
            return []
        events = self._events(forests)
        rules = events.rules.ids[events.steps.rules].tolist()
        spans = zip(events.steps.sources.tolist(), events.steps.targets.tolist(), rules, strict=True)
        phrases = [Phrase(tuple(source), tuple(target), rule) for source, target, rule in spans]
        lists = np.repeat(np.arange(len(requests)), np.diff(pool.offsets)).tolist()
        return [
            forms_of_unknown(requests[number], phrases[a:b], text)
            for number, (a, b), text in zip(
                lists, pairwise(events.step_offsets.tolist()), pool.texts, strict=True
            )
        ]

    def _segments(self, forests: Sequence[Forest]) -> list[str]:
        """Return the phrases of the same derivations."""
        events = self._events(forests)
        spans = zip(events.steps.sources.tolist(), events.steps.targets.tolist(), strict=True)
        marks = np.where(events.rules.ids[events.steps.rules] < 0, NO_PAIR, "").tolist()
        shown = [
            f"{show_span(*source)}={show_span(*target)}{mark}"
            for (source, target), mark in zip(spans, marks, strict=True)
        ]
        return [" ".join(shown[a:b]) for a, b in pairwise(events.step_offsets.tolist())]
