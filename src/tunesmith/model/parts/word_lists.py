"""The steps that list words for feature templates."""

from __future__ import annotations

from pathlib import Path

from tunesmith.corpus import Alignments, Bitext
from tunesmith.extract.word_lists import Counted, frequent_words, linked_pairs, unaligned_words
from tunesmith.features.context_pairs import WORD_PAIRS
from tunesmith.features.sparse_reordering import (
    FREQUENT_SOURCE,
    FREQUENT_TARGET,
    WORDS_SOURCE,
    WORDS_TARGET,
)
from tunesmith.features.word_deletion import UNALIGNED_SOURCE
from tunesmith.features.word_insertion import UNALIGNED_TARGET
from tunesmith.files import open_write
from tunesmith.model.parts.names import ALIGNED, SOURCE, TARGET, read_aligned, read_bitext
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["KEPT", "WORD_LISTS", "list_words", "write_counted", "write_word_lists"]

_SHORT = (UNALIGNED_SOURCE, UNALIGNED_TARGET, WORD_PAIRS, FREQUENT_SOURCE, FREQUENT_TARGET)
_WHOLE = (WORDS_SOURCE, WORDS_TARGET)
WORD_LISTS = (*_SHORT, *_WHOLE)
KEPT = 1000
"""Entries per list: templates use the first ones."""


def list_words() -> list[BuildStep]:
    """Return the steps: the lists of the most frequent entries, and those of all words.

    The latter are a step of their own, because older models do not have them.
    """

    def run(shop: Workshop) -> None:
        _write_short(*read_aligned(shop), shop.directory)

    def run_whole(shop: Workshop) -> None:
        _write_whole(read_bitext(shop), shop.directory)

    return [
        BuildStep("word lists", _SHORT, run, needs=ALIGNED),
        BuildStep("words", _WHOLE, run_whole, needs=(SOURCE, TARGET)),
    ]


def write_word_lists(bitext: Bitext, alignments: Alignments, directory: Path) -> None:
    """Write the words that are most often without a link, linked pairs, and words, by frequency."""
    _write_short(bitext, alignments, directory)
    _write_whole(bitext, directory)


def _write_short(bitext: Bitext, alignments: Alignments, directory: Path) -> None:
    lists = (
        *unaligned_words(bitext, alignments, KEPT),
        linked_pairs(bitext, alignments, KEPT),
        *frequent_words(bitext, KEPT),
    )
    for name, counted in zip(_SHORT, lists, strict=True):
        write_counted(directory / name, counted)


def _write_whole(bitext: Bitext, directory: Path) -> None:
    most = max(len(side.vocabulary) for side in (bitext.source, bitext.target))
    for name, counted in zip(_WHOLE, frequent_words(bitext, most), strict=True):
        write_counted(directory / name, counted)


def write_counted(path: Path, counted: Counted) -> None:
    """Write a list: an entry, a tab and its count per line."""
    with open_write(path) as stream:
        for text, count in counted:
            stream.write(f"{text}\t{count}\n".encode())
