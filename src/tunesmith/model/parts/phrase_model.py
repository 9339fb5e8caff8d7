"""The first steps of all models of phrase pairs."""

from __future__ import annotations

from collections.abc import Sequence

from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.alignment import align_words
from tunesmith.model.parts.corpus import prepare_corpus
from tunesmith.model.parts.given_lm import take_given_lms
from tunesmith.model.parts.language_model import estimate_lm
from tunesmith.model.parts.phrases import count_phrase_pairs, estimate_lexicon, score_phrase_pairs
from tunesmith.model.parts.seen import record_seen
from tunesmith.model.parts.word_lists import list_words
from tunesmith.model.steps import BuildStep

__all__ = ["build_phrase_model"]


def build_phrase_model(options: TrainingOptions, reordering: Sequence[str]) -> list[BuildStep]:
    """Return the steps from text to phrase table and language model, in order.

    The largest file comes last, so that no other step needs space on the disk beside it.
    """
    return [
        prepare_corpus(options),
        record_seen(options),
        *estimate_lm(options),
        *take_given_lms(options),
        *align_words(options),
        *list_words(),
        estimate_lexicon(options),
        count_phrase_pairs(options),
        score_phrase_pairs(options, reordering),
    ]
