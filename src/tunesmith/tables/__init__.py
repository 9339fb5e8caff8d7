"""Phrase tables: memory-mapped files, their filtering, pruning and merging, and text formats."""

from tunesmith.tables.build import PhraseTableBuilder
from tunesmith.tables.filter import Pruning, filter_table, prune_table
from tunesmith.tables.merge import interpolate_tables, merge_tables
from tunesmith.tables.moses import read_moses_table, write_moses_table
from tunesmith.tables.notes import MOSES_SCORES
from tunesmith.tables.phrase_table import PhrasePair, PhraseTable
from tunesmith.tables.significance import log_significance, prune_significance

__all__ = [
    "MOSES_SCORES",
    "PhrasePair",
    "PhraseTable",
    "PhraseTableBuilder",
    "Pruning",
    "filter_table",
    "interpolate_tables",
    "log_significance",
    "merge_tables",
    "prune_significance",
    "prune_table",
    "read_moses_table",
    "write_moses_table",
]
