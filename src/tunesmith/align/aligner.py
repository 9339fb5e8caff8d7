"""Trained aligners: alignment of any text, posteriors, files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.align.model import AlignmentModel, Parameters, get_model
from tunesmith.align.symmetrize import check_symmetrization, symmetrize
from tunesmith.align.training import Iteration
from tunesmith.container import Container, write_container
from tunesmith.corpus import Alignments, Bitext, Sentences, Vocabulary
from tunesmith.errors import InputError, OptionError, TunesmithError
from tunesmith.files import PathLike
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import Float32Array, Int32Array, IntArray

__all__ = ["Aligner", "Direction"]

Direction: TypeAlias = Literal["forward", "reverse"]

KIND, VERSION = "aligner", 1
_TABLE = ("rows", "columns", "forward", "reverse", "null_forward", "null_reverse")


@dataclass(frozen=True, eq=False)
class Aligner:
    """A model, its parameters, and the vocabularies; `history` has the log likelihood per iteration.

    Forward generates each target word from a source word, reverse each source word from a target word. Words
    unseen in training have a small probability with every word, and a larger one with each other. An aligner
    opened from a file is pickled as its `path`; the file must still exist when unpickled.
    """

    model: AlignmentModel
    table: _native.LexicalTable
    parameters: Parameters
    source: Vocabulary
    target: Vocabulary
    history: tuple[Iteration, ...] = ()
    path: str | None = None

    def __reduce__(self) -> tuple[object, ...]:
        if self.path is None:
            raise InputError("an aligner that was not opened from a file cannot be pickled; save and open it")
        return (Aligner.open, (self.path,))

    def align(
        self, bitext: Bitext, symmetrize: str = "grow-diag-final-and", *, threads: int | None = None
    ) -> Alignments:
        """Align a bitext, the training text or any other, and symmetrize the two directions."""
        check_symmetrization(symmetrize)
        forward, reverse = self.directions(bitext, threads=threads)
        return _symmetrize(forward, reverse, symmetrize, threads=threads)

    def directions(self, bitext: Bitext, *, threads: int | None = None) -> tuple[Alignments, Alignments]:
        """Return the best links, forward (at most one per target word) and reverse."""
        return self.model.links(self.parameters, self._cells(bitext), thread_count(threads))

    def posteriors(
        self, bitext: Bitext, direction: Direction = "forward", *, threads: int | None = None
    ) -> list[Float32Array]:
        """Return, for each pair, the matrix of p(source word i is linked to target word j | pair).

        Forward, a column sums to 1 - p(NULL); reverse, a row does. A pair of more than 2^20 cells (source
        words times target words) is an InputError.
        """
        if direction not in ("forward", "reverse"):
            raise OptionError(f"direction must be forward or reverse, not {direction!r}")
        flat = self.model.posteriors(
            self.parameters,
            self._cells(bitext),
            reverse=direction == "reverse",
            threads=thread_count(threads),
        )
        shapes = list(zip(bitext.source.lengths.tolist(), bitext.target.lengths.tolist(), strict=True))
        ends = np.cumsum([rows * columns for rows, columns in shapes], dtype=np.int64)
        parts = np.split(flat, ends)[:-1]  # the piece after the last end is empty
        return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]

    def probability(self, source: str, target: str) -> tuple[float, float]:
        """Return (p(target | source), p(source | target)) of two words."""
        forward, reverse = self.table.find(self.source.find(source), self.target.find(target))
        return forward, reverse

    def save(self, path: PathLike) -> None:
        """Write the aligner to a file for `open`."""
        arrays: dict[str, npt.NDArray[Any]] = {name: getattr(self.table, name)() for name in _TABLE}
        sizes = self.table.source_words, self.table.target_words
        for side, words, size in zip(("source", "target"), (self.source, self.target), sizes, strict=True):
            texts = words.words().take(np.arange(size))
            arrays[f"{side}.blob"], arrays[f"{side}.offsets"] = texts.blob, texts.offsets
        arrays |= {f"parameter.{name}": values for name, values in self.parameters.items()}
        meta = {
            "model": self.model.name,
            "options": asdict(self.model),
            "history": [asdict(each) for each in self.history],
        }
        write_container(path, KIND, VERSION, arrays, meta)

    @classmethod
    def open(cls, path: PathLike) -> Aligner:
        """Map a file written by `save`; a foreign, truncated or damaged file is an InputError."""
        container = Container.open(path, KIND, VERSION, verify=True)
        arrays = container.arrays
        try:
            model = get_model(container.meta["model"], **container.meta["options"])
            history = tuple(Iteration(**each) for each in container.meta["history"])
            table = _native.LexicalTable.restore(*(arrays[name] for name in _TABLE))
            source, target = (
                Vocabulary(Texts.stored(arrays[f"{side}.blob"], arrays[f"{side}.offsets"], f"{side} words"))
                for side in ("source", "target")
            )
        except (KeyError, TypeError, ValueError, TunesmithError) as error:
            raise InputError(f"is not an aligner that this version reads: {error}", path=path) from None
        parameters = {
            name.removeprefix("parameter."): values.astype(np.float64)
            for name, values in arrays.items()
            if name.startswith("parameter.")
        }
        return cls(model, table, parameters, source, target, history, str(Path(path).absolute()))

    def _cells(self, bitext: Bitext) -> _native.PairCells:
        return _native.PairCells(
            self.table,
            _renumber(bitext.source, self.source, self.table.source_words),
            _renumber(bitext.target, self.target, self.table.target_words),
        )


_symmetrize = symmetrize  # `align` has an option of that name


def _renumber(sentences: Sentences, known: Vocabulary, size: int) -> tuple[Int32Array, IntArray]:
    """Return sentences with the word numbers of training, -1 for unseen words."""
    if sentences.vocabulary is known and len(known) == size:
        return sentences.arrays
    numbers = _numbers(sentences.vocabulary.words(), known)
    numbers[numbers >= size] = -1  # words added after training
    return np.append(numbers, np.int32(-1))[sentences.words], sentences.offsets


def _numbers(words: Sequence[str], known: Vocabulary) -> Int32Array:
    return np.fromiter((known.find(word) for word in words), dtype=np.int32, count=len(words))
