"""The build steps of the kinds of models."""

from tunesmith.model.parts.alignment import align_words
from tunesmith.model.parts.classes import train_word_classes
from tunesmith.model.parts.corpus import prepare_corpus
from tunesmith.model.parts.features import list_chart_features, list_itg_features, list_phrase_features
from tunesmith.model.parts.given_lm import take_given_lms
from tunesmith.model.parts.grammars import write_glue, write_itg
from tunesmith.model.parts.language_model import estimate_bilingual_lm, estimate_class_lms, estimate_lm
from tunesmith.model.parts.phrase_model import build_phrase_model
from tunesmith.model.parts.phrases import estimate_lexicon
from tunesmith.model.parts.recaser import train_target_recaser
from tunesmith.model.parts.rules import build_suffix_index, extract_rule_table
from tunesmith.model.parts.seen import record_seen
from tunesmith.model.parts.word_lists import list_words
from tunesmith.model.parts.word_order import measure_word_order

__all__ = [
    "align_words",
    "build_phrase_model",
    "build_suffix_index",
    "estimate_bilingual_lm",
    "estimate_class_lms",
    "estimate_lexicon",
    "estimate_lm",
    "extract_rule_table",
    "list_chart_features",
    "list_itg_features",
    "list_phrase_features",
    "list_words",
    "measure_word_order",
    "prepare_corpus",
    "record_seen",
    "take_given_lms",
    "train_target_recaser",
    "train_word_classes",
    "write_glue",
    "write_itg",
]
