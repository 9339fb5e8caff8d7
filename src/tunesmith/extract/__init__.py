"""Extraction from aligned text: lexicon, phrase pairs, reordering, rules, word classes."""

from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts, count_phrases
from tunesmith.extract.reordering import ReorderingSpec
from tunesmith.extract.scoring import score_phrases
from tunesmith.extract.tables import build_table

__all__ = [
    "Lexicon",
    "PhraseCounts",
    "ReorderingSpec",
    "bilingual_tokens",
    "build_table",
    "count_phrases",
    "score_phrases",
]
