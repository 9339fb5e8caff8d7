"""Where hope and fear of a sentence come from: a list of candidates, or a forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.systems.setup import Setup
from tunesmith.tuning.online.candidates import Candidates, JudgedSystem
from tunesmith.tuning.online.documents import Document
from tunesmith.tuning.online.sentence_forest import SentenceForest, require_forest_metric
from tunesmith.tuning.online.updates.base import OnlineUpdate

__all__ = ["Translated", "check_forests", "translate"]


class Translated(Protocol):
    """A sentence translated under the weights of that moment."""

    def candidates(self, document: Document, words: int) -> Candidates:
        """Return candidates with the hope and the fear of a document; `words` are those of the sentence."""
        ...


@dataclass(frozen=True)
class _List:
    """All candidates of a list, whatever the document."""

    found: Candidates

    def candidates(self, document: Document, words: int) -> Candidates:
        return self.found


@dataclass(frozen=True)
class _Forest:
    """The best, the hope and the fear of a forest, searched for in each document."""

    found: SentenceForest
    beam: int

    def candidates(self, document: Document, words: int) -> Candidates:
        return self.found.candidates(document, words, self.beam)


def translate(
    judged: JudgedSystem, sentence: int, source: Literal["nbest", "forest"], beam: int
) -> Translated | None:
    """Translate a sentence into a list or a forest; None if it has no translation."""
    if source == "nbest":
        found = judged.candidates(sentence)
        return None if found is None else _List(found)
    forest = judged.forest(sentence)
    return None if forest is None else _Forest(forest, beam)


def check_forests(setup: Setup, metric: Metric, update: OnlineUpdate) -> None:
    """Raise OptionError unless hope and fear can come from forests."""
    if not setup.has_forests:
        raise OptionError(
            "{} forest needs a model of ours: candidate lists and external decoders have no forests;"
            " choose nbest",
            "hope_fear",
        )
    require_forest_metric(metric)
    if update.needs_lists:
        raise OptionError(
            "the update {update} needs lists of candidates, which {} forest does not give; choose nbest, or"
            " another {}, such as passive-aggressive",
            "hope_fear",
            "update",
            update=update.name,
        )
