"""Random lists of derivations, scored in Python by the template: what compiled lists are compared with."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.features.base import Pair, Sentence, Step
from tunesmith.features.orientations import Range, Stack, backward, push
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.metrics import Bleu
from tunesmith.runs.kind import RunRecord
from tunesmith.xbleu.list_counts import FileCounts
from tunesmith.xbleu.store import LISTS, ListFiles

CLASSES = (20, 50, 80)
ORIENTATIONS = {"monotone": 0, "swap": 1, "left": 2, "right": 3, "global monotone": 4}


@dataclass(frozen=True)
class Phrase:
    """A step of a derivation."""

    span: Range
    target: tuple[str, ...]
    known: bool = True


@dataclass
class ToyList:
    """A sentence, and its candidates with scores and statistics of BLEU: length and matches."""

    source: tuple[str, ...]
    reference_length: int
    derivations: list[list[Phrase]] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    matches: list[list[int]] = field(default_factory=list)
    dense: list[list[float]] = field(default_factory=list)
    """Values of the decoder's features, if a file keeps them: one row per candidate."""

    def statistics(self) -> npt.NDArray[np.float64]:
        """Return the statistics of each candidate as BLEU has them."""
        rows = [
            [number for n, count in enumerate(counts) for number in (count, max(0, length - n))]
            + [self.reference_length]
            for length, *counts in self.matches
        ]
        return np.array(rows, dtype=np.float64)

    def gains(self, metric: Bleu) -> npt.NDArray[np.float64]:
        """Return the sentence scores, as precise as compiled lists keep them."""
        return metric.sentence_score(self.statistics()).astype(np.float32).astype(np.float64)

    def features(self, template: SparseReordering) -> list[Counter[str]]:
        """Return the features of each candidate, by the template's own code."""
        return [self._features(template, derivation) for derivation in self.derivations]

    def _features(self, template: SparseReordering, derivation: list[Phrase]) -> Counter[str]:
        state = template.start(Sentence(self.source, len(self.source)))
        found: Counter[str] = Counter()
        covered = 0
        for phrase in derivation:
            begin, end = phrase.span
            pair = Pair(self.source[begin:end], phrase.target, (), {}, phrase.known)
            state, values = template.apply((state,), Step(pair, phrase.span, (-1, *phrase.target), covered))
            for name, value in values.items():
                found[name] += int(value)
            covered |= (1 << end) - (1 << begin)
        return found

    def add_to(self, writer: _native.ListWriter, sentence: int) -> None:
        """Add the list to a file, as events."""
        known: dict[tuple[object, ...], int] = {}
        counts = [
            Counter(known.setdefault(event, len(known)) for event in events_of(derivation))
            for derivation in self.derivations
        ]
        common = Counter(counts[0])
        for each in counts:
            common &= each
        uses = [sorted((each - common).elements()) for each in counts]
        _native.add_list(
            writer,
            sentence,
            self.reference_length,
            list(self.source),
            self.scores,
            self.matches,
            list(known),  # type: ignore[arg-type]
            sorted(common.elements()),
            uses,
            [value for row in self.dense for value in row],
        )


def events_of(derivation: list[Phrase]) -> list[tuple[object, ...]]:
    """Return the events of a derivation as `add_list` takes them."""
    stack: Stack = ()
    last: tuple[str, ...] = ()
    found: list[tuple[object, ...]] = []
    for phrase in derivation:
        block = stack[-1].range if stack else (0, 0)
        first = next(iter(stack[-1].mark), None) if stack else None
        borders = (first, last[-1] if stack and last else None)
        orientation = ORIENTATIONS[backward(stack, phrase.span)]
        found.append((phrase.target, phrase.span, block, borders, orientation, not phrase.known))
        stack = push(stack, phrase.span, phrase.target[:1])
        last = phrase.target
    return found


def toy_lists(count: int, seed: int = 1, candidates: int = 12, longest: int = 9) -> list[ToyList]:
    """Draw lists: candidates differ in order, segmentation and translation of the phrases."""
    draw = random.Random(seed)
    return [_toy_list(draw, candidates, longest) for _ in range(count)]


def _toy_list(draw: random.Random, candidates: int, longest: int) -> ToyList:
    source = tuple(f"s{min(int(draw.expovariate(0.15)), 39)}" for _ in range(draw.randint(2, longest)))
    made = ToyList(source, draw.randint(2, 12))
    for _ in range(draw.randint(2, candidates)):
        cuts = [0, *(i for i in range(1, len(source)) if draw.random() < 0.6), len(source)]
        spans = list(itertools.pairwise(cuts))
        for _ in range(draw.randint(0, 3)):
            i, j = (draw.randrange(len(spans)) for _ in range(2))
            spans[i], spans[j] = spans[j], spans[i]
        made.derivations.append([_phrase(draw, source, span) for span in spans])
        made.scores.append(float(np.float32(draw.gauss(-3, 1))))
        length = draw.randint(1, 12)
        steps = [event[4] for event in events_of(made.derivations[-1])]
        share = sum(step in (0, 4) for step in steps) / len(steps)  # monotone candidates are better
        counts = [round(length * min(1, max(0, draw.gauss(0.1 + 0.8 * share, 0.2))))]
        for n in (1, 2, 3):
            counts.append(max(0, min(counts[-1] - draw.randint(0, 2), length - n)))
        made.matches.append([length, *counts])
    return made


def _phrase(draw: random.Random, source: tuple[str, ...], span: Range) -> Phrase:
    words = source[span[0] : span[1]]
    option = draw.randrange(3)
    target = tuple(f"t{word[1:]}" for word in words) if option else (f"t{draw.randrange(40)}",)
    if option == 2 and len(target) > 1:
        target = target[::-1]
    if draw.random() < 0.05:
        return Phrase(span, ())
    return Phrase(span, target, known=len(words) > 1 or draw.random() < 0.9)


def write_word_lists(folder: Path, words: int = 40) -> None:
    """Write frequent words, all words and classes of the toy vocabulary."""
    for side, letter in (("source", "s"), ("target", "t")):
        lines = "".join(f"{letter}{i}\t{words - i}\n" for i in range(words))
        (folder / f"frequent.{side}.txt").write_text(lines)
        (folder / f"words.{side}.txt").write_text(lines)
        for count in CLASSES:
            classes = "".join(f"{letter}{i}\t{i * 7 % count}\n" for i in range(words - 3))
            (folder / f"classes.{side}.{count}.txt").write_text(classes)


def write_lists(lists: list[ToyList], path: Path, dense: tuple[str, ...] = ()) -> _native.ListFile:
    """Write lists as a file, and open it; `dense` are the names of the features that it has values of."""
    writer = _native.ListWriter(list(dense))
    for number, each in enumerate(lists):
        each.add_to(writer, number)
    writer.write(str(path))
    return _native.ListFile(str(path))


def write_store(
    folder: Path, files: Sequence[list[ToyList]], dense: tuple[str, ...] = (), **about: Any
) -> Path:
    """Write a complete store of files of lists; `about` is more for its record."""
    folder.mkdir()
    state = ListFiles(complete=True)
    for number, lists in enumerate(files):
        file = write_lists(lists, folder / state.name(number), dense)
        state.counts[number] = FileCounts(sentences=len(lists), candidates=file.candidate_count)
        state.folds[number] = 0
    about |= {"text": {"pairs": 0}, "nbest": 12, **({"dense": list(dense)} if dense else {})}
    LISTS.write(folder, RunRecord({}, state, about))
    return folder
