"""Where hope and fear of a sentence come from: a list of candidates, or a forest."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

from tunesmith.errors import OptionError
from tunesmith.metrics.base import Metric
from tunesmith.systems.candidates import Candidates
from tunesmith.systems.setup import Setup
from tunesmith.tuning.online.documents import Document
from tunesmith.tuning.online.judged_system import JudgedSystem
from tunesmith.tuning.online.sentence_forest import require_forest_metric
from tunesmith.tuning.online.updates.base import OnlineUpdate

__all__ = ["Translated", "check_forests", "translate"]


Translated: TypeAlias = Callable[[Document, int], Candidates]
"""A sentence translated under the weights of that moment: returns candidates with the hope and the fear of a
document, given the words of the sentence."""


def translate(
    judged: JudgedSystem, sentence: int, source: Literal["nbest", "forest"], beam: int
) -> Translated | None:
    """Translate a sentence into a list or a forest; None if it has no translation.

    A list is the same in each document; in a forest the best, the hope and the fear are searched for.
    """
    if source == "nbest":
        found = judged.candidates(sentence)
        return None if found is None else lambda document, words: found
    forest = judged.forest(sentence)
    return None if forest is None else partial(forest.candidates, beam=beam)


def check_forests(setup: Setup, metric: Metric, update: OnlineUpdate) -> None:
    """Raise OptionError unless hope and fear can come from forests."""
    if not setup.system.gives_forests:
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
