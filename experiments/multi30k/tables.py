"""Tuned systems of all kinds on Multi30k: BLEU beside Moses', and how many decoder runs each method took.

Run `python -m experiments.multi30k.tables`. Each system has a folder: what `tunesmith tune model` wrote, and
its translations. What is done is not run again, and the tables have all systems that are there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from tunesmith.files import read_lines
from tunesmith.metrics import evaluate

TUNING = "val"
TESTS = ("test_2016", "test_2017", "test_2017_coco")
SEEDS = (1, 2, 3, 4, 5, 6)
SYSTEMS = (
    *("phrase-mira-1", "phrase-pro-1", "phrase-pl-1", "hiero-mira-1", "itg-mira-1"),
    *(f"phrase-{method}-{seed}" for seed in SEEDS for method in ("mert", "forest-mert")),
    *("phrase-forest-mira-1", "phrase-cobleu-1", "phrase-corpus-risk-1"),
)
BEST_ON_TUNING = ("mira", "pro", "pl")
MOSES = {
    "phrase, default weights": (39.16, 40.15, 34.28, 28.32),
    "phrase, MERT (first seed)": (41.20, 40.06, 34.84, 28.12),
    "phrase, kbmira": (40.83, 40.04, 34.98, 27.75),
    "phrase, PRO": (40.46, 40.45, 34.93, 27.56),
    "hiero, kbmira": (40.47, 40.09, 34.76, 27.58),
}
"""BLEU of val and the tests: Moses (2025 source), fast_align and KenLM on the same files and setting."""


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int
    iterations: int

    def text(self, part: str, language: str) -> Path:
        """Return a file of a part of the data."""
        return self.data / f"multi30k.{part}.{language}.xz"

    def model(self, kind: str) -> Path:
        """Train a model, unless that is done."""
        directory = self.out / kind
        if kind == "itg":
            tunesmith("itg", self.model("phrase"), "-o", directory)
            return directory
        grammar = ("--grammar", "global") if kind == "hiero" else ()
        texts = ("--source", self.text("train", "de"), "--target", self.text("train", "en"))
        options = ("--kind", kind, *grammar, "--aligner", "diagonal", "--threads", self.threads)
        tunesmith("train", *texts, *options, "-o", directory)
        return directory


def run(name: str, setting: Setting) -> None:
    """Train, tune and translate, as far as that is not done."""
    kind, method, seed = _parts(name)
    folder = setting.out / name
    select = ("--select", "metric" if method in BEST_ON_TUNING else "objective")
    tunesmith(  # which has nothing to do where all is done
        *("tune", "model", setting.model(kind), "--source", setting.text(TUNING, "de")),
        *("--references", setting.text(TUNING, "en"), "--method", method, "--metric", "bleu", *select),
        *("--iterations", setting.iterations, "--nbest", 100, "--threads", setting.threads),
        *("--seed", seed, "-o", folder),
    )
    for part in (TUNING, *TESTS):
        output = folder / f"{part}.out"
        if not output.exists():
            where = ("-i", setting.text(part, "de"), "-o", output, "--threads", setting.threads)
            weights = ("--weights", folder / "weights.json")
            tunesmith("decode", setting.out / kind, *where, *weights, "--quiet")


def _parts(name: str) -> tuple[str, str, int]:
    kind, _, rest = name.partition("-")
    method, _, seed = rest.rpartition("-")
    return kind, method, int(seed)


def scores_table(names: Sequence[str], setting: Setting) -> str:
    """Return BLEU of all sets, and the average over the tests."""
    lines = [
        "| system | val | " + " | ".join(TESTS) + " | average of tests |",
        "|---" * (len(TESTS) + 3) + "|",
    ]
    rows: dict[str, tuple[float, ...]] = {f"Moses: {name}": scores for name, scores in MOSES.items()}
    for name in names:
        rows[name] = tuple(
            100
            * evaluate(
                ["bleu"],
                read_lines(setting.out / name / f"{part}.out"),
                [read_lines(setting.text(part, "en"))],
                resamples=0,
            )[0].score
            for part in (TUNING, *TESTS)
        )
    for name, scores in rows.items():
        cells = " | ".join(f"{score:.2f}" for score in (*scores, sum(scores[1:]) / len(TESTS)))
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines) + "\n"


def runs_table(names: Sequence[str], setting: Setting) -> str:
    """Return decoder runs, and decoded BLEU of the tuning set under the weights of each run."""
    lines = ["| system | decoder runs | BLEU of val by run |", "|---|---|---|"]
    for name in names:
        history = [json.loads(line) for line in read_lines(setting.out / name / "history.jsonl")]
        scores = " ".join(f"{100 * record['score']:.2f}" for record in history)
        lines.append(f"| {name} | {len(history)} | {scores} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is not done yet, and write the tables of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the multi30k files")
    parser.add_argument("--out", type=Path, default=Path("runs/multi30k"), help="folder of all that is made")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=15, help="decoder runs at most")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="names, with commas [all]")
    given = parser.parse_args()
    if unknown := set(given.systems.split(",")) - set(SYSTEMS):
        parser.error(f"no such systems: {', '.join(sorted(unknown))}; there are {', '.join(SYSTEMS)}")
    setting = Setting(given.data, given.out, given.threads, given.iterations)
    for name in given.systems.split(","):
        run(name, setting)
    last = f"{TESTS[-1]}.out"
    done = sorted(path.parent.name for path in setting.out.glob(f"*/{last}"))
    text = scores_table(done, setting) + "\n" + runs_table(done, setting)
    (setting.out / "tables.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
