"""The step that writes weights to start tuning from."""

from __future__ import annotations

from collections.abc import Sequence

from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.model.parts.names import WEIGHTS
from tunesmith.model.steps import Step, Workshop
from tunesmith.weights import Weights

__all__ = ["start_weights"]

_SHARED = {"UnknownWordPenalty0": 1.0, "WordPenalty0": -1.0, "PhrasePenalty0": 0.2, "LM0": 0.5}
_SCORES = {f"TranslationModel0_{number}": 0.2 for number in range(4)}


def start_weights(kind: str, reordering: Sequence[str]) -> Step:
    """Return the step; names and values are those of a Moses system before tuning."""
    weights = {**_SHARED, **_SCORES}
    if kind == "phrase":
        weights["Distortion0"] = 0.3
        for number, name in enumerate(reordering):
            columns = ReorderingSpec.parse(name).columns
            weights |= {f"LexicalReordering{number}_{column}": 0.3 for column in range(len(columns))}
    if kind == "hiero":
        weights["TranslationModel1"] = 1.0  # the glue rule
    if kind == "itg":
        weights |= {"Straight0": 0.3, "Inverted0": -0.3}

    def run(shop: Workshop) -> None:
        Weights(weights).write(shop[WEIGHTS])

    return Step("start weights", (WEIGHTS,), run, options={"weights": weights})
