"""N-best lists of the translations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from tunesmith.candidates.columns import with_columns
from tunesmith.candidates.writers.stream import PoolStream
from tunesmith.decode.events import DerivationEvents
from tunesmith.decode.output.base import Decoded, Output
from tunesmith.decode.rules import show_span
from tunesmith.forest.forest import Forest
from tunesmith.forest.kbest import kbest_pool
from tunesmith.forest.nbest import portion
from tunesmith.texts import Texts

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
        restore: Callable[[Texts], Texts] | None = None,
    ) -> None:
        self._stream = stream
        self._options = options
        self._weights = weights
        self._names = tuple(feature_names)
        self._threads = threads
        self._restore = restore

    @property
    def head_size(self) -> int:
        return self._stream.head_size

    def write(self, batch: Sequence[Decoded]) -> None:
        forests = [
            (found.id, found.translation.forest)
            for found in batch
            if found.translation.found and found.translation.forest is not None
        ]
        step = portion(self._options.size)
        for begin in range(0, len(forests), step):
            self._write(forests[begin : begin + step])

    def _write(self, forests: Sequence[tuple[str, Forest]]) -> None:
        pool = kbest_pool(
            [forest for _, forest in forests],
            self._weights,
            self._options.size,
            unique=self._options.unique,
            ids=[name for name, _ in forests],
            missing=0.0,  # features of templates need no weight
            threads=self._threads,
        )
        if self._restore is not None and pool.texts is not None:
            pool = replace(pool, texts=self._restore(pool.texts))
        fields = None
        if self._options.segments:
            fields = self._segments([forest for _, forest in forests])
        self._stream.write(replace(pool, features=with_columns(pool.features, self._names)), fields)

    def _segments(self, forests: Sequence[Forest]) -> list[str]:
        """Return the phrases of the same derivations."""
        events = DerivationEvents.kbest(
            forests,
            self._weights,
            self._options.size,
            unique=self._options.unique,
            missing=0.0,
            threads=self._threads,
        )
        spans = zip(events.steps.sources.tolist(), events.steps.targets.tolist(), strict=True)
        marks = np.where(events.rules.ids[events.steps.rules] < 0, NO_PAIR, "").tolist()
        shown = [
            f"{show_span(*source)}={show_span(*target)}{mark}"
            for (source, target), mark in zip(spans, marks, strict=True)
        ]
        return [" ".join(shown[a:b]) for a, b in pairwise(events.step_offsets.tolist())]
