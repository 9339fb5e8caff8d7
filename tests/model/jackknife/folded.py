"""A corpus of documents, in folds, and models of it or of it without a fold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.corpus import Alignments
from tunesmith.generated import generate
from tunesmith.model import train
from tunesmith.tables import PhraseTable


@dataclass(frozen=True, eq=False)
class Folded:
    """Files `de`, `en`, `align` and `docs`: documents of 5 pairs, in this many folds."""

    folder: Path
    folds: int

    def lines(self, side: str) -> list[str]:
        return (self.folder / side).read_text().splitlines()

    def fold_of(self) -> np.ndarray:
        return np.array([int(line) for line in self.lines("folds")])

    def remaining(self, side: str, fold: int) -> list[str]:
        return [line for line, own in zip(self.lines(side), self.fold_of(), strict=True) if own != fold]

    def fold(self, side: str, fold: int) -> list[str]:
        return [line for line, own in zip(self.lines(side), self.fold_of(), strict=True) if own == fold]

    def train(self, kind: str, *, without: int | None = None, **options: Any) -> Path:
        """Train a model with folds, or one of the text without a fold."""
        names = [f"{name}={value}" for name, value in options.items() if isinstance(value, str | int)]
        model = self.folder / "-".join([kind, *names, "whole" if without is None else str(without)])
        if model.is_dir():
            return model
        text = self.folder
        if without is None:
            options |= {"folds": self.folds, "documents": text / "docs"}
        else:
            text = self.folder / f"without-{without}"
            text.mkdir(exist_ok=True)
            for side in ("de", "en", "align"):
                lines = self.remaining(side, without)
                (text / side).write_text("".join(f"{line}\n" for line in lines))
        options = {"lm_order": 3, "ratio": 100.0, "alignment": text / "align", **options}
        train(text / "de", text / "en", model, kind=kind, **options)
        if without is None:
            (self.folder / "folds").write_text((model / "folds.txt").read_text())
        return model


def fold_corpus(folder: Path, pairs: int, *, folds: int) -> Folded:
    """Write a generated corpus."""
    drawn = list(generate(pairs, seed=3, lowercase=True))
    texts = {"de": [pair.source for pair in drawn], "en": [pair.target for pair in drawn]}
    texts["docs"] = [str(number // 5) for number in range(pairs)]
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    Alignments.of(pair.alignment for pair in drawn).write(folder / "align")
    return Folded(folder, folds)


def by_phrases(table: PhraseTable) -> dict[tuple[str, str], object]:
    """Return all that a table knows of each phrase pair; word numbers and order do not matter."""
    return {(pair.source, pair.target): pair for pair in table}
