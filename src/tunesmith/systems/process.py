"""Any decoder that speaks Mr. MIRA's protocol: a persistent process that is sent changes of weights."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

import numpy as np

from tunesmith import _native
from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.metrics.base import Metric
from tunesmith.systems.candidates import Ranked
from tunesmith.systems.external.dialogue import Dialogue
from tunesmith.systems.external.mira_dialogue import ask_mira, read_mira_sentences
from tunesmith.systems.external.mira_lines import MiraCandidate
from tunesmith.systems.external_system import ExternalSystem, check_source
from tunesmith.texts import Texts
from tunesmith.types import IntArray
from tunesmith.weights import Weights, WeightStore

__all__ = ["ProcessSystem"]


class ProcessSystem(ExternalSystem):
    """A decoder that takes sentences and changes of weights, line by line, and answers with lists.

    The command is started on first use, in the current folder, and runs until `close`. It must start with all
    weights 0: the first line sets them. The source has plain sentences, or lines
    `<seg id="N">text</seg>[\\treferences[\\tgrammar]]`, whose references are ignored. The decoder chooses the
    length of its lists; they are cut to `size`. For the format of lines see `mira_lines`.

    After `use`, the first sentence is sent with all weights that differ from those of the process; any other
    with those that `changed` since, and no more. Both sides add up the same changes: where a sum is rounded
    to a weight other than a store's, the store takes the sum. So translations do not depend on what the
    process was asked before.
    """

    def __init__(self, command: str, source: PathLike, *, start: Weights) -> None:
        if not command.strip():
            raise OptionError("the command of the decoder is empty")
        check_source(source)
        self._requests = read_mira_sentences(source)
        super().__init__(start, source, len(self._requests))
        self._command = command
        self._dialogue: Dialogue | None = None
        self._close: weakref.finalize[[], ProcessSystem] | None = None
        self._sent: dict[str, float] = {}
        self._stale: dict[str, None] = {}
        self._is_exact = False
        self._words: dict[int, int] = {}

    @property
    def details(self) -> Mapping[str, object]:
        sentences = hashlib.blake2b(repr(self._requests).encode(), digest_size=16).hexdigest()
        return {"decoder command": self._command, "features": sorted(self._start), "source": sentences}

    def use(self, weights: Mapping[str, float], sentences: Iterable[int] | None = None) -> Self:
        self._stale, self._is_exact = dict.fromkeys((*self._sent, *weights)), False
        return super().use(weights, sentences)

    def changed(self, features: _native.FeatureVector) -> None:
        self._stale |= dict.fromkeys(features.names())

    def translations(self) -> Iterator[str | None]:
        if self._cached() is not None:
            yield from super().translations()
        else:
            for sentence in self.sentences:
                answer = self._ask(sentence)
                yield answer[0].text if answer else None

    def candidates(
        self, sentence: int, size: int, metric: Metric, references: Sequence[Texts]
    ) -> Ranked | None:
        lines: dict[str, MiraCandidate] = {}
        for line in self._ask(sentence):
            lines.setdefault(line.text, line)
        kept = list(lines.values())[:size]

        def vector(index: int) -> _native.FeatureVector:
            features = kept[index].features
            return _native.FeatureVector.of(list(features), np.array([*features.values()], dtype=np.float64))

        texts, scores = Texts.of(line.text for line in kept), np.array([line.score for line in kept])
        return Ranked(texts, scores, vector, metric, references) if kept else None

    def source_words(self, sentence: int) -> int:
        """Return what the decoder answered, which knows lattices; before an answer, the words of the text."""
        return self._words.get(sentence, len(self._requests[sentence].text.split()))

    def close(self) -> None:
        """End the process; the next use starts it again."""
        if self._close is not None:
            self._close()
        self._dialogue = self._close = None
        self._sent, self._stale, self._is_exact = {}, dict.fromkeys(self.weights), False

    def _run(self, size: int) -> Pool:
        return _pool([self._ask(sentence) for sentence in self.sentences])

    def _ask(self, sentence: int) -> list[MiraCandidate]:
        """Return the answer to a sentence under the weights in use.

        Sums are rounded: after one change the decoder's weights may differ in the last digit, and would
        depend on earlier requests. Then the remaining change is sent; it is exact once the two are close
        (Sterbenz 1974), so that two changes are enough unless magnitudes are far apart.
        """
        dialogue = self._dialogue or self._open()
        try:
            while True:
                changes = self._changes()
                answer = ask_mira(dialogue, self._requests[sentence], changes, self.weights)
                rest = self._note(changes)
                if answer:
                    self._words[sentence] = answer[0].source_words
                if self._is_exact or not rest:
                    self._is_exact = True
                    return answer
                self._stale = rest  # once more, with what rounding left
        except BaseException:  # it is unknown what the decoder has received
            dialogue.kill()
            self.close()
            raise

    def _open(self) -> Dialogue:
        dialogue = self._dialogue = Dialogue(self._command)
        self._close = weakref.finalize(self, dialogue.close)
        return dialogue

    def _changes(self) -> dict[str, float]:
        changes = {name: self.weights.get(name, 0.0) - self._sent.get(name, 0.0) for name in self._stale}
        self._stale = {}
        return {name: change for name, change in changes.items() if change}

    def _note(self, changes: dict[str, float]) -> dict[str, None]:
        """Add changes to what the process has; return the features whose sums are rounded.

        If all other weights are exact, a store takes these sums.
        """
        rest: dict[str, None] = {}
        for name, change in changes.items():
            self._sent[name] = self._sent.get(name, 0.0) + change
            if self._sent[name] != self.weights.get(name, 0.0):
                rest[name] = None
                if self._is_exact and isinstance(self.weights, WeightStore):
                    self.weights.set([name], [self._sent[name]])
        return rest


def _pool(answers: Sequence[Sequence[MiraCandidate]]) -> Pool:
    """Return the lists, with sentence numbers as ids; empty lists are skipped."""
    candidates = [candidate for answer in answers for candidate in answer]
    if not candidates:
        raise InputError("the decoder has no translation of any sentence")
    numbers: dict[str, int] = {}
    columns: list[int] = []
    values: list[float] = []
    for candidate in candidates:
        row = sorted(
            (numbers.setdefault(name, len(numbers)), value) for name, value in candidate.features.items()
        )
        columns += [column for column, _ in row]
        values += [value for _, value in row]
    return Pool(
        tuple(str(number) for number, answer in enumerate(answers) if answer),
        _offsets([len(answer) for answer in answers if answer]),
        Features(
            tuple(numbers),
            _offsets([len(candidate.features) for candidate in candidates]),
            np.array(columns, dtype=np.int32),
            np.array(values, dtype=np.float64),
        ),
        Texts.of(candidate.text for candidate in candidates),
        totals=np.array([candidate.score for candidate in candidates]),
    )


def _offsets(sizes: Sequence[int]) -> IntArray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
