"""What the two experiments share: data and the model."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from tunesmith.files import read_lines

TUNING = "val"
TESTS = ("test_2016", "test_2017", "test_2017_coco")


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go; `sentences` of the tuning set, for trying things out (0: all)."""

    data: Path
    out: Path
    threads: int = 2
    sentences: int = 0

    def text(self, part: str, language: str) -> Path:
        """Return a file of a part of the data."""
        whole = self.data / f"multi30k.{part}.{language}.xz"
        if part == "train" or self.sentences == 0:
            return whole
        cut = self.out / f"first-{self.sentences}.{part}.{language}"
        if not cut.exists():
            cut.parent.mkdir(parents=True, exist_ok=True)
            cut.write_text("".join(f"{line}\n" for line in self.lines(part, language)), encoding="utf-8")
        return cut

    def lines(self, part: str, language: str) -> list[str]:
        """Return the sentences of a part of the data."""
        lines = read_lines(self.data / f"multi30k.{part}.{language}.xz")
        return lines[: self.sentences or None]

    def model(self) -> Path:
        """Train the hierarchical model, unless that is done."""
        directory = self.out / "hiero"
        options = ["--aligner", "diagonal", "--kind", "hiero", "--grammar", "global", "--lm-order", "4"]
        source, target = self.text("train", "de"), self.text("train", "en")
        where = ("--threads", self.threads, "-o", directory)
        tunesmith("train", "--source", source, "--target", target, *options, *where)
        return directory


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of the options that both experiments have."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the multi30k files")
    parser.add_argument("--out", type=Path, default=Path("runs/pl"), help="folder of all that is made")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sentences", type=int, default=0, help="of each set, to try things out [all]")
    return parser


def setting_of(given: argparse.Namespace) -> Setting:
    """Return the setting that parsed options stand for."""
    return Setting(given.data, given.out, given.threads, given.sentences)
