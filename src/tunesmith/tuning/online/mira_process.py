"""A decoder process that speaks Mr. MIRA's protocol: it is sent changes of weights with each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith import _native
from tunesmith.metrics.base import Metric, Segments
from tunesmith.systems.external.dialogue import Dialogue
from tunesmith.systems.external.mira_dialogue import ask_mira
from tunesmith.systems.external.mira_lines import MiraCandidate, MiraSentence
from tunesmith.texts import Texts
from tunesmith.tuning.online.candidates import OnlineDecoder, difference_of
from tunesmith.types import FloatArray, Stats
from tunesmith.weights import WeightStore

__all__ = ["MiraProcess"]


@dataclass(frozen=True)
class _Answer:
    """The distinct candidates of an answer."""

    lines: Sequence[MiraCandidate]
    metric: Metric
    references: tuple[Texts, ...]

    @cached_property
    def scores(self) -> FloatArray:
        return np.array([line.score for line in self.lines])

    @cached_property
    def stats(self) -> Stats:
        texts = Texts.of(line.text for line in self.lines)
        return self.metric.measure(Segments(texts, np.array([0, len(texts)]), self.references))

    def features(self, index: int) -> _native.FeatureVector:
        features = self.lines[index].features
        return _native.FeatureVector.of(list(features), np.array(list(features.values()), dtype=np.float64))

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return difference_of(self, plus, minus)


class MiraProcess(OnlineDecoder):
    """The command is started on first use, with all weights 0, and runs until `close`.

    A pass begins with all weights that differ from those of the process. After that, a sentence is sent with
    the weights that the one before it changed, and no others. Both sides add up the same changes: where a sum
    is rounded to another weight than the learner's, the learner takes the sum. So a pass does not depend on
    what the process translated before.
    """

    def __init__(
        self,
        command: str,
        sentences: Sequence[MiraSentence],
        references: Sequence[Texts],
        dense: Sequence[str],
        metric: Metric,
        nbest: int,
    ) -> None:
        self._command = command
        self._sentences = sentences
        self._references = references
        self._dense = tuple(dense)
        self._metric = metric
        self._nbest = nbest
        self._dialogue: Dialogue | None = None
        self._sent: dict[str, float] = {}
        self._store = WeightStore()
        self._stale: dict[str, None] = {}
        self._is_exact = False
        self._words: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._sentences)

    @property
    def dense(self) -> Sequence[str]:
        return self._dense

    @property
    def references(self) -> Sequence[Texts]:
        return self._references

    def use(self, store: WeightStore, sentences: Sequence[int]) -> None:
        self._store, self._is_exact = store, False
        self._stale = dict.fromkeys((*self._sent, *store))

    def changed(self, features: _native.FeatureVector) -> None:
        self._stale |= dict.fromkeys(features.names())

    def candidates(self, sentence: int) -> _Answer | None:
        lines: dict[str, MiraCandidate] = {}
        for line in self._ask(sentence):
            lines.setdefault(line.text, line)
        kept = list(lines.values())[: self._nbest]
        references = tuple(reference.take([sentence]) for reference in self._references)
        return _Answer(kept, self._metric, references) if kept else None

    def best(self, sentences: Sequence[int]) -> tuple[Stats, int]:
        answers = [self._ask(sentence) for sentence in sentences]
        texts = Texts.of(answer[0].text if answer else "" for answer in answers)
        references = [reference.take(sentences) for reference in self._references]
        stats = self._metric.measure(Segments(texts, np.arange(len(texts) + 1), references))
        return stats.sum(axis=0), sum(not answer for answer in answers)

    def source_words(self, sentence: int) -> int:
        """Return what the decoder answered, which knows lattices; before an answer, the words of the text."""
        return self._words.get(sentence, len(self._sentences[sentence].text.split()))

    def close(self) -> None:
        """End the process; the next use starts it again."""
        if self._dialogue is not None:
            self._dialogue.close()
        self._dialogue, self._sent = None, {}

    def _ask(self, sentence: int) -> list[MiraCandidate]:
        """Return the answer to a sentence under the weights of the store."""
        self._dialogue = self._dialogue or Dialogue(self._command)
        try:
            while True:
                changes = self._changes()
                answer = ask_mira(self._dialogue, self._sentences[sentence], changes, self._store)
                rest = self._note(changes)
                if answer:
                    self._words[sentence] = answer[0].source_words
                if self._is_exact or not rest:
                    self._is_exact = True
                    return answer
                self._stale = rest  # once more, with what rounding left
        except BaseException:  # it is unknown what the decoder has received
            self._dialogue.kill()
            self._dialogue, self._sent = None, {}
            self._stale, self._is_exact = dict.fromkeys(self._store), False  # for a sentence after it
            raise

    def _changes(self) -> dict[str, float]:
        changes = {name: self._store.get(name, 0.0) - self._sent.get(name, 0.0) for name in self._stale}
        self._stale = {}
        return {name: change for name, change in changes.items() if change}

    def _note(self, changes: dict[str, float]) -> dict[str, None]:
        """Add changes to what the process has; return the features whose sums are rounded.

        Within a pass, the store takes these sums.
        """
        rest: dict[str, None] = {}
        for name, change in changes.items():
            self._sent[name] = self._sent.get(name, 0.0) + change
            if self._sent[name] != self._store.get(name, 0.0):
                rest[name] = None
                if self._is_exact:
                    self._store.set([name], [self._sent[name]])
        return rest
