"""Feature templates: named features of phrase pairs, of their places and of derivations."""

from tunesmith.features.base import (
    TEMPLATES,
    VETO,
    Pair,
    PairTemplate,
    PlacedTemplate,
    Sentence,
    Span,
    StatefulTemplate,
    Step,
    Template,
    Values,
)
from tunesmith.features.border_bigrams import BorderBigrams
from tunesmith.features.context_pairs import ContextPairs
from tunesmith.features.length_groups import LengthGroups
from tunesmith.features.lengths import Lengths
from tunesmith.features.phrase_length import PhraseLength
from tunesmith.features.rule_identity import RuleIdentity
from tunesmith.features.rule_shape import RuleShape
from tunesmith.features.span_length import SpanLength
from tunesmith.features.sparse_hrm import SparseHRM, SparseHRMBiPhrases, SparseHRMLocal, SparseHRMUncommon
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.features.structural_distortion import StructuralDistortion
from tunesmith.features.target_bigrams import TargetBigrams
from tunesmith.features.word_deletion import WordDeletion
from tunesmith.features.word_insertion import WordInsertion
from tunesmith.features.word_translations import WordTranslations

__all__ = [
    "TEMPLATES",
    "VETO",
    "BorderBigrams",
    "ContextPairs",
    "LengthGroups",
    "Lengths",
    "Pair",
    "PairTemplate",
    "PhraseLength",
    "PlacedTemplate",
    "RuleIdentity",
    "RuleShape",
    "Sentence",
    "Span",
    "SpanLength",
    "SparseHRM",
    "SparseHRMBiPhrases",
    "SparseHRMLocal",
    "SparseHRMUncommon",
    "SparseReordering",
    "StatefulTemplate",
    "Step",
    "StructuralDistortion",
    "TargetBigrams",
    "Template",
    "Values",
    "WordDeletion",
    "WordInsertion",
    "WordTranslations",
]
