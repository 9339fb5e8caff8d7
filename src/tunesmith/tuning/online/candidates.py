"""What an online learner needs of a decoder: the candidates of one sentence under the current weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, Stats
from tunesmith.weights import WeightStore

if TYPE_CHECKING:
    from tunesmith.tuning.online.sentence_forest import SentenceForest

__all__ = ["Candidates", "OnlineDecoder", "difference_of"]


class Candidates(Protocol):
    """The translations of one sentence, at least one, under the weights when it was translated."""

    @property
    def scores(self) -> FloatArray:
        """The model scores."""
        ...

    @property
    def stats(self) -> Stats:
        """The statistics of the metric, one row each."""
        ...

    def features(self, index: int) -> _native.FeatureVector:
        """Return the features of a candidate, dense and sparse; computed for the few that are asked for."""
        ...

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        """Return the features of one candidate minus those of another, without zeros."""
        ...


class OnlineDecoder(ABC):
    """Sentences with references, numbered from 0, and a decoder that reads its weights from a store."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of sentences."""

    @property
    @abstractmethod
    def dense(self) -> Sequence[str]:
        """The names of the features that no selection drops."""

    @property
    @abstractmethod
    def references(self) -> Sequence[Texts]:
        """The references: texts of all sentences, once per reference."""

    @abstractmethod
    def use(self, store: WeightStore, sentences: Sequence[int]) -> None:
        """Read weights from a store from now on, to translate (some of) these sentences."""

    @abstractmethod
    def changed(self, features: _native.FeatureVector) -> None:
        """Take note that the weights of some features were changed in the store."""

    @abstractmethod
    def candidates(self, sentence: int) -> Candidates | None:
        """Translate a sentence into a list of candidates; None if it has no translation."""

    def forest(self, sentence: int) -> SentenceForest | None:
        """Translate a sentence, and return all derivations; None if it has none.

        Only our own decoders have forests; of others it is an OptionError.
        """
        raise OptionError("{} forest needs our own decoder: lists have no forests; choose nbest", "hope_fear")

    @abstractmethod
    def best(self, sentences: Sequence[int]) -> tuple[Stats, int]:
        """Return the summed statistics of the best translations, and how many sentences have none.

        Those without a translation count as empty texts.
        """

    @abstractmethod
    def source_words(self, sentence: int) -> int:
        """Return the number of words of a sentence."""

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """End what the decoder has started."""


def difference_of(candidates: Candidates, plus: int, minus: int) -> _native.FeatureVector:
    """Return the difference of two feature vectors: entries of `plus` first, then those of `minus` alone."""
    difference = candidates.features(plus).copy()
    difference.add(candidates.features(minus), -1.0)
    difference.drop_zeros()
    return difference
