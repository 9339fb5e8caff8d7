"""When a loop of mira should stop: held-out BLEU of each round, on the two halves of Multi30k's val.

Run `python -m experiments.multi30k.stopping`. Loops go on as long as at least 1% of the candidates are new. A
rule that stops earlier has the same rounds up to there, so that one run shows what each rule ends with.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments.commands import DATA, tunesmith
from tunesmith.files import read_lines
from tunesmith.tuning import tune_model
from tunesmith.tuning.history import Record
from tunesmith.tuning.loop import stopping

SHARES = {"any not improved": 1.0, "... with at most 10% new": 0.1, "... with at most 1% new": 0.01}
"""What ends a loop: a round that does not improve the objective, with no more new candidates than this."""
SHARE = 0.1
HALVES = ("first", "second")


def write_halves(data: Path, out: Path) -> None:
    """Write the two halves of val."""
    for language in ("de", "en"):
        lines = read_lines(data / f"multi30k.val.{language}.xz")
        middle = len(lines) // 2
        for half, part in zip(HALVES, (lines[:middle], lines[middle:]), strict=True):
            (out / f"{half}.{language}").write_text("".join(line + "\n" for line in part), encoding="utf-8")


def run(model: Path, out: Path, half: str, seed: int, iterations: int, threads: int) -> None:
    """Tune on a half, and score each round on the other."""
    stopping.MANY_NEW = min(SHARES.values())
    (other,) = (each for each in HALVES if each != half)
    tune_model(
        model,
        out / f"{half}.de",
        out / f"{half}.en",
        "mira",
        select_source=out / f"{other}.de",
        select_references=out / f"{other}.en",
        output=out / f"{half}-{seed}",
        seed=seed,
        iterations=iterations,
        frozen=["UnknownWordPenalty0"],
        threads=threads,
        progress=print,
    )


def last(records: Sequence[Record], share: float) -> Record:
    """Return the record of the weights that a rule ends with."""
    for record in records:
        worse = "loss" in record and not record["loss"] < record["start_loss"]
        if worse and record["new"] <= share * record["candidates"]:
            return record
    return records[-1]


def table(out: Path, names: Sequence[str]) -> str:
    """Return the round that each rule ends with, and BLEU of its weights on the other half."""
    lines = ["| tuned on, seed | " + " | ".join(SHARES) + " |", "|---" * (1 + len(SHARES)) + "|"]
    scores: dict[str, list[float]] = {rule: [] for rule in SHARES}
    rounds: dict[str, list[int]] = {rule: [] for rule in SHARES}
    for name in names:
        records = [json.loads(line) for line in read_lines(out / name / "history.jsonl")]
        cells = []
        for rule, share in SHARES.items():
            found = last(records, share)
            scores[rule].append(100 * found["dev_score"])
            rounds[rule].append(found["iteration"])
            new = f", {found['new'] / found['candidates']:.1%} new" if "new" in found else ""
            cells.append(f"{scores[rule][-1]:.2f} (round {found['iteration']}{new})")
        lines.append(f"| {name.replace('-', ' half, ')} | {' | '.join(cells)} |")
    count = len(names)
    means = [f"{sum(scores[rule]) / count:.2f} ({sum(rounds[rule]) / count:.1f} rounds)" for rule in SHARES]
    lines.append(f"| mean | {' | '.join(means)} |")
    return "\n".join(lines) + "\n"


def changes(out: Path, names: Sequence[str]) -> str:
    """Return by how much held-out BLEU changed after rounds with many and with few new candidates.

    The first round, in which all candidates are new, does not count.
    """
    many: list[float] = []
    few: list[float] = []
    for name in names:
        records = [json.loads(line) for line in read_lines(out / name / "history.jsonl")]
        for before, after in itertools.pairwise(records[1:]):
            found = many if before["new"] > SHARE * before["candidates"] else few
            found.append(100 * (after["dev_score"] - before["dev_score"]))
    lines = [
        "| new candidates of the round | rounds | mean change | deviation |",
        "|---|---|---|---|",
    ]
    for what, found in ((f"more than {SHARE:.0%}", many), (f"at most {SHARE:.0%}", few)):
        mean, deviation = float(np.mean(found)), float(np.std(found))
        lines.append(f"| {what} | {len(found)} | {mean:+.2f} | {deviation:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is not done yet, and print the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the multi30k files")
    parser.add_argument("--out", type=Path, default=Path("runs/stopping"), help="folder of all that is made")
    parser.add_argument("--seeds", default="1,2,3", help="seeds, with commas")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    write_halves(given.data, given.out)
    model = given.out / "phrase"
    texts = [given.data / f"multi30k.train.{language}.xz" for language in ("de", "en")]
    options = ("--aligner", "diagonal", "--threads", given.threads)
    tunesmith("train", "--source", texts[0], "--target", texts[1], *options, "-o", model)
    for seed in given.seeds.split(","):
        for half in HALVES:
            run(model, given.out, half, int(seed), given.iterations, given.threads)
    names = sorted(path.parent.name for path in given.out.glob("*/history.jsonl"))
    print(table(given.out, names))
    print(changes(given.out, names))


if __name__ == "__main__":
    main()
