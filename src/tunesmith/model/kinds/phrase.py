"""The phrase-based model: phrase pairs, lexicalized reordering, a language model."""

from __future__ import annotations

from tunesmith.model.kinds.base import KINDS, Kind
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts import (
    align_words,
    count_phrase_pairs,
    estimate_bilingual_lm,
    estimate_lexicon,
    estimate_lm,
    list_phrase_features,
    prepare_corpus,
    score_phrase_pairs,
    train_word_classes,
)
from tunesmith.model.steps import Step

__all__ = ["phrase"]


def phrase(options: TrainingOptions) -> list[Step]:
    """Return the steps, each of which reads what those before it wrote."""
    return [
        prepare_corpus(options),
        *align_words(options),
        estimate_lexicon(options),
        count_phrase_pairs(options),
        score_phrase_pairs(options, options.reordering),
        estimate_lm(options),
        *estimate_bilingual_lm(options),
        *train_word_classes(options),
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
                "bilingual_lm_order",
            }
        ),
    )
)
