"""Phrase pairs that Moses extracted: its files `extract` and `extract.o`, sorted or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_lines
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.types import FloatArray, Int32Array

__all__ = ["ExtractedPhrases", "read_moses_extract"]

_ORIENTATIONS = {"mono": 0, "swap": 1, "dleft": 2, "dright": 3, "other": 3, "nomono": 1}
_MODELS = ("wbe", "phrase", "hier")
_COARSE = {"other": ("msd", "monotonicity"), "nomono": ("monotonicity",)}


@dataclass(frozen=True, eq=False)
class ExtractedPhrases:
    """Extracted phrase pairs: line i is a phrase pair with its links, weight and orientations."""

    bitext: Bitext
    alignments: Alignments
    weights: FloatArray | None
    """None if the file has no weights."""
    orientations: Int32Array
    """Bits for `count_phrases`; zeros if there is no file of orientations."""
    classes: dict[str, tuple[str, ...] | None]
    """For each model that the file has, the classes that it distinguishes; None for mslr and coarser."""

    def check(self, models: Iterable[ReorderingSpec]) -> None:
        """Raise OptionError if the files do not have the orientations of a reordering model."""
        for spec in models:
            if spec.model not in self.classes:
                found = ", ".join(self.classes) or "none"
                raise OptionError(
                    "{}: {name} needs orientations of {model!r}; the file has {found}",
                    "reordering",
                    name=spec.name,
                    model=spec.model,
                    found=found,
                )
            known = self.classes[spec.model]
            if spec.classes == "mslrg" or (known is not None and spec.classes not in known):
                raise OptionError(
                    "{}: the file of orientations does not distinguish the classes of {name}; it has {known}",
                    "reordering",
                    name=spec.name,
                    known=", ".join(known or ("mslr", "msd", "leftright", "monotonicity")),
                )


def read_moses_extract(path: PathLike, orientations: PathLike | None = None) -> ExtractedPhrases:
    """Read lines `f ||| e ||| 0-0 1-1`, possibly with `||| weight`, as Moses' `extract` writes them.

    `orientations` has lines `f ||| e ||| wbe | phrase | hier` of the same phrase pairs in the same order, as
    both files have when unsorted, and when sorted alike. `extract.inv` has the phrase pairs once more and is
    not needed. The files are read into memory.
    """
    rows = [_fields(line, number, path) for number, line in enumerate(read_lines(path), 1)]
    if not rows:
        raise InputError("has no phrase pairs", path=path)
    weighted = len(rows[0]) > 3
    for number, row in enumerate(rows, 1):
        if (len(row) > 3) != weighted:
            raise InputError("expected a weight on every line or on none", path=path, line=number)
    source, target = (Sentences.of(row[side] for row in rows) for side in (0, 1))
    bitext = Bitext(source, target)
    alignments = Alignments.of(_links(row[2], number, path) for number, row in enumerate(rows, 1))
    try:
        alignments.check(bitext)
    except InputError as error:
        raise InputError(error.message, path=path, line=error.line) from None
    weights = None
    if weighted:
        weights = np.array([_weight(row[3], number, path) for number, row in enumerate(rows, 1)])
    bits = np.zeros(len(rows), dtype=np.int32)
    classes: dict[str, tuple[str, ...] | None] = {}
    if orientations is not None:
        bits, classes = _orientations(rows, path, orientations)
    return ExtractedPhrases(bitext, alignments, weights, bits, classes)


def _fields(line: str, number: int, path: PathLike) -> list[str]:
    fields = [field.strip() for field in line.split("|||")]
    if not (3 <= len(fields) <= 4 and fields[0] and fields[1]):
        raise InputError(
            f"expected 'source ||| target ||| links', possibly with '||| weight', found {line[:60]!r}",
            path=path,
            line=number,
        )
    return fields


def _links(text: str, number: int, path: PathLike) -> list[tuple[int, int]]:
    links = []
    for link in text.split():
        i, dash, j = link.partition("-")
        if not (dash and i.isdecimal() and j.isdecimal() and link.isascii()):
            raise InputError(f"expected links such as 0-1, found {link[:40]!r}", path=path, line=number)
        links.append((int(i), int(j)))
    return links


def _weight(text: str, number: int, path: PathLike) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"expected a weight, found {text[:40]!r}", path=path, line=number) from None


def _orientations(
    rows: list[list[str]], extract: PathLike, path: PathLike
) -> tuple[Int32Array, dict[str, tuple[str, ...] | None]]:
    bits = np.zeros(len(rows), dtype=np.int32)
    seen: dict[str, set[str]] = {}
    for number, (line, row) in enumerate(zip_longest(read_lines(path), rows), 1):
        fields = [] if line is None else _fields(line, number, path)
        if row is None or fields[:2] != row[:2]:
            found = " ||| ".join(fields[:2]) or "the end of the file"
            expected = "the end of the file" if row is None else repr(" ||| ".join(row[:2]))
            raise InputError(
                f"expected the phrase pairs of {extract} in their order, here {expected}, found {found!r};"
                " sort both files alike, or neither",
                path=path,
                line=number,
            )
        for model, part in enumerate(fields[2].split("|")):
            names = part.split()
            if not names:
                continue
            if model >= len(_MODELS) or len(names) != 2 or not all(name in _ORIENTATIONS for name in names):
                raise InputError(
                    "expected two orientations such as 'mono swap' of wbe, phrase and hier, separated by '|',"
                    f" found {fields[2][:60]!r}",
                    path=path,
                    line=number,
                )
            for direction, name in enumerate(names):
                bits[number - 1] |= _ORIENTATIONS[name] << (6 * model + 3 * direction)
            seen.setdefault(_MODELS[model], set()).update(names)
    return bits, {model: _distinguished(names) for model, names in seen.items()}


def _distinguished(names: set[str]) -> tuple[str, ...] | None:
    return next((_COARSE[name] for name in ("nomono", "other") if name in names), None)
