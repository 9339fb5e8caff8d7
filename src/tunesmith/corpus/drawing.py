"""Drawing the test and development parts of a bitext: single pairs, groups of pairs, or documents."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from tunesmith.corpus.folds import document_numbers
from tunesmith.errors import OptionError, TunesmithWarning
from tunesmith.types import BoolArray, IntArray

__all__ = ["Drawn", "draw_documents", "draw_groups", "draw_pairs"]

Drawn: TypeAlias = dict[str, BoolArray]
"""Which rows each part draws, for test, dev and train."""


def draw_pairs(text: IntArray, sizes: Mapping[str, int], random: np.random.Generator) -> Drawn:
    """Draw among the first rows of different texts, so that parts have exactly their sizes."""
    first = _first_rows(text, sizes)
    order = random.permutation(first)
    draw = {}
    begin = 0
    rest = np.ones(len(text), dtype=np.bool_)
    for name, size in sizes.items():
        draw[name] = np.zeros(len(text), dtype=np.bool_)
        draw[name][order[begin : begin + size]] = True
        rest &= ~draw[name]
        begin += size
    return draw | {"train": rest}


def draw_groups(
    text: IntArray, group: IntArray, sizes: Mapping[str, int], random: np.random.Generator
) -> Drawn:
    """Draw whole groups of pairs in random order while they fit; of equal texts, test and dev get the first.

    A part that stays smaller than its size, because every group left is too big, is warned of.
    """
    first = _first_rows(text, sizes)
    lengths = np.bincount(group[first])
    part, left = _fill(lengths, sizes, random)
    for name, size in sizes.items():
        smallest = int(lengths[part == "train"].min(initial=len(text)))
        if size and left[name] == size:
            raise OptionError(
                "{} takes {size} pairs, but pairs with a source or target in common stay together, and the"
                " smallest group has {smallest}; ask for more, or split such groups by {}",
                name,
                "allow_overlap",
                size=size,
                smallest=smallest,
            )
        if left[name]:
            warnings.warn(
                f"{name} has {size - left[name]} pairs instead of {size}: pairs with a source or target in"
                f" common stay together, and the smallest group left has {smallest}",
                TunesmithWarning,
                stacklevel=4,
            )
    if not (part == "train").any():
        raise OptionError("{} and {} take all groups of pairs; none is left", "dev", "test")
    is_first = np.zeros(len(text), dtype=np.bool_)
    is_first[first] = True
    draw = {name: (part == name)[group] & is_first for name in sizes}
    return draw | {"train": (part == "train")[group]}


def draw_documents(documents: Sequence[str], sizes: Mapping[str, int], random: np.random.Generator) -> Drawn:
    """Draw whole documents in random order while they fit."""
    numbers = document_numbers(documents)
    part, left = _fill(np.bincount(numbers), sizes, random)
    for name, size in sizes.items():
        if size and left[name] == size:
            raise OptionError(
                "no document has {size} or fewer pairs, which is what {} takes; ask for more", name, size=size
            )
    if not (part == "train").any():
        raise OptionError("{} and {} take all documents; none is left", "dev", "test")
    return {name: (part == name)[numbers] for name in ("test", "dev", "train")}


def _first_rows(text: IntArray, sizes: Mapping[str, int]) -> IntArray:
    """Return the first row of each text, in the order of the texts' numbers."""
    _, first = np.unique(text, return_index=True)
    if sum(sizes.values()) >= len(first):
        raise OptionError(
            "{} and {} take {taken} of {found} different pairs; none is left",
            "dev",
            "test",
            taken=sum(sizes.values()),
            found=len(first),
        )
    return first


def _fill(
    lengths: IntArray, sizes: Mapping[str, int], random: np.random.Generator
) -> tuple[np.ndarray[tuple[int], np.dtype[np.object_]], dict[str, int]]:
    """Return the part of each unit, drawn in random order while it fits, and the room left in each part."""
    part = np.full(len(lengths), "train", dtype=object)
    left = dict(sizes)
    for unit in random.permutation(len(lengths)).tolist():
        for name, room in left.items():
            if lengths[unit] <= room:
                part[unit] = name
                left[name] -= int(lengths[unit])
                break
        if not any(left.values()):
            break
    return part, left
