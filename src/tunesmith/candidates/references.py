"""Matching lines of text with candidate lists: those of references, and those that are written."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import numpy as np

from tunesmith.candidates.pool import Pool
from tunesmith.corpus.sets import read_reference_texts, read_texts
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["line_order", "number_lists", "read_texts", "with_references"]

_WHOLE = re.compile("0|[1-9][0-9]{0,17}")
_FRACTION = re.compile("[0-9]+\\.[0-9]*")
"""A number that a program wrote with a fraction, such as 1.0."""


def number_lists(pool: Pool, where: str, files: Sequence[PathLike], *, allow_missing: bool) -> Pool:
    """Sort the lists by their ids, which count from 0, and take line `id` of each reference.

    Without references, the number of sentences is the largest id + 1.
    """
    numbers = np.array([int(name) for name in pool.ids], dtype=np.int64)
    references = _read_references(pool, where, files)
    lines = len(references[0]) if references else int(numbers.max()) + 1
    _check_numbers(numbers, lines, where, files, allow_missing=allow_missing)
    order = np.argsort(numbers)
    if (np.diff(order) < 0).any():
        pool, numbers = pool.take_lists(order), numbers[order]
    return _attach(pool, references, numbers)


def with_references(pool: Pool, where: str, files: Sequence[PathLike], *, allow_missing: bool) -> Pool:
    """Take one line of each reference per list: line `id` if all ids are whole numbers, else in order."""
    references = _read_references(pool, where, files)
    if not references:
        return pool
    lines = len(references[0])
    numbers = _line_numbers(pool, where, "references")
    if numbers is not None:
        _check_numbers(numbers, lines, where, files, allow_missing=allow_missing)
        return _attach(pool, references, numbers)
    if len(pool) != lines:
        raise InputError(f"{where} has {len(pool)} sentences, but {files[0]} has {lines} lines")
    return _attach(pool, references, np.arange(lines))


def line_order(pool: Pool, where: str, *, allow_missing: bool) -> IntArray:
    """Return the lists in the order of the lines that are written of them, one per list.

    That is the order of the ids if all are whole numbers, which count lines from 0 as for references, without
    gaps unless they are allowed; else that of the pool.
    """
    numbers = _line_numbers(pool, where, "output")
    if numbers is None:
        return np.arange(len(pool))
    _check_numbers(numbers, int(numbers.max()) + 1, where, (), allow_missing=allow_missing)
    return np.argsort(numbers, kind="stable")


def _line_numbers(pool: Pool, where: str, text: str) -> IntArray | None:
    """Return the ids if all are whole numbers, None if they are names; `text` is whose lines they count."""
    if all(_WHOLE.fullmatch(name) for name in pool.ids):
        return np.array([int(name) for name in pool.ids], dtype=np.int64)
    if fraction := next((name for name in pool.ids if _FRACTION.fullmatch(name)), None):
        raise InputError(
            f"{where} has the id {fraction!r}: it is not clear which line of the {text} it belongs to;"
            " expected whole numbers, which count lines from 0, or names"
        )
    return None


def _attach(pool: Pool, references: Sequence[Texts], lines: IntArray) -> Pool:
    if not references:
        return pool
    if len(lines) != len(references[0]) or (np.diff(lines) != 1).any():
        references = [reference.take(lines) for reference in references]
    return dataclasses.replace(pool, references=tuple(references), _stats={})


def _read_references(pool: Pool, where: str, files: Sequence[PathLike]) -> list[Texts]:
    if pool.references and files:
        raise InputError(f"{where} already contains references; do not give others")
    named = read_reference_texts(files)
    references = [texts for _, texts in named]
    for file, reference in named:
        if len(reference) != len(references[0]):
            raise InputError(
                f"{files[0]} has {len(references[0])} lines, but {file} has {len(reference)};"
                " expected one line per sentence in every reference"
            )
    return references


def _check_numbers(
    numbers: IntArray, lines: int, where: str, files: Sequence[PathLike], *, allow_missing: bool
) -> None:
    """Raise InputError for ids beyond the references, and for missing ids unless they are allowed."""
    beside = f", but {files[0]} has {lines} lines" if files else ""
    if numbers.max() >= lines:
        raise InputError(
            f"{where} has {len(numbers)} sentences with ids up to {numbers.max()}{beside};"
            " expected ids to count the lines from 0"
        )
    if len(numbers) < lines and not allow_missing:
        gaps = np.flatnonzero(np.sort(numbers) != np.arange(len(numbers)))
        missing = int(gaps[0]) if len(gaps) else len(numbers)
        raise InputError(
            "{where} has {found} sentences with ids up to {most}{beside}: sentence {missing} has no"
            " candidates; {} skips such sentences",
            "allow_missing",
            where=where,
            found=len(numbers),
            most=numbers.max(),
            beside=beside,
            missing=missing,
        )
