"""Phrase tables: mapped from disk, filtered, merged, and the text forms of them."""

from tunesmith.tables.build import PhraseTableBuilder
from tunesmith.tables.moses import read_moses_table, write_moses_table
from tunesmith.tables.notes import MOSES_SCORES
from tunesmith.tables.phrase_table import PhrasePair, PhraseTable

__all__ = [
    "MOSES_SCORES",
    "PhrasePair",
    "PhraseTable",
    "PhraseTableBuilder",
    "read_moses_table",
    "write_moses_table",
]
