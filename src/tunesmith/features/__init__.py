"""Feature templates: named features of phrase pairs and of derivations."""

from tunesmith.features.base import (
    TEMPLATES,
    VETO,
    Pair,
    PairTemplate,
    Sentence,
    StatefulTemplate,
    Step,
    Template,
    Values,
)
from tunesmith.features.border_bigrams import BorderBigrams
from tunesmith.features.length_groups import LengthGroups
from tunesmith.features.phrase_length import PhraseLength

__all__ = [
    "TEMPLATES",
    "VETO",
    "BorderBigrams",
    "LengthGroups",
    "Pair",
    "PairTemplate",
    "PhraseLength",
    "Sentence",
    "StatefulTemplate",
    "Step",
    "Template",
    "Values",
]
