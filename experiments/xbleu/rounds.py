"""Repeated decoding: each round trains on lists of the model that the round before made, on Multi30k.

Run `python -m experiments.xbleu.rounds`. It needs the model and the weights of `hrm` that
`experiments.xbleu.tables` makes, and writes nothing there. What is done is not run again.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.commands import DATA, tunesmith
from experiments.texts import RoleTexts
from tunesmith.files import read_lines
from tunesmith.metrics import evaluate
from tunesmith.xbleu.reordering import TrainedReordering

CORPUS = "multi30k"
NAMES = {"local": "SparseHRMLocal", "hrm": "SparseHRM", "biphrases": "SparseHRMBiPhrases"}
HEADER = (
    "| round | lists, all rounds | expected BLEU, held out | BLEU, held out | oracle sentence BLEU"
    " | BLEU select, start weights | BLEU select, mira |"
)


@dataclass(frozen=True)
class Rounds:
    """Where the baseline is, where results go, and how much is done."""

    baseline: Path
    data: Path
    out: Path
    rounds: int
    pairs: int
    features: str
    smoothing: str
    threads: int

    @property
    def weights(self) -> Path:
        """Those of the baseline, which all lists are made with."""
        return self.baseline / "hrm" / "tuned.json"

    def folder(self, number: int) -> Path:
        """Return the folder of a round; round 0 is the baseline."""
        return self.out / str(number)

    def model(self, number: int) -> Path:
        """Return the model of a round."""
        return self.folder(number) / "model" if number else self.baseline / "model"

    def run(self, number: int) -> None:
        """Make lists with the model of the round before, train further, and attach to the plain model."""
        folder, before = self.folder(number), self.folder(number - 1)
        options: tuple[object, ...] = ("--nbest", 100, "--pairs", self.pairs, "--seed", 1)
        options += ("--threads", self.threads, "--fold-folder", self.out / "folds")
        options += ("--retrain", NAMES[self.features]) if number > 1 else ("--weights", self.weights)
        tunesmith("xbleu", "lists", self.model(number - 1), *options, "-o", folder / "lists")
        options = ("--features", self.features, "--smoothing", self.smoothing, "--seed", 1)
        if number > 1:
            options += ("--start", before / "reordering")
            for each in range(1, number):
                options += ("--with", self.folder(each) / "lists")
        tunesmith("xbleu", "train", folder / "lists", *options, "-o", folder / "reordering")
        tunesmith(
            "xbleu", "attach", self.model(0), folder / "reordering", "-o", self.model(number), "--quiet"
        )

    def scored(self, number: int, weights: Path | None, name: str) -> str:
        """Translate the select text, unless that is done, and return its BLEU."""
        texts = RoleTexts(self.data, self.out)
        output = self.folder(number) / f"{name}.out"
        if not output.exists():
            output.parent.mkdir(parents=True, exist_ok=True)
            files = ("-i", texts.text(CORPUS, "select", "source"), "-o", output)
            more = () if weights is None else ("--weights", weights)
            tunesmith("decode", self.model(number), *files, *more, "--threads", self.threads)
        references = [read_lines(texts.text(CORPUS, "select", "target"))]
        return f"{100 * evaluate(['bleu'], read_lines(output), references, resamples=0)[0].score:.2f}"

    def tuned(self, number: int) -> Path:
        """Tune the model of a round, unless that is done; return the weights."""
        texts, output = RoleTexts(self.data, self.out), self.folder(number) / "mira"
        sides = (texts.text(CORPUS, "tune", side) for side in ("source", "target"))
        files = [item for pair in zip(("--source", "--references"), sides, strict=True) for item in pair]
        options: tuple[object, ...] = (
            "--method",
            "mira",
            "--no-standardize",
            "--iterations",
            6,
            "--freeze",
            "Unknown*",
        )
        if number == 0:
            options += ("--start", self.weights)
        tunesmith(
            "tune", "model", self.model(number), *files, *options, "--threads", self.threads, "-o", output
        )
        return output / "weights.json"

    def row(self, number: int, tune: bool) -> str:
        """Return the measures of a round as a row of the table."""
        start = self.weights if number == 0 else None
        select = self.scored(number, start, "start")
        mira = self.scored(number, self.tuned(number), "mira.select") if tune else ""
        if number == 0:
            return f"| `hrm` | | | | | {select} | {mira} |"
        record = TrainedReordering.open(self.folder(number) / "reordering").record
        before, after = record["start"], record["history"][record["epoch"] - 1]
        lists = record["lists"]["training"] + record["lists"]["held_out"]
        oracle = f"{100 * before['oracle_sentence_bleu']:.2f}"
        cells = (number, lists, _change(before, after, "expected_bleu"), _change(before, after, "bleu"))
        return f"| {' | '.join(map(str, (*cells, oracle, select, mira)))} |"


def _change(before: dict[str, Any], after: dict[str, Any], key: str) -> str:
    return f"{100 * before[key]:.2f} to {100 * after[key]:.2f}"


def main() -> None:
    """Run the rounds that are not done yet, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--baseline", type=Path, default=Path("runs/xbleu/multi30k"), help="of `tables`")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/xbleu-rounds"), help="folder of all results")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=28_000, help="sentence pairs per store, the same ones")
    parser.add_argument("--features", choices=NAMES, default="local")
    parser.add_argument("--smoothing", default="add-one")
    parser.add_argument("--no-tuning", action="store_true", help="leave out the column of mira")
    parser.add_argument("--threads", type=int, default=2)
    given = vars(parser.parse_args())
    tune = not given.pop("no_tuning")
    rounds = Rounds(**given)
    lines = [HEADER, "|---" * 7 + "|", rounds.row(0, tune)]
    for number in range(1, rounds.rounds + 1):
        rounds.run(number)
        lines.append(rounds.row(number, tune))
        (rounds.out / "table.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
