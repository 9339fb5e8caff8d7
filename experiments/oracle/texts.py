"""Further texts of the experiments on re-estimation: a distant pair, and a part of Europarl."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from experiments.texts import HELD_OUT, RoleTexts
from tunesmith.files import read_lines

__all__ = ["CORPORA", "OracleTexts"]

CORPORA = ("multi30k", "europarl", "enja", "europarl-60k")
PART = 60_000
"""First pairs of Europarl's training text in `europarl-60k`; its other texts are those of `europarl`."""


@dataclass(frozen=True)
class OracleTexts(RoleTexts):
    """Besides `multi30k` and `europarl`, `enja` (Japanese-English) and `europarl-60k`.

    The select text of `enja` is the end of its training text.
    """

    def text(self, corpus: str, role: str, side: str) -> Path:
        """Write the text of a role, unless that is done; `side` is source or target."""
        path = self.out / corpus / f"{role}.{side}"
        if path.exists() or corpus in ("multi30k", "europarl"):
            return super().text(corpus, role, side)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = self._enja(role, side) if corpus == "enja" else self._part(role, side)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    def training_options(
        self, corpus: str, *, folds: bool = True, aligner: str = "diagonal"
    ) -> tuple[object, ...]:
        """Return the options of `tunesmith train` for a corpus; with `folds`, also what they are made of."""
        if corpus in ("multi30k", "europarl"):
            return super().training_options(corpus, folds=folds, aligner=aligner)
        sides = [self.text(corpus, "train", side) for side in ("source", "target")]
        files: tuple[object, ...] = ("--source", sides[0], "--target", sides[1], "--aligner", aligner)
        if corpus == "enja":
            return files
        languages = ("--source-language", "fr", "--target-language", "en")
        return *files, *self._documents(folds), *languages, "--tokenize", "moses", "--case", "lower"

    def _documents(self, folds: bool) -> tuple[object, ...]:
        """Return the option that names the documents of the part."""
        if not folds:
            return ()
        path = self.out / "europarl-60k" / "documents"
        if not path.exists():
            lines = islice(read_lines(self.data / "europarl-fr-en.train.docs.xz"), PART)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return "--documents", path

    def _enja(self, role: str, side: str) -> list[str]:
        language = "ja" if side == "source" else "en"
        part = {"tune": "dev", "select": "train"}.get(role, role)
        lines = list(read_lines(self.data / f"enja.{part}.{language}.xz"))
        if part != "train":
            return lines
        return lines[:-HELD_OUT] if role == "train" else lines[-HELD_OUT:]

    def _part(self, role: str, side: str) -> list[str]:
        lines = list(read_lines(RoleTexts.text(self, "europarl", role, side)))
        return lines[:PART] if role == "train" else lines
