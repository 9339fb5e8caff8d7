"""Cross-validated scores of all list methods on several sets of candidate lists.

Run `python -m experiments.methods.tables`. Each score is the `cross_validation` of one command
`tunesmith tune nbest ... --folds 5`, whose JSON is stored: what is done is not run again, and the table has
all that is there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.files import read_lines
from tunesmith.generated import HAND_WEIGHTS, candidate_lists
from tunesmith.texts import Texts

METHODS = ("mert", "mira", "corpus-risk", "risk", "pl", "pro", "cll", "search")
FEW_FEATURES = ("mert", "search")
"""Methods that are not run with sparse features."""
FOLDS, SEED = 5, 1
GENERATED = {"generated-1": 101, "generated-2": 102}
"""Seeds of the generated sentences: `-dense` with the system's features, `-sparse` with all."""
SETS = (
    *("moses-default", "moses-mert", "enja"),
    *(f"{name}-{kind}" for kind in ("dense", "sparse") for name in GENERATED),
)
LISTS, SIZE = 500, 40


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int

    def lists(self, name: str) -> tuple[Path, list[Path]]:
        """Return the file of a set of lists and its references; lists that are not there are made."""
        if name.startswith("moses-"):
            lists = self.data / "moses" / f"val.{name.removeprefix('moses-')}.nbest100.gz"
            return lists, [self.data / "multi30k.val.en.xz"]
        if name == "enja":
            return self._decoded(), [self.data / "enja.dev.en.xz"]
        base, _, kind = name.rpartition("-")
        file = self.out / f"{name}.nbest.gz"
        references = [self.out / f"{base}.ref{number}" for number in range(4)]
        if not file.exists():
            _write_generated(GENERATED[base], file, references, sparse=kind == "sparse")
        return file, references

    def _decoded(self) -> Path:
        """Return 100-best lists of Japanese sentences, by an untuned phrase model of Tunesmith."""
        model, lists = self.out / "enja-model", self.out / "enja.nbest.gz"
        texts = ("--source", self.data / "enja.train.ja.xz", "--target", self.data / "enja.train.en.xz")
        if not lists.exists():
            tunesmith("train", *texts, "--aligner", "diagonal", "--threads", self.threads, "-o", model)
            source = ("-i", self.data / "enja.dev.ja.xz", "-o", self.out / "enja.out")
            nbest = ("--nbest", 100, "--nbest-output", lists)
            tunesmith("decode", model, *source, *nbest, "--threads", self.threads, "--quiet")
        return lists


def _write_generated(seed: int, file: Path, references: Sequence[Path], *, sparse: bool) -> None:
    made = candidate_lists(LISTS, seed=seed, size=SIZE)
    features = Features(made.names, made.rows, made.columns, made.values)
    if not sparse:
        kept = [index for index, name in enumerate(made.names) if name in HAND_WEIGHTS]
        matrix = features.to_dense()[:, kept]
        features = Features.from_dense(matrix, [made.names[index] for index in kept])
    pool = Pool(made.ids, made.offsets, features, Texts.of(made.texts))
    pool.write(file, format="moses")
    for path, lines in zip(references, made.references, strict=True):
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def run(name: str, method: str, setting: Setting) -> None:
    """Tune with cross-validation, unless that is done."""
    weights = setting.out / f"{name}.{method}.json"
    if weights.exists():
        return
    lists, references = setting.lists(name)
    named, _, standardized = method.partition("+")
    tunesmith(
        *("tune", "nbest", "--candidates", lists, "--method", named, "--folds", FOLDS, "--seed", SEED),
        *(word for path in references for word in ("--references", path)),
        *(["--standardize", "all"] if standardized else []),
        *("--threads", setting.threads, "-o", weights, "--quiet"),
    )


def table(setting: Setting, sets: Sequence[str], methods: Sequence[str]) -> str:
    """Return the cross-validated BLEU of all commands that were run."""
    lines = ["| lists | first candidates | " + " | ".join(methods) + " |", "|---" * (len(methods) + 2) + "|"]
    scores: dict[str, dict[str, float]] = {}
    for name in sets:
        found = {}
        for method in methods:
            path = setting.out / f"{name}.{method}.json"
            if path.exists():
                found[method] = json.loads("\n".join(read_lines(path)))["cross_validation"]
        if not found:
            continue
        first = next(iter(found.values()))
        low, high = (100 * end for end in first["baseline_interval"])
        cells = [f"{100 * found[method]['score']:.2f}" if method in found else "" for method in methods]
        before = f"{100 * first['baseline']:.2f} ({low:.1f} to {high:.1f})"
        lines.append(f"| {name} | {before} | {' | '.join(cells)} |")
        scores[name] = {method: 100 * each["score"] for method, each in found.items()}
    for kind in ("dense", "sparse"):
        rows = [each for name, each in scores.items() if name.endswith("-sparse") == (kind == "sparse")]
        if len(rows) > 1:
            lines.append(f"| mean, {kind} features | | {' | '.join(_means(rows, methods))} |")
    return "\n".join(lines) + "\n"


def _means(rows: Sequence[Mapping[str, float]], methods: Sequence[str]) -> Iterator[str]:
    """Yield the mean of each method that all rows have."""
    for method in methods:
        values = [row[method] for row in rows if method in row]
        yield f"{sum(values) / len(values):.2f}" if len(values) == len(rows) else ""


def main() -> None:
    """Run what is not done yet, and print the table of all that is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the lists and corpora")
    parser.add_argument("--out", type=Path, default=Path("runs/methods"), help="folder of all that is made")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sets", default=",".join(SETS), help="names, with commas [all]")
    parser.add_argument(
        "--methods", default=",".join(METHODS), help="names, with commas [all]; mira+standardize standardizes"
    )
    given = parser.parse_args()
    setting = Setting(given.data, given.out, given.threads)
    setting.out.mkdir(parents=True, exist_ok=True)
    sets, methods = given.sets.split(","), given.methods.split(",")
    for method in methods:
        for name in sets:
            if not (name.endswith("-sparse") and method.partition("+")[0] in FEW_FEATURES):
                run(name, method, setting)
    text = table(setting, sets, methods)
    print(text)


if __name__ == "__main__":
    main()
