"""The phrasal inversion transduction grammar: phrase pairs and a language model.

Its two ways to join spans, straight and inverted, are counted by the decoder; a lexicalized reordering model
has no place in it (Cherry and Lin 2007, and the systems of consensus training).
"""

from __future__ import annotations

from tunesmith.model.kinds.base import KINDS, Kind
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts import (
    build_phrase_model,
    list_phrase_features,
    train_word_classes,
)
from tunesmith.model.steps import Step

__all__ = ["itg"]


def itg(options: TrainingOptions) -> list[Step]:
    """Return the steps, each of which reads what those before it wrote."""
    return [
        *build_phrase_model(options, ()),
        *train_word_classes(options),
        list_phrase_features(options, (), {"Straight0": 0.3, "Inverted0": -0.3}),
    ]


KINDS.register("itg")(
    Kind(itg, frozenset({"documents", "folds", "max_phrase_length", "min_count", "smoothing"}))
)
