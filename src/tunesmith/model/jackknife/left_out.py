"""A fold that is left out of a trained model, and what remains of the model's training text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.corpus import Alignments, Bitext, Sentences, Vocabulary
from tunesmith.corpus.blocks import read_blocks, write_kept
from tunesmith.errors import InputError
from tunesmith.model.manifest import BuildRecord, Manifest
from tunesmith.model.model import Model
from tunesmith.model.parts.names import ALIGNMENT, FOLDS, SOURCE, TARGET
from tunesmith.texts import Texts
from tunesmith.types import BoolArray, IntArray

__all__ = ["LeftOut"]


@dataclass(frozen=True, eq=False)
class LeftOut:
    """A model, and the fold of its text to leave out; `fold_of_pairs` has the fold of each sentence pair.

    With `lm`, language models are without the fold too; `lm_text` is further text that they were trained on.
    `weights` is the directory whose weights are used: that of the model, or of one that adds parts to it. If
    `confined`, phrase tables have only what can translate the sentences of the fold.
    """

    model: Model
    manifest: Manifest
    fold: int
    fold_of_pairs: IntArray
    lm: bool
    lm_text: tuple[Path, ...]
    threads: int | None
    memory: str
    weights: Path
    confined: bool = False

    def __getitem__(self, name: str) -> Path:
        return self.model.directory / name

    @property
    def kept(self) -> BoolArray:
        """Which sentence pairs are not in the fold."""
        return np.asarray(self.fold_of_pairs != self.fold)

    def record(self, file: str) -> BuildRecord:
        """Return the record of the training step that wrote a file of the model."""
        for step in self.manifest.steps.values():
            if file in step.outputs:
                return step
        raise InputError(
            f"has no record of how {file!r} was trained, so that it cannot be trained without a fold",
            path=self.model.directory,
        )

    def wanted(self, files: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
        """Return what a part without the fold depends on: the fold, options, and checksums of files."""
        known = self.manifest.files
        sums = {name: known[name].sha256 for name in (*files, FOLDS)}
        return {"fold": self.fold, "files": sums, **options}

    def own_sentences(self, vocabulary: Vocabulary) -> Sentences:
        """Return the source sentences of the fold, in the words of a vocabulary."""
        folds, lines, begin = self.fold_of_pairs, [], 0
        for block in read_blocks(self[SOURCE]):
            lines.append(block.take(np.flatnonzero(folds[begin : begin + len(block)] == self.fold)))
            begin += len(block)
        return Sentences.of(Texts.joined(lines), vocabulary, grow=False)

    def remaining_text(self, name: str, folder: Path) -> Path:
        """Write the remaining lines of one side of the text; return the path of the result."""
        output = folder / name
        write_kept(self[name], output, self.kept)
        return output

    def remaining_pairs(self, folder: Path) -> tuple[Bitext, Alignments]:
        """Return the remaining sentence pairs and their alignments."""
        bitext = Bitext.read(*(self.remaining_text(name, folder) for name in (SOURCE, TARGET)))
        alignments = Alignments.read(self[ALIGNMENT]).take(self.kept)
        alignments.check(bitext)
        return bitext, alignments
