"""Setups: how a worker opens the sentences and the decoder of a tuning set, by paths and options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import ClassVar

from tunesmith.candidates.pool import Pool
from tunesmith.distribute.kept import kept
from tunesmith.files import PathLike
from tunesmith.metrics.base import Metric
from tunesmith.tuning.online.candidates import OnlineDecoder
from tunesmith.tuning.online.fixed_lists import FixedLists, dense_names
from tunesmith.types import IntArray
from tunesmith.weights import WeightStore

__all__ = ["ListSetup", "Setup", "opened"]

NO_FOLD = -1
"""The fold of sentences that the model was not trained on."""


class Setup(ABC):
    """A frozen dataclass of paths and options: small when pickled, equal for equal decoders.

    Files are `Path`s, so that executors can send them to workers that share no folder.
    """

    balances_start: ClassVar[bool] = False
    """Whether start weights are scaled by default, so that scores vary as much as gains."""

    knows_features: ClassVar[bool] = True
    """Whether no features can occur but `known_names`, those of the start weights and those of templates."""

    has_forests: ClassVar[bool] = False
    """Whether its decoder returns forests, not only lists of candidates."""

    @abstractmethod
    def open(self, metric: Metric, nbest: int, fold: int) -> OnlineDecoder:
        """Open the decoder for the sentences of a fold; `NO_FOLD`: of none."""

    @property
    @abstractmethod
    def details(self) -> Mapping[str, object]:
        """What results depend on, by name, ready for JSON."""

    @property
    def defaults(self) -> Mapping[str, object]:
        """The defaults of the options among the details; records of earlier runs lack newer options."""
        return {}

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of sentences."""

    @property
    @abstractmethod
    def start(self) -> Mapping[str, float]:
        """The weights to start from if none are given."""

    @property
    def dense_names(self) -> Sequence[str]:
        """The names of its decoder's dense features, as far as they are known before it is open."""
        return ()

    @property
    def known_names(self) -> Sequence[str]:
        """The names of all its features that are known before its decoder is open; none of templates."""
        return self.dense_names

    def fitted(self, start: WeightStore) -> WeightStore:
        """Return start weights as the features are named, and warn of those that no feature can have."""
        return start

    def folds(self) -> IntArray | None:
        """Return the jackknife fold of each sentence; None without jackknife."""
        return None

    def place(self, sentence: int) -> str:
        """Return what errors call a sentence, from 0: its file and line, if it has a line of its own."""
        return f"sentence {sentence + 1}"

    def check_shipping(self) -> None:  # noqa: B027 - most name all of their files
        """Raise an InputError if workers need files that the setup does not name."""

    def messages(self, name: str) -> list[str]:
        """Return warnings about the sentences; `name` is what the set is for."""
        return []

    @property
    def templates(self) -> Sequence[str]:
        """The names that begin those of the templates' features, for counts by template."""
        return ()

    @property
    def about(self) -> Mapping[str, object]:
        """What a file of weights records so that a decoder can use them: templates and search options."""
        return {}


@dataclass(frozen=True)
class ListSetup(Setup):
    """Candidate lists of files, with references; see `Pool.read`."""

    lists: tuple[PathLike, ...]
    references: tuple[PathLike, ...]
    format: str | None = None

    def open(self, metric: Metric, nbest: int, fold: int) -> OnlineDecoder:
        return FixedLists(self._pool.head(nbest), metric)

    @property
    def details(self) -> Mapping[str, object]:
        return {"lists": [*map(str, self.lists)], "references": [*map(str, self.references)]}

    def __len__(self) -> int:
        return len(self._pool)

    @property
    def start(self) -> Mapping[str, float]:
        return dict.fromkeys(self._pool.feature_names, 0.0)

    @property
    def dense_names(self) -> Sequence[str]:
        """Those of whole lists; of their first candidates, others may be dense, too."""
        return dense_names(self._pool)

    @property
    def known_names(self) -> Sequence[str]:
        return self._pool.feature_names

    @property
    def _pool(self) -> Pool:
        return Pool.read(list(self.lists), references=list(self.references), format=self.format)


def opened(setup: Setup, metric: Metric, nbest: int, fold: int) -> OnlineDecoder:
    """Return the open decoder of this process, opening it if it is another one."""

    def open_(stack: ExitStack) -> OnlineDecoder:
        decoder = setup.open(metric, nbest, fold)
        stack.callback(decoder.close)
        return decoder

    return kept((setup, metric, nbest, fold), open_)
