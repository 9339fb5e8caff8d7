"""One file of derivations as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.files import PathLike
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray

__all__ = ["GIVEN", "TABLE", "UNKNOWN", "DerivationFile", "FoundDerivation", "PhraseStep", "add_derivations"]

Rows = tuple[npt.NDArray[Any], npt.NDArray[Any]]
"""Offsets and values."""

TABLE, UNKNOWN, GIVEN = range(3)
"""Origins of a phrase: a table, an unknown word that is passed through or dropped, or the input (of a rule
also a small text grammar)."""

_GAPS = 1 << 32
"""Gap n of a rule, from 1, is this minus n."""


class PhraseStep(NamedTuple):
    """A phrase of a derivation: source columns, target words, links between positions of the two.

    A rule also has a source side, and gaps such as `[X,1]` on both sides; the steps that fill them follow it,
    in the order of its target side. Its columns include those of its gaps.
    """

    begin: int
    end: int
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...] = ()
    origin: int = TABLE
    source: tuple[str, ...] = ()


class FoundDerivation(NamedTuple):
    """A derivation with its model score, B, and what was maximized."""

    score: float
    gain: float
    value: float
    matches: tuple[int, int, int, int]
    steps: tuple[PhraseStep, ...]


@dataclass(frozen=True, eq=False)
class DerivationFile:
    """Derivations of sentences, best first. Arrays are copies of what is mapped, made when asked for."""

    native: _native.DerivationFile

    @classmethod
    def open(cls, path: PathLike) -> DerivationFile:
        """Map a file; a damaged one is an InputError."""
        return cls(_native.DerivationFile(str(path)))

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.native)

    @cached_property
    def words(self) -> Texts:
        """Vocabulary of both sides."""
        return Texts.stored(*self.native.words(), "words", self.native.path)

    @cached_property
    def targets(self) -> Rows:
        """Words of each target side."""
        return self.native.targets()

    @cached_property
    def links(self) -> Rows:
        """Lists of links within phrase pairs: [source position, target position]."""
        return self.native.links()

    @cached_property
    def sentences(self) -> IntArray:
        """The row in the text of each sentence."""
        return self.native.sentences().astype(np.int64)

    @cached_property
    def sources(self) -> Rows:
        """Source words of each sentence."""
        return self.native.sources()

    @cached_property
    def derivations(self) -> IntArray:
        """The first derivation of each sentence, and at the end their number."""
        return self.native.derivations().astype(np.int64)

    @cached_property
    def scores(self) -> FloatArray:
        """Model score of each derivation."""
        return self.native.scores().astype(np.float64)

    @cached_property
    def gains(self) -> FloatArray:
        """B of each derivation; 0 if there was no reference to compare with."""
        return self.native.gains().astype(np.float64)

    @cached_property
    def values(self) -> FloatArray:
        """What was maximized: (1 - mu) B + mu a h.w, or the model score alone."""
        return self.native.values().astype(np.float64)

    @cached_property
    def statistics(self) -> FloatArray:
        """Statistics of BLEU, one row per derivation, as `tunesmith.metrics.Bleu` has them."""
        return self.native.statistics()

    @cached_property
    def steps(self) -> Rows:
        """Phrases of each derivation in target order: [begin, end, target, links, origin]."""
        return self.native.steps()

    @cached_property
    def sides(self) -> tuple[Rows, IntArray]:
        """Source sides of rules, and the one of each step; none in a file of phrases."""
        rows, of_steps = self.native.sides()
        return rows, of_steps.astype(np.int64)

    def source(self, sentence: int) -> str:
        """Return the words of a source sentence."""
        offsets, words = self.sources
        return " ".join(self.words[word] for word in _row(offsets, words, sentence))

    def found(self, sentence: int) -> Iterator[FoundDerivation]:
        """Yield the derivations of a sentence as Python values; for tests, and to look at a few."""
        begin, end = self.derivations[sentence : sentence + 2].tolist()
        for number in range(begin, end):
            first, second, third, fourth = self.statistics[number, :8:2].astype(int).tolist()
            yield FoundDerivation(
                float(self.scores[number]),
                float(self.gains[number]),
                float(self.values[number]),
                (first, second, third, fourth),
                tuple(self._step(step) for step in range(*self.steps[0][number : number + 2].tolist())),
            )

    def _step(self, step: int) -> PhraseStep:
        begin, end, target, links, origin = self.steps[1][step].tolist()
        words = self._symbols(_row(*self.targets, target))
        sides, of_steps = self.sides
        side = self._symbols(_row(*sides, int(of_steps[step]))) if self.native.of_rules else ()
        return PhraseStep(begin, end, words, tuple(map(tuple, _row(*self.links, links))), origin, side)

    def _symbols(self, numbers: list[int]) -> tuple[str, ...]:
        return tuple(
            self.words[symbol] if symbol < len(self.words) else f"[X,{_GAPS - symbol}]" for symbol in numbers
        )


def add_derivations(
    writer: _native.DerivationWriter,
    sentence: int,
    source: str,
    reference_length: int,
    derivations: Sequence[FoundDerivation],
) -> None:
    """Add the derivations of a sentence, best first, to a file in the making."""
    writer.add(
        sentence,
        reference_length,
        [word for word in source.split(" ") if word],
        [
            (
                (each.score, each.gain, each.value),
                each.matches,
                [
                    ((step.begin, step.end), step.target, step.links, step.origin, step.source)
                    for step in each.steps
                ],
            )
            for each in derivations
        ],
    )


def _row(offsets: npt.NDArray[Any], values: npt.NDArray[Any], number: int) -> list[Any]:
    rows: list[Any] = values[offsets[number] : offsets[number + 1]].tolist()
    return rows
