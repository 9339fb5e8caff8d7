"""Names of the features of hierarchical models: those of grammars and those that decoders add.

They are the dense features of Mr. MIRA's systems (Eidelman et al. 2013). Features shared with phrase-based
models have the names used there, those of grammars only cdec's, so that weights can be exchanged. Costs are
-log10 of a probability, as in cdec's grammars: less is better, and their weights are negative.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DECODER_FEATURES", "DIRECT_SCORES", "GRAMMAR_FEATURES", "MOSES_SCORES", "Feature"]


class Feature(NamedTuple):
    """A feature's name in grammars and weights files, and its meaning."""

    name: str
    meaning: str


GRAMMAR_FEATURES = (
    Feature("EgivenFCoherent", "-log10 p(e|f): how often the source side was translated by this target side"),
    Feature("FgivenE", "-log10 p(f|e): the other way round"),
    Feature(
        "MaxLexEgivenF",
        "-log10 of the product, over target words, of the best p(e|f) of a source word or NULL",
    ),
    Feature(
        "MaxLexFgivenE",
        "-log10 of the product, over source words, of the best p(f|e) of a target word or NULL",
    ),
    Feature("SampleCountF", "log10(1 + occurrences of the source side)"),
    Feature("CountEF", "log10(1 + occurrences of the rule)"),
    Feature("IsSingletonF", "1 if the source side was seen once"),
    Feature("IsSingletonFE", "1 if the rule was seen once"),
)
"""The features of rules in a cdec grammar, in the order of writing."""

DECODER_FEATURES = (
    Feature("LM0", "natural log of the language model's probability"),
    Feature("LM0_OOV", "target words that the language model does not know"),
    Feature("WordPenalty0", "-1 for each target word"),
    Feature("SourceWordPenalty", "source words of rules"),
    Feature("PhrasePenalty0", "rules other than glue, of all kinds"),
    Feature("UnknownWordPenalty0", "-100 for each source word that no rule translates"),
    Feature("Glue", "uses of the glue rule"),
    Feature("PassThrough", "source words copied to the target, as no rule translates them"),
    Feature("Arity_0", "rules without gaps"),
    Feature("Arity_1", "rules with one gap"),
    Feature("Arity_2", "rules with two gaps"),
)
"""Features computed by the decoder; grammars do not contain them, except for glue grammars and pass-through
rules. LM0 and the penalties that end in 0 mean the same in the phrase decoder and in Moses."""

MOSES_SCORES = (
    Feature("SourceGivenTarget", "p(f|e)"),
    Feature("LexicalSourceGivenTarget", "the lexical weight of f given e, along the alignment"),
    Feature("TargetGivenSource", "p(e|f)"),
    Feature("LexicalTargetGivenSource", "the lexical weight of e given f, along the alignment"),
)
"""The scores of a Moses rule table, in order: probabilities there, natural logs in a RuleTable."""

DIRECT_SCORES = {"EgivenFCoherent": True, "EgivenF": True, "TargetGivenSource": False}
"""Features of rules that are p(e|f), in Tunesmith's and cdec's grammars and in Moses' tables, and whether
they are costs: less is better."""
