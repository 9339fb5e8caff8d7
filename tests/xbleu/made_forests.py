"""Forests of tiny models, and all their derivations as Python values."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from tests.xbleu.made_lists import ReadEvent

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.texts import Texts


class ForestDerivation(NamedTuple):
    """A derivation: its score, n-gram matches summed over edges, and events in the order of the target."""

    score: float
    matches: tuple[int, ...]
    events: tuple[ReadEvent, ...]

    @property
    def words(self) -> list[str]:
        return [word for event in self.events for word in event.target]


def made_forests(
    decoder: PhraseDecoder,
    sources: list[str],
    references: list[str],
    path: Path,
    *,
    density: float = 10_000.0,
    blocks: bool = True,
    threads: int = 1,
) -> tuple[_native.EventForestFile, tuple[int, int, int]]:
    """Write the forests of sentences; also return how many have none, too large ones or single ones."""
    writer = _native.EventForestWriter()
    texts = [(each.blob, each.offsets) for each in (Texts.of(sources), Texts.of(references))]
    rows = np.arange(len(sources), dtype=np.uint32)
    counts = writer.decode(
        decoder.native_model, decoder.native_options(forest=False), *texts, rows, density, blocks, threads
    )
    writer.write(str(path))
    return _native.EventForestFile(str(path)), counts


def derivations_of(file: _native.EventForestFile, number: int) -> list[ForestDerivation]:
    """Return all derivations of a forest, one by one."""
    offsets, edges, scores, events, _, _ = file.forest(number)
    words = Texts.stored(*file.words(), "words", file.path)
    starts, spelled = file.phrases()
    read = [_event(row, words, starts, spelled) for row in events.tolist()]

    def below(node: int) -> Iterator[ForestDerivation]:
        for edge in range(offsets[node], offsets[node + 1]):
            tail, event, *matches = edges[edge].tolist()
            own = () if event < 0 else (read[event],)
            start = ForestDerivation(0.0, (0, 0, 0, 0), ())
            for before in below(tail) if tail >= 0 else (start,):
                yield ForestDerivation(
                    before.score + float(scores[edge]),
                    tuple(a + b for a, b in zip(before.matches, matches, strict=True)),
                    (*before.events, *own),
                )

    return list(below(len(offsets) - 2))


def _event(row: list[int], words: Texts, starts: npt.NDArray[Any], spelled: npt.NDArray[Any]) -> ReadEvent:
    target, begin, end, block_begin, block_end, first, last, orientation, is_unknown = row
    text = tuple(words[index] for index in spelled[starts[target] : starts[target + 1]].tolist())
    borders = (None if index < 0 else words[index] for index in (first, last))
    return ReadEvent(begin, end, text, (block_begin, block_end), *borders, orientation, bool(is_unknown))
