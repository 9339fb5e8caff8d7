"""Features of segmentations: each is a sum over parts, so that sums over all segmentations stay cheap."""

from __future__ import annotations

import numpy as np

from tunesmith.corpus.compounds.lattices import WordLattices
from tunesmith.corpus.compounds.linkers import Linker
from tunesmith.corpus.compounds.parts import WHOLE
from tunesmith.corpus.compounds.words import UNKNOWN_COUNT, WordCounts
from tunesmith.types import FloatArray, IntArray

__all__ = ["PART", "WHOLE_WORD", "arc_features", "feature_names", "part_features", "whole_features"]

PART = ("Part", "Frequency", "FrequencySquared", "Length3", "Length4", "LogLength", "Support")
"""Of each part: one; log relative frequency, and its square (parts that are everywhere are no parts); up to
three letters; four letters; log length; how well its translations support it."""

WHOLE_WORD = ("Whole", "WholeUnknown", "WholeFrequency", "WholeLogLength")
"""Of the unsplit word: one; not in the text; log relative frequency; log length."""

_SCALE = 0.1
"""Brings log frequencies and their squares to the size of the indicators, which one penalty serves."""


def feature_names(linkers: tuple[Linker, ...]) -> tuple[str, ...]:
    """Return all names: those of parts, one for each linker but the empty one, those of whole words."""
    return (*PART, *(f"Linker{linker}" for linker in linkers[1:]), *WHOLE_WORD)


def part_features(words: WordCounts, supports: FloatArray) -> FloatArray:
    """Return a row for each word of the text, as a part."""
    frequency = _SCALE * np.log(words.counts / max(words.total, 1))
    lengths = np.array([len(key) for key in words.keys], dtype=np.float64)
    columns = [
        np.ones(len(words)),
        frequency,
        frequency**2,
        lengths <= 3,
        lengths == 4,
        np.log(np.maximum(lengths, 1.0)),
        supports,
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def whole_features(counts: IntArray, lengths: IntArray, total: int) -> FloatArray:
    """Return a row for each whole word with this count."""
    frequency = _SCALE * np.log(np.maximum(counts, UNKNOWN_COUNT) / max(total, 1))
    columns = [np.ones(len(counts)), counts == 0, frequency, np.log(np.maximum(lengths, 1))]
    return np.stack(columns, axis=1).astype(np.float64)


def arc_features(
    lattices: WordLattices,
    words: WordCounts,
    linkers: tuple[Linker, ...],
    supports: FloatArray,
    counts: IntArray,
) -> FloatArray:
    """Return a row for each arc; `counts` are those of the whole words, one a word."""
    rows = np.zeros((len(lattices.owners), len(feature_names(linkers))))
    split = np.flatnonzero(lattices.linkers != WHOLE)
    rows[split, : len(PART)] = part_features(words, supports)[lattices.parts[split]]
    linked = np.flatnonzero(lattices.linkers > 0)
    rows[linked, len(PART) - 1 + lattices.linkers[linked]] = 1.0
    lengths = lattices.last_nodes - lattices.first_nodes
    rows[lattices.whole, -len(WHOLE_WORD) :] = whole_features(counts, lengths, words.total)
    return rows
