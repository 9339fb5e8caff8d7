"""A further text of the experiments on re-estimation: a part of Europarl."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from experiments.texts import EUROPARL, RoleTexts
from tunesmith.files import read_lines

__all__ = ["CORPORA", "OracleTexts"]

SHORTER = "europarl-60k"
CORPORA = ("multi30k", "europarl", "enja", SHORTER)
PART = 60_000
"""Number of first pairs of the training text in `europarl-60k`; its other texts are those of `europarl`."""


@dataclass(frozen=True)
class OracleTexts(RoleTexts):
    """The texts of all experiments, and those of `europarl-60k`."""

    def text(self, corpus: str, role: str, side: str) -> Path:
        """Write the text of a role, unless that is done; `side` is source or target."""
        path = self.out / corpus / f"{role}.{side}"
        if path.exists() or corpus != SHORTER:
            return super().text(corpus, role, side)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = read_lines(super().text("europarl", role, side))
        path.write_text(
            "".join(f"{line}\n" for line in (lines[:PART] if role == "train" else lines)), encoding="utf-8"
        )
        return path

    def training_options(
        self, corpus: str, *, folds: bool = True, aligner: str = "diagonal"
    ) -> tuple[object, ...]:
        """Return the options of `tunesmith train` for a corpus; with `folds`, also what they are made of."""
        if corpus != SHORTER:
            return super().training_options(corpus, folds=folds, aligner=aligner)
        sides = [self.text(corpus, "train", side) for side in ("source", "target")]
        files: tuple[object, ...] = ("--source", sides[0], "--target", sides[1], "--aligner", aligner)
        source, target = EUROPARL["europarl"]
        languages = ("--source-language", source, "--target-language", target)
        return *files, *self._documents(folds), *languages, "--tokenize", "moses", "--case", "lower"

    def _documents(self, folds: bool) -> tuple[object, ...]:
        """Return the option that names the documents of the part."""
        if not folds:
            return ()
        path = self.out / SHORTER / "documents"
        if not path.exists():
            lines = islice(read_lines(self.data / "europarl-fr-en.train.docs.xz"), PART)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return "--documents", path
