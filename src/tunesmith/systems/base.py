"""The interface of a system: sentences, and what translates them."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Self

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.decode.scored_forest import ScoredForest
from tunesmith.errors import OptionError
from tunesmith.forest.forest import Forest
from tunesmith.metrics.base import Metric, Segments
from tunesmith.systems.candidates import Candidates
from tunesmith.texts import Texts
from tunesmith.types import Stats
from tunesmith.weights import Weights

__all__ = ["System", "fingerprint_of"]


def fingerprint_of(details: Mapping[str, object]) -> str:
    """Return a digest of the details of a system."""
    return hashlib.blake2b(json.dumps(details, sort_keys=True).encode(), digest_size=16).hexdigest()


class System(ABC):
    """Sentences, and a decoder that translates them under the weights given to `use`.

    The same weights give the same translations, independent of earlier calls: so a run can be resumed.
    A tuning loop needs the abstract methods, and `forests` for its methods over forests. An online learner
    asks for the `candidates` of one sentence (or its `forest`), `source_words`, and `measured` translations.
    """

    knows_features: ClassVar[bool] = True
    """Whether no features can occur but those `known`, those with start weights and those of templates."""
    balances_start: ClassVar[bool] = False
    """Whether online learning scales start weights by default, so that scores vary as much as gains."""

    weights: Mapping[str, float] = Weights({})
    """Those of the newest call of `use`."""
    sentences: Sequence[int] = ()
    """The numbers of the sentences in use, from 0."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of all sentences."""

    @property
    @abstractmethod
    def start(self) -> Weights:
        """The weights to start from: one per dense feature."""

    @property
    @abstractmethod
    def details(self) -> Mapping[str, object]:
        """All that translations depend on besides the weights, by name and ready for JSON."""

    @property
    def fingerprint(self) -> str:
        """A digest of the details."""
        return fingerprint_of(self.details)

    @property
    def defaults(self) -> Mapping[str, object]:
        """The defaults of the options among the details; records of earlier runs lack newer options."""
        return {}

    def fitted(self, weights: Mapping[str, float]) -> Mapping[str, float]:
        """Return given start weights as the decoder names its features."""
        return weights

    @property
    def about(self) -> Mapping[str, object]:
        """What a file of tuned weights records of how to decode with them (`tunesmith.decode.recorded`)."""
        return {}

    def overlap(self, references: Sequence[Texts], name: str) -> list[str]:
        """Return messages about sentences that the decoder was trained on, if it knows them."""
        return []

    def use(self, weights: Mapping[str, float], sentences: Iterable[int] | None = None) -> Self:
        """Translate these sentences [default: all] under these weights from now on, and return itself.

        Weights of a store may be changed later: `changed` says so.
        """
        self.weights = weights
        self.sentences = range(len(self)) if sentences is None else [*sentences]
        return self

    def changed(self, features: _native.FeatureVector) -> None:  # noqa: B027 - most read the store
        """Take note that the weights of some features were changed in the store."""

    @abstractmethod
    def nbest(self, size: int) -> Pool:
        """Return the `size` best distinct translations of each sentence, best first, with their features.

        Lists are named by their place in `sentences`, from 0; a sentence without a translation has none.
        """

    def nbest_parts(self, size: int) -> Iterator[Pool]:
        """Yield the lists of `nbest` in parts, in order, so that not all are in memory at once."""
        yield self.nbest(size)

    @abstractmethod
    def translations(self) -> Iterable[str | None]:
        """Return the best translation of each sentence; None if there is none."""

    def best(self) -> Texts:
        """Return the best translation of each sentence; an empty text if there is none."""
        return Texts.of(text or "" for text in self.translations())

    def measured(self, metric: Metric, references: Sequence[Texts]) -> tuple[Stats, int]:
        """Return the summed statistics of the best translations, and how many sentences have none.

        `references` are those of `sentences`; without a translation, the empty text is measured.
        """
        found = list(self.translations())
        texts = Texts.of(text or "" for text in found)
        chosen = [reference.take(self.sentences) for reference in references]
        stats = metric.measure(Segments(texts, np.arange(len(texts) + 1), chosen))
        return stats.sum(axis=0), found.count(None)

    @property
    def gives_forests(self) -> bool:
        """Whether `forests` is more than an error."""
        return type(self).forests is not System.forests

    def forests(self, context: int) -> Iterator[Forest]:
        """Yield the forest of each sentence, in order; an OptionError if the decoder makes none.

        `context`: the number of boundary words that distinguish nodes, see `SearchOptions.context`.
        """
        raise OptionError("this decoder gives no forests; choose a method of candidate lists, such as mira")

    @property
    def dense(self) -> Sequence[str]:
        """The names of the features that no selection drops."""
        return tuple(self.start)

    @property
    def known(self) -> Sequence[str]:
        """The names of all features that are known before anything is translated; none of templates."""
        return self.dense

    @property
    def templates(self) -> Sequence[str]:
        """The names that begin those of the templates' features, for counts by template."""
        return ()

    def candidates(
        self, sentence: int, size: int, metric: Metric, references: Sequence[Texts]
    ) -> Candidates | None:
        """Return the `size` best distinct translations of one of `sentences`; None if it has none.

        `references` are those of the sentence, for the statistics of the metric.
        """
        raise OptionError("this decoder translates no single sentences, as online learning needs")

    def forest(self, sentence: int) -> ScoredForest | None:
        """Return all derivations of a sentence that the search kept; None if it has none."""
        raise OptionError("{} forest needs our own decoder: lists have no forests; choose nbest", "hope_fear")

    def source_words(self, sentence: int) -> int:
        """Return the number of words of a sentence."""
        return 1

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """End what the decoder has started; the next use starts it again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
