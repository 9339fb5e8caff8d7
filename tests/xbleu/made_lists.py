"""Lists of tiny models, and their candidates as Python values."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from tests.decode import tiny
from tests.decode.orientations import backward, reduced

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.texts import Texts
from tunesmith.xbleu.list_file import ListFile

CODES = {"monotone": 0, "swap": 1, "left": 2, "right": 3}
GLOBAL = 4


class ReadEvent(NamedTuple):
    """An event with its words."""

    begin: int
    end: int
    target: tuple[str, ...]
    block: tuple[int, int]
    block_first: str | None
    block_last: str | None
    orientation: int
    is_unknown: bool


class Candidate(NamedTuple):
    """A candidate of a list; its events are sorted by their columns."""

    score: float
    statistics: tuple[float, ...]
    events: tuple[ReadEvent, ...]


def made_lists(
    decoder: PhraseDecoder,
    sources: list[str],
    references: list[str],
    path: Path,
    *,
    nbest: int,
    threads: int = 1,
    dense: bool = False,
) -> tuple[ListFile, tuple[int, int, int]]:
    """Write the lists of sentences; also return the numbers of sentences without one, and of short lists."""
    writer = _native.ListWriter(list(decoder.feature_names) if dense else [])
    texts = [(each.blob, each.offsets) for each in (Texts.of(sources), Texts.of(references))]
    rows = np.arange(len(sources), dtype=np.uint32)
    counts = writer.decode(
        decoder.native_model, decoder.native_options(forest=False), *texts, rows, nbest, threads
    )
    writer.write(str(path))
    return ListFile.open(path), counts


def read_list(file: ListFile, number: int) -> list[Candidate]:
    """Return the candidates of a list."""
    words, (starts, spelled) = file.words, file.phrases

    def word(index: int) -> str | None:
        return None if index < 0 else words[index]

    def event(row: list[int]) -> ReadEvent:
        target, begin, end, block_begin, block_end, first, last, orientation, is_unknown = row
        text = tuple(words[index] for index in spelled[starts[target] : starts[target + 1]].tolist())
        block = block_begin, block_end
        return ReadEvent(begin, end, text, block, word(first), word(last), orientation, bool(is_unknown))

    offsets, rows = file.events
    events = [event(row) for row in rows[offsets[number] : offsets[number + 1]].tolist()]
    offsets, common = file.common
    shared = common[offsets[number] : offsets[number + 1]].tolist()
    found = []
    firsts, scores = file.scores
    for candidate in range(int(firsts[number]), int(firsts[number + 1])):
        own = file.uses[1][file.uses[0][candidate] : file.uses[0][candidate + 1]].tolist()
        found.append(
            Candidate(
                float(scores[candidate]),
                tuple(file.statistics[candidate].tolist()),
                tuple(sorted(events[use] for use in (*shared, *own))),
            )
        )
    return found


def expected_events(decoder: PhraseDecoder, sentence: str, phrases: tiny.Phrases) -> tuple[ReadEvent, ...]:
    """Return the events of a derivation, from its spans alone."""
    words = sentence.split()
    spans = [(begin, end) for begin, end, _ in phrases]
    targets = [tuple(text.split()) for _, _, text in phrases]
    table = decoder.model.phrase_table()
    found = []
    for step, span in enumerate(spans):
        block, first, last = (0, 0), None, None
        if step:
            block = reduced(spans[:step])[-1]
            began = next(i for i in range(step) if block[0] <= spans[i][0] < block[1])
            first = targets[began][0] if targets[began] else None
            last = targets[step - 1][-1] if targets[step - 1] else None
        name, is_global = backward("hier", spans, step)
        is_unknown = not table.lookup(" ".join(words[span[0] : span[1]]))
        code = CODES[name] + (GLOBAL if is_global else 0)
        found.append(ReadEvent(*span, targets[step], block, first, last, code, is_unknown))
    return tuple(sorted(found))
