"""Any decoder that speaks Mr. MIRA's protocol: a persistent process that is sent changes of weights."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np

from tunesmith.candidates.features import Features
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.systems.external.dialogue import Dialogue
from tunesmith.systems.external.mira_dialogue import ask_mira, read_mira_sentences
from tunesmith.systems.external.mira_lines import MiraCandidate, MiraSentence
from tunesmith.texts import Texts
from tunesmith.tuning.translators.external import ExternalTranslator, check_source
from tunesmith.types import IntArray
from tunesmith.weights import Weights

__all__ = ["MiraProtocolTranslator"]


class MiraProtocolTranslator(ExternalTranslator):
    """A decoder that takes sentences and changes of weights, line by line, and answers with lists.

    The command is started on first use, in the current folder, and runs until `close`. It must start with all
    weights 0: the first line sets them. The source has plain sentences, or lines
    `<seg id="N">text</seg>[\\treferences[\\tgrammar]]`, whose references are ignored. The decoder chooses the
    length of its lists; they are cut to `size`. For the format of lines see `mira_lines`.
    """

    def __init__(self, command: str, source: PathLike, *, start: Weights) -> None:
        if not command.strip():
            raise OptionError("the command of the decoder is empty")
        check_source(source)
        self._requests = read_mira_sentences(source)
        super().__init__(start, source, len(self._requests))
        self._command = command
        self._dialogue: Dialogue | None = None
        self._close: weakref.finalize[[], MiraProtocolTranslator] | None = None
        self._weights: dict[str, float] = {}

    @property
    def details(self) -> Mapping[str, object]:
        sentences = hashlib.blake2b(repr(self._requests).encode(), digest_size=16).hexdigest()
        return {"decoder command": self._command, "features": sorted(self._start), "source": sentences}

    def close(self) -> None:
        """End the decoder; the next use starts it again."""
        if self._close is not None:
            self._close()
        self._dialogue = self._close = None
        self._weights = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _open(self) -> Dialogue:
        dialogue = Dialogue(self._command)
        self._close = weakref.finalize(self, dialogue.close)
        self._dialogue, self._weights = dialogue, {}
        return dialogue

    def _run(self, weights: Weights, size: int) -> Pool:
        dialogue = self._dialogue or self._open()
        try:
            first, *others = self._requests
            answers = [self._ask_with(dialogue, first, weights)]
            answers += [ask_mira(dialogue, sentence, {}, weights) for sentence in others]
        except BaseException:  # it is unknown what the decoder has received
            dialogue.kill()
            self.close()
            raise
        return _pool(answers)

    def _ask_with(self, dialogue: Dialogue, sentence: MiraSentence, weights: Weights) -> list[MiraCandidate]:
        """Set the decoder's weights, by sending changes, and return its answer under them.

        Sums are rounded: after one change the decoder's weights may differ in the last digit, and would
        depend on earlier requests. Then the remaining change is sent; it is exact once the two are close
        (Sterbenz 1974), so that two changes are enough unless magnitudes are far apart.
        """
        while True:
            names = dict.fromkeys([*self._weights, *weights])
            changes = {name: weights.get(name, 0.0) - self._weights.get(name, 0.0) for name in names}
            answer = ask_mira(dialogue, sentence, changes, weights)
            self._weights = {name: self._weights.get(name, 0.0) + changes[name] for name in names}
            if all(value == weights.get(name, 0.0) for name, value in self._weights.items()):
                return answer


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
