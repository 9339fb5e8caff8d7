"""Extraction from aligned text: lexicon, phrase pairs, reordering, rules, word classes."""

from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.moses_extract import ExtractedPhrases, read_moses_extract
from tunesmith.extract.moses_lexicon import MosesLexicon, read_moses_lexicon
from tunesmith.extract.phrases import PhraseCounts, count_phrases
from tunesmith.extract.scoring import score_phrases
from tunesmith.extract.tables import build_table
from tunesmith.tables.reordering import ReorderingSpec

__all__ = [
    "ExtractedPhrases",
    "Lexicon",
    "MosesLexicon",
    "PhraseCounts",
    "ReorderingSpec",
    "bilingual_tokens",
    "build_table",
    "count_phrases",
    "read_moses_extract",
    "read_moses_lexicon",
    "score_phrases",
]
