"""Which method for a decoder in the loop: BLEU of select text by round, over several language pairs.

Run `python -m experiments.methods.loops`. Finished loops are not run again, and the table has all that are
there. Tuning sets are small on purpose: 250 or 500 sentences, of which methods may fit too much.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.commands import DATA, tunesmith
from tunesmith.files import read_lines
from tunesmith.tuning.history import Record

RAW = ("--source-language", "fr", "--target-language", "en", "--tokenize", "moses", "--case", "lower")
HELD_OUT = 1000
"""Last pairs of the training text, which models are not trained on: select text is drawn from them."""
WIDE = ("--distortion-limit", 12)

METHODS: dict[str, tuple[object, ...]] = {
    "mira": ("--method", "mira"),
    "mira-plain": ("--method", "mira", "--no-standardize"),
    "mert": ("--method", "mert", "--allowance", 0),
    "mert-allowance-1": ("--method", "mert", "--allowance", 1),
    "mert-allowance-2": ("--method", "mert", "--allowance", 2),
    "pro": ("--method", "pro"),
    "pro-plain": ("--method", "pro", "--no-length-search"),
    "pl": ("--method", "pl"),
    "pl-plain": ("--method", "pl", "--no-length-search", "--ties", "random", "--sample", 3),
}
"""Options of `tune model` by name: methods as they are by default, and as they were before."""


@dataclass(frozen=True)
class Language:
    """A language pair: tune on the first sentences of dev, select on the rest of it and on held-out pairs."""

    corpus: str
    dev: str
    source: str
    target: str
    tuned: int
    rest: int
    held_out: int
    search: tuple[object, ...] = ()
    raw: tuple[object, ...] = ()
    """Options of `train` that its raw text needs."""
    size: int | None = None
    """Pairs of the training text, from the first [all]."""

    @property
    def prepare(self) -> tuple[object, ...]:
        """The option by which commands tokenize raw text as the model does."""
        return ("--prepare",) if self.raw else ()


LANGUAGES = {
    "ja-en": Language("enja", "dev", "ja", "en", 250, 250, 350, WIDE),
    "en-ja": Language("enja", "dev", "en", "ja", 250, 250, 350, WIDE),
    "de-en": Language("multi30k", "val", "de", "en", 500, 0, 600),
    "europarl": Language("europarl-fr-en", "dev", "fr", "en", 500, 1000, 0, raw=RAW, size=60_000),
}


@dataclass(frozen=True)
class Setting:
    """Where data lies and results go."""

    data: Path
    out: Path
    threads: int
    iterations: int
    seed: int = 1

    def text(self, name: str, role: str, side: str) -> Path:
        """Return the text of a role, train, tune or select; it is written unless it is there."""
        pair = LANGUAGES[name]
        path = self.out / name / f"{role}.{side}"
        if not path.exists():
            language = pair.source if side == "source" else pair.target
            train, dev = (
                read_lines(self.data / f"{pair.corpus}.{part}.{language}.xz") for part in ("train", pair.dev)
            )
            train = train[: pair.size]
            kept = train[-HELD_OUT:]
            held_out = kept[: pair.held_out] if pair.rest else kept[-pair.held_out :]
            lines = {
                "train": train[:-HELD_OUT],
                "tune": dev[: pair.tuned],
                "select": dev[pair.tuned : pair.tuned + pair.rest] + held_out,
            }[role]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    def model(self, name: str) -> Path:
        """Train the phrase model of a pair, unless that is done."""
        model = self.out / name / "model"
        source, target = (self.text(name, "train", side) for side in ("source", "target"))
        if not model.exists():
            texts = ("--source", source, "--target", target, "--aligner", "hmm", *LANGUAGES[name].raw)
            tunesmith("train", *texts, "--threads", self.threads, "-o", model, "--quiet")
        return model

    def loop(self, name: str, method: str) -> Path:
        """Return the folder of a loop, which is run if it is not done."""
        folder = self.out / name / (method if self.seed == 1 else f"{method}.{self.seed}")
        source, target = (self.text(name, "tune", side) for side in ("source", "target"))
        chosen = [self.text(name, "select", side) for side in ("source", "target")]
        tunesmith(
            *("tune", "model", self.model(name), "--source", source, "--references", target),
            *("--select-source", chosen[0], "--select-references", chosen[1]),
            *("--freeze", "UnknownWordPenalty0", *LANGUAGES[name].search, *METHODS[method]),
            *("--iterations", self.iterations, "--seed", self.seed, *LANGUAGES[name].prepare),
            *("--threads", self.threads, "--quiet", "-o", folder),
        )
        return folder


def row(name: str, method: str, records: Sequence[Record]) -> str:
    """Return the line of a loop: the last weights, the round with the best select score, and all rounds."""
    select = [100 * record["dev_score"] for record in records]
    lengths = [record["dev_components"]["length_ratio"] for record in records]
    best = max(range(len(select)), key=lambda number: (100 * records[number]["score"], -number))
    last = f"{select[-1]:.2f} ({lengths[-1]:.3f})"
    chosen = f"{select[best]:.2f} ({lengths[best]:.3f})"
    rounds = " ".join(f"{score:.1f}" for score in select)
    return f"| {name} | {method} | {100 * records[-1]['score']:.2f} | {last} | {chosen} | {rounds} |"


def options(description: str | None, folder: str, help_: str, **names: Iterable[str]) -> ArgumentParser:
    """Return the options of an experiment: where data lies, and which names of each kind to run."""
    parser = ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument(folder, type=Path, default=Path("runs/loops"), help=help_)
    parser.add_argument("--threads", type=int, default=2)
    for kind, known in names.items():
        parser.add_argument(f"--{kind}", default=",".join(known), help="names, with commas [all]")
    return parser


def main() -> None:
    """Run what is not done yet, and print the table of all that is."""
    parser = options(__doc__, "--out", "folder of all that is made", pairs=LANGUAGES, methods=METHODS)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    setting = Setting(given.data, given.out, given.threads, given.iterations, given.seed)
    lines = [
        "| pair | method | tuning set | select text, last weights (length) | best round on the tuning set |"
        " select text by round |",
        "|---|---|---|---|---|---|",
    ]
    for name in given.pairs.split(","):
        for method in given.methods.split(","):
            history = setting.loop(name, method) / "history.jsonl"
            lines.append(row(name, method, [json.loads(line) for line in read_lines(history)]))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
