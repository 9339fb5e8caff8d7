"""Features of segmentations: each is a sum over parts, so that forward-backward sums over segmentations."""

from __future__ import annotations

import numpy as np

from tunesmith.corpus.compounds.lattices import WordLattices
from tunesmith.corpus.compounds.linkers import Linker
from tunesmith.corpus.compounds.parts import WHOLE
from tunesmith.corpus.compounds.words import UNKNOWN_COUNT, WordCounts
from tunesmith.types import FloatArray, IntArray

__all__ = ["PART", "WHOLE_WORD", "arc_features", "feature_names", "part_features", "whole_features"]

PART = ("Part", "Frequency", "FrequencySquared", "Length3", "Length4", "LogLength", "Support")
"""Per part: bias; log relative frequency, and its square (very frequent words are no parts); up to three
letters; four letters; log length; support by translations."""

WHOLE_WORD = ("Whole", "WholeUnknown", "WholeFrequency", "WholeLogLength")
"""Of the unsplit word: bias; not in the text; log relative frequency; log length."""

_SCALE = 0.1
"""Scales log frequencies and their squares to the range of the indicators: all share one penalty."""


def feature_names(linkers: tuple[Linker, ...]) -> tuple[str, ...]:
    """Return all names: of parts, of each nonempty linker, of whole words."""
    return (*PART, *(f"Linker{linker}" for linker in linkers[1:]), *WHOLE_WORD)


def part_features(words: WordCounts, supports: FloatArray) -> FloatArray:
    """Return one row per word of the text, as a part."""
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
    """Return one row per whole word, given its count."""
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
    """Return one row per arc; `counts` has one count per whole word."""
    rows = np.zeros((len(lattices.owners), len(feature_names(linkers))))
    split = np.flatnonzero(lattices.linkers != WHOLE)
    rows[split, : len(PART)] = part_features(words, supports)[lattices.parts[split]]
    linked = np.flatnonzero(lattices.linkers > 0)
    rows[linked, len(PART) - 1 + lattices.linkers[linked]] = 1.0
    lengths = lattices.last_nodes - lattices.first_nodes
    rows[lattices.whole, -len(WHOLE_WORD) :] = whole_features(counts, lengths, words.total)
    return rows
