"""The phrasal inversion transduction grammar: phrase pairs, rules that join them, and a language model.

Straight and inverted rules are counted as features, instead of a lexicalized reordering model (Cherry and
Lin 2007, and the systems of consensus training).
"""

from __future__ import annotations

from tunesmith.model.kinds.base import KINDS, Kind
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts import (
    build_phrase_model,
    list_itg_features,
    train_target_recaser,
    train_word_classes,
    write_itg,
)
from tunesmith.model.steps import BuildStep

__all__ = ["itg"]


def itg(options: TrainingOptions) -> list[BuildStep]:
    """Return the build steps, in order."""
    return [
        *build_phrase_model(options, ()),
        write_itg(options),
        *train_target_recaser(options),
        *train_word_classes(options),
        list_itg_features(options),
    ]


KINDS.register("itg")(
    Kind(itg, frozenset({"documents", "folds", "max_phrase_length", "min_count", "smoothing", "itg_form"}))
)
