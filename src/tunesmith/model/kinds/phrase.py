"""The phrase-based model: phrase pairs, lexicalized reordering, a language model."""

from __future__ import annotations

from tunesmith.model.kinds.base import KINDS, Kind
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts import (
    build_phrase_model,
    estimate_bilingual_lm,
    estimate_class_lms,
    list_phrase_features,
    measure_word_order,
    train_target_recaser,
    train_word_classes,
)
from tunesmith.model.steps import BuildStep

__all__ = ["phrase"]


def phrase(options: TrainingOptions) -> list[BuildStep]:
    """Return the build steps, in order."""
    return [
        *build_phrase_model(options, options.reordering),
        measure_word_order(options),
        *estimate_bilingual_lm(options),
        *train_target_recaser(options),
        *train_word_classes(options),
        *estimate_class_lms(options),
        list_phrase_features(options, options.reordering, {"Distortion0": 0.3}),
    ]


KINDS.register("phrase")(
    Kind(
        phrase,
        frozenset(
            {
                "documents",
                "folds",
                "max_phrase_length",
                "min_count",
                "smoothing",
                "reordering",
                "orientation_events",
                "distortion_limit",
                "bilingual_lm_order",
                "class_lm_order",
            }
        ),
    )
)
