"""Standardized features in loops of `mira`: BLEU of select text with each way, over pairs and seeds.

Run `python -m experiments.defaults.scales`. What is done is not run again, and the table has all that is
there.
"""

from __future__ import annotations

import argparse
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from experiments.commands import DATA, tunesmith
from experiments.defaults.tables import PAIRS, Setting, Settings
from experiments.prepared import prepared
from experiments.replicas import mean_bleu, p_value, translations
from tunesmith.candidates.mapped import read_mapped
from tunesmith.files import read_lines
from tunesmith.tuning import tune_model
from tunesmith.tuning.standardize import Standardized, dense_deviations

WAYS: tuple[Standardized, ...] = ("dense", "none", "mean")
NAMES = ("de-en", "ja-en", "zh-en", "europarl")
TUNED, SELECTED, ROUNDS = 300, 600, 6


@dataclass(frozen=True)
class Scales:
    """Where texts and results are."""

    texts: Setting
    out: Path

    def text(self, name: str, role: str, side: str) -> Path:
        """Return the first lines of the text of a role."""
        path = self.out / name / f"{role}.{side}"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = read_lines(self.texts.text(name, role, side))[: TUNED if role == "dev" else SELECTED]
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    def model(self, name: str) -> Path:
        """Return the phrase model with default options."""
        folder = self.texts.model(name, "phrase", Settings())
        if not (folder / "manifest.json").exists():
            files = (f"--{side}={self.texts.text(name, 'train', side)}" for side in ("source", "target"))
            tunesmith("train", *files, *PAIRS[name].raw, "--threads", 1, "-o", folder)
        return folder

    def references(self, name: str) -> Path:
        """Return the target side of the select text, in the form of translations."""
        text = self.text(name, "select", "target")
        return prepared(text, PAIRS[name].raw, lambda: self.model(name))

    def run(self, name: str, way: Standardized, seed: int) -> None:
        """Tune and translate, if that is not done."""
        out = self.out / name / way / str(seed)
        if (out / "select.out").exists():
            return
        model, raw = self.model(name), bool(PAIRS[name].raw)
        source, target = (self.text(name, "dev", side) for side in ("source", "target"))
        print(name, way, seed, flush=True)
        tune_model(
            model,
            source,
            target,
            "mira",
            output=out,
            iterations=ROUNDS,
            select="metric",
            seed=seed,
            standardize=way,
            prepare=raw,
            threads=1,
            progress=lambda line: print(line, flush=True),
        )
        files = ("-i", self.text(name, "select", "source"), "-o", out / "select.out", "--threads", 1)
        tunesmith("decode", model, *files, "--weights", out / "weights.json", *(["--prepare"] * raw))

    def factor(self, name: str) -> str:
        """Return by what factor the deviations of dense features differ in the lists of the first round."""
        pools = sorted(self.out.glob(f"{name}/dense/1/rounds/1.pool"))
        if not pools:
            return ""
        found = dense_deviations(read_mapped(pools[0]))
        found = found[found > 0]
        return f"{np.max(found) / np.min(found):.1f}"


def _tuned(folder: Path) -> str:
    """Return the mean over seeds of BLEU on the tuning set, of the weights that were chosen."""
    scores = [
        json.loads((each / "weights.json").read_text())["score"] for each in sorted(folder.glob("[0-9]*"))
    ]
    return f"{100 * sum(scores) / len(scores):.2f}"


def main() -> None:
    """Run what is not done yet, and print the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/scales"), help="folder of all results")
    parser.add_argument("--pairs", default=",".join(NAMES), help="names, with commas [all]")
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    scales = Scales(Setting(given.data, given.out / "texts", 1, 1, choose=True), given.out)
    names = given.pairs.split(",")
    for name, seed, way in itertools.product(names, range(1, given.seeds + 1), WAYS):
        scales.run(name, way, seed)
    print("| pair | factor | standardized | seeds | BLEU dev | BLEU select | p, against dense |")
    print("|---|---|---|---|---|---|---|")
    for name, way in itertools.product(names, WAYS):
        outputs = translations(scales.out / name / way, "*", "select")
        first, wanted = translations(scales.out / name / "dense", "*", "select"), scales.references(name)
        scores = (_tuned(scales.out / name / way), mean_bleu(outputs, wanted))
        cells = (name, scales.factor(name), way, str(len(outputs)), *scores, p_value(first, outputs, wanted))
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
