"""Training state of alignment models: the bitext's word pairs, their counts, and the history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tunesmith import _native
from tunesmith.corpus import Bitext
from tunesmith.errors import InputError
from tunesmith.types import FloatArray

__all__ = ["Iteration", "Parameters", "Progress", "Training"]

Progress: TypeAlias = Callable[[str], None]

Parameters: TypeAlias = Mapping[str, FloatArray]
"""Parameters of a model besides the translation table."""


@dataclass(frozen=True)
class Iteration:
    """Log likelihood of the bitext per direction, under the parameters at the start of an iteration."""

    stage: str
    number: int
    forward: float
    reverse: float


@dataclass(frozen=True, eq=False)
class Training:
    """A bitext indexed by its table of word pairs; models add expected counts and run the M step."""

    bitext: Bitext
    table: _native.LexicalTable
    cells: _native.PairCells
    counts: _native.LexicalCounts
    threads: int
    progress: Progress | None = None
    history: list[Iteration] = field(default_factory=list)
    before: Parameters = field(default_factory=dict)
    """What the predecessor of the model was trained to, if it has one."""

    @classmethod
    def of(cls, bitext: Bitext, threads: int, progress: Progress | None = None) -> Training:
        """Collect the word pairs of a bitext; one without any is an InputError."""
        source, target = bitext.source, bitext.target
        table = _native.LexicalTable.collect(
            source.arrays, target.arrays, len(source.vocabulary), len(target.vocabulary), threads
        )
        if len(table) == 0:
            raise InputError("found no sentence pair with words on both sides; expected parallel text")
        if progress is not None:
            progress(f"{len(bitext):,} sentence pairs, {len(table):,} word pairs")
        cells = _native.PairCells(table, source.arrays, target.arrays)
        counts = _native.LexicalCounts(table, len(source.words) + len(target.words))
        return cls(bitext, table, cells, counts, threads, progress)

    def maximize(self, stage: str, likelihood: tuple[float, float], *, bayes: bool, pseudo: float) -> None:
        """Run the M step of the translation probabilities and record the iteration."""
        self.counts.maximize(self.table, bayes, pseudo, self.threads)
        number = 1 + sum(each.stage == stage for each in self.history)
        self.history.append(Iteration(stage, number, *likelihood))
        if self.progress is not None:
            forward, reverse = likelihood
            self.progress(f"{stage} {number}: log likelihood {forward:.6g} forward, {reverse:.6g} reverse")
