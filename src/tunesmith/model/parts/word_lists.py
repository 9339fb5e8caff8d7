"""The step that lists frequent words for feature templates."""

from __future__ import annotations

from pathlib import Path

from tunesmith.corpus import Alignments, Bitext
from tunesmith.extract.word_lists import Counted, frequent_words, linked_pairs, unaligned_words
from tunesmith.features.context_pairs import WORD_PAIRS
from tunesmith.features.sparse_reordering import FREQUENT_SOURCE, FREQUENT_TARGET
from tunesmith.features.word_deletion import UNALIGNED_SOURCE
from tunesmith.features.word_insertion import UNALIGNED_TARGET
from tunesmith.files import open_write
from tunesmith.model.parts.names import ALIGNED, read_aligned
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["WORD_LISTS", "list_words", "write_word_lists"]

WORD_LISTS = (UNALIGNED_SOURCE, UNALIGNED_TARGET, WORD_PAIRS, FREQUENT_SOURCE, FREQUENT_TARGET)
KEPT = 1000
"""Entries per list: templates use the first ones."""


def list_words() -> BuildStep:
    """Return the step."""

    def run(shop: Workshop) -> None:
        write_word_lists(*read_aligned(shop), shop.directory)

    return BuildStep("word lists", WORD_LISTS, run, needs=ALIGNED)


def write_word_lists(bitext: Bitext, alignments: Alignments, directory: Path) -> None:
    """Write the words that are most often without a link, linked pairs, and words, by frequency."""
    lists = (
        *unaligned_words(bitext, alignments, KEPT),
        linked_pairs(bitext, alignments, KEPT),
        *frequent_words(bitext, KEPT),
    )
    for name, counted in zip(WORD_LISTS, lists, strict=True):
        _write(directory / name, counted)


def _write(path: Path, counted: Counted) -> None:
    with open_write(path) as stream:
        for text, count in counted:
            stream.write(f"{text}\t{count}\n".encode())
