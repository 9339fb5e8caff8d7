"""Kinds of features of Moses that models here have, and the arguments of their lines in moses.ini."""

from __future__ import annotations

__all__ = [
    "ARGUMENTS",
    "FIXED",
    "LANGUAGE_MODELS",
    "PENALTIES",
    "PHRASES",
    "REORDERING",
    "TEMPLATE_KINDS",
    "WITHOUT_EFFECT",
    "WORD_LIST_KINDS",
]

LANGUAGE_MODELS = ("KENLM", "SRILM", "IRSTLM")
PENALTIES = ("Distortion", "WordPenalty", "PhrasePenalty", "UnknownWordPenalty", "InputFeature")
PHRASES, REORDERING = "PhraseDictionaryMemory", "LexicalReordering"

WORD_LIST_KINDS = ("SourceWordDeletionFeature", "TargetWordInsertionFeature")
"""Sparse features of the words of a file."""
TEMPLATE_KINDS = (
    "TargetBigramFeature",
    "WordTranslationFeature",
    "PhraseLengthFeature",
    *WORD_LIST_KINDS,
)
"""Sparse features, which are templates here."""

_TABLE = frozenset({"num-features", "path", "input-factor", "output-factor"})
ARGUMENTS = {
    PHRASES: _TABLE | {"table-limit"},
    REORDERING: _TABLE | {"type"},
    **{kind: frozenset({"num-features", "factor", "path", "order"}) for kind in LANGUAGE_MODELS},
    **{kind: frozenset({"num-features"}) for kind in PENALTIES},
    "InputFeature": frozenset({"num-features", "num-input-features", "real-word-count"}),
    "PhraseLengthFeature": frozenset(),
    "TargetBigramFeature": frozenset({"factor"}),
    "WordTranslationFeature": frozenset(),
    **{kind: frozenset({"factor", "path"}) for kind in WORD_LIST_KINDS},
}
"""Arguments that are imported, by kind."""

FIXED = {
    "input-factor": "0",
    "output-factor": "0",
    "factor": "0",
    "num-input-features": "1",
    "real-word-count": "0",
    "simple": "1",
    "source-context": "0",
    "target-context": "0",
}
"""Arguments of which only one value is supported."""

WITHOUT_EFFECT = frozenset(
    {"tuneable", "tuneable-components", "verbosity", "filterable", "cache-size", "lazyken", "load"}
)
"""Arguments that cannot change a translation: which weights are tuned, how files are loaded, logs."""
