"""The texts of experiments by role: train, tune, select, test."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

from tunesmith.files import read_lines

__all__ = ["RoleTexts"]

HELD_OUT = 1000
"""Last pairs of a training text, and of Europarl's dev text: the select text."""
MULTI30K_TESTS = ("test_2016", "test_2017", "test_2017_coco")
EUROPARL = {"europarl": ("fr", "en"), "europarl-de-en": ("de", "en")}
"""The languages of corpora of raw text, by name."""


@dataclass(frozen=True)
class RoleTexts:
    """Texts of `multi30k` (German-English), `enja` (Japanese-English), `europarl` and `europarl-de-en`.

    They are written to `out` when needed. The select text of Europarl is the second half of dev, that of the
    others the end of the training text.
    """

    data: Path
    out: Path

    def text(self, corpus: str, role: str, side: str) -> Path:
        """Write the text of a role, unless that is done; `side` is source or target."""
        path = self.out / corpus / f"{role}.{side}"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            if corpus in EUROPARL:
                lines = self._europarl(corpus, role, side)
            else:
                lines = self._multi30k(role, side) if corpus == "multi30k" else self._enja(role, side)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    def training_options(
        self, corpus: str, *, folds: bool = True, aligner: str = "diagonal"
    ) -> tuple[object, ...]:
        """Return the options of `tunesmith train` for a corpus; with `folds`, also what they are made of.

        The diagonal aligner was the default of training when the experiments were designed.
        """
        sides = [self.text(corpus, "train", side) for side in ("source", "target")]
        files: tuple[object, ...] = ("--source", sides[0], "--target", sides[1], "--aligner", aligner)
        if corpus not in EUROPARL:
            return files
        source, target = EUROPARL[corpus]
        documents = ("--documents", self.data / f"europarl-{source}-{target}.train.docs.xz") if folds else ()
        languages = ("--source-language", source, "--target-language", target)
        return *files, *documents, *languages, "--tokenize", "moses", "--case", "lower"

    @staticmethod
    def prepare_options(corpus: str) -> tuple[object, ...]:
        """Return the option by which commands tokenize a corpus of raw text as its model does."""
        return ("--prepare",) if corpus.startswith("europarl") else ()

    def _multi30k(self, role: str, side: str) -> list[str]:
        def read(part: str) -> list[str]:
            language = "de" if side == "source" else "en"
            return read_lines(self.data / f"multi30k.{part}.{language}.xz")

        if role in ("train", "select"):
            return read("train")[:-HELD_OUT] if role == "train" else read("train")[-HELD_OUT:]
        return list(itertools.chain(*map(read, ("val",) if role == "tune" else MULTI30K_TESTS)))

    def _enja(self, role: str, side: str) -> list[str]:
        part = {"tune": "dev", "select": "train"}.get(role, role)
        lines = read_lines(self.data / f"enja.{part}.{'ja' if side == 'source' else 'en'}.xz")
        if part != "train":
            return lines
        return lines[:-HELD_OUT] if role == "train" else lines[-HELD_OUT:]

    def _europarl(self, corpus: str, role: str, side: str) -> list[str]:
        part = {"tune": "dev", "select": "dev"}.get(role, role)
        source, target = EUROPARL[corpus]
        language = source if side == "source" else target
        lines = read_lines(self.data / f"europarl-{source}-{target}.{part}.{language}.xz")
        if part != "dev":
            return lines
        return lines[:-HELD_OUT] if role == "tune" else lines[-HELD_OUT:]
