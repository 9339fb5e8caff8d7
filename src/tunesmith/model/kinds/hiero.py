"""The hierarchical model: rules on demand from a suffix array, or a table; glue; a language model."""

from __future__ import annotations

from tunesmith.errors import OptionError
from tunesmith.model.kinds.base import KINDS, Kind
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts import (
    align_words,
    build_suffix_index,
    estimate_lexicon,
    estimate_lm,
    extract_rule_table,
    list_chart_features,
    list_words,
    measure_word_order,
    prepare_corpus,
    record_seen,
    take_given_lms,
    train_target_recaser,
    train_word_classes,
    write_glue,
)
from tunesmith.model.steps import BuildStep

__all__ = ["hiero"]


def hiero(options: TrainingOptions) -> list[BuildStep]:
    """Return the build steps, in order; several aligners are an OptionError."""
    if options.joined_aligners:
        raise OptionError(
            "hiero: rules come from one alignment: name one aligner ({}: {found}), or train a phrase model",
            "aligner",
            found=" or ".join(options.aligner),
        )
    on_demand = options.grammar == "on-demand"
    if not on_demand and options.rule_breadth is not None:
        raise OptionError("hiero: {} is for rules on demand; a table has all rules", "rule_breadth")
    return [
        prepare_corpus(options),
        record_seen(options),
        *align_words(options),
        measure_word_order(options),
        *list_words(),
        estimate_lexicon(options),
        build_suffix_index(options) if on_demand else extract_rule_table(options),
        write_glue(),
        *estimate_lm(options),
        *take_given_lms(options),
        *train_target_recaser(options),
        *train_word_classes(options),
        list_chart_features(options),
    ]


KINDS.register("hiero")(
    Kind(
        hiero,
        frozenset(
            {"documents", "folds", "grammar", "span_limit", "max_rule_span", "loose_phrases", "rule_breadth"}
        ),
    )
)
