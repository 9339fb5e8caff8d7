"""Interpolating language models: time and memory beside training one of the same size, and perplexities.

    python -m benchmarks.lm_interpolate [--text FILE --dev FILE] [--order 5] [--rounds 3]

Models of the two halves of a text are mixed; the mixture has the n-grams of a model of the whole text.
Without files the text is Europarl's English, as in lm_estimate, and weights are given instead of fitted.
Every row is a command in a process of its own, start included, on two threads: the quickest of --rounds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.command import measure_command
from benchmarks.lm_estimate import prepare
from benchmarks.machine import SHARED
from tunesmith.lm import LanguageModel


def split(text: Path, folder: Path) -> None:
    """Write the halves of a text."""
    lines = text.read_bytes().splitlines(keepends=True)
    middle = len(lines) // 2
    (folder / "first").write_bytes(b"".join(lines[:middle]))
    (folder / "second").write_bytes(b"".join(lines[middle:]))


def show_times(text: Path, weighing: list[object], order: int, folder: Path, rounds: int) -> None:
    """Train and mix, and print a table of both."""
    print("| command | wall s | CPU s | peak MB | M n-grams | CPU / training the whole |")
    print("|---|---|---|---|---|---|")
    trained = {"the whole": text, "the first half": folder / "first", "the second half": folder / "second"}
    names = {"the whole": "whole.bin", "the first half": "first.bin", "the second half": "second.bin"}
    whole = 0.0
    threads = ["--threads", 2, "--quiet"]
    rows = [
        (f"`lm train`, {name}", ["train", path, "--order", order], folder / names[name], [])
        for name, path in trained.items()
    ]
    halves = [folder / "first.bin", folder / "second.bin"]
    as_text = [folder / "first.arpa", folder / "second.arpa"]
    rows += [
        ("`lm interpolate`, binaries", ["interpolate", *halves, *weighing], folder / "mixed.bin", []),
        (
            "`lm interpolate`, ARPA to ARPA",
            ["interpolate", *as_text, *weighing],
            folder / "mixed.arpa",
            as_text,
        ),
    ]
    for name, words, output, needed in rows:
        for path in needed:
            LanguageModel.open(path.with_suffix(".bin")).write_arpa(path)
        done = measure_command("lm", *words, "-o", output, *threads, rounds=rounds)
        whole = whole or done.cpu
        ngrams = sum(LanguageModel.open(output).counts) / 1e6
        print(
            f"| {name} | {done.seconds:.1f} | {done.cpu:.1f} | {done.megabytes:.0f} | {ngrams:.1f} |"
            f" {done.cpu / whole:.2f} |"
        )


def show_perplexities(dev: Path, folder: Path) -> None:
    """Print what `lm interpolate` reports on a text, and the perplexity of a model of the whole text."""
    words = ["lm", "interpolate", folder / "first.bin", folder / "second.bin", "--text", dev, "--json", "-q"]
    command = [sys.executable, "-m", "tunesmith", *map(str, words), "-o", str(folder / "mixed.bin")]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    whole = LanguageModel.open(folder / "whole.bin").perplexity(dev.read_text(encoding="utf-8").splitlines())
    first, second = found["alone"]
    rows = (("first half", first), ("second half", second), ("exact mixture", found["exact"]))
    print(
        f"\nOn {found['tokens']:,} tokens, weights {found['weights'][0]:.3f} and {found['weights'][1]:.3f}:\n"
    )
    print("| model | unknown words | perplexity | of common words |")
    print("|---|---|---|---|")
    for name, row in (*rows, ("mixture as written", found["written"])):
        print(f"| {name} | {row['unknown']} | {row['perplexity']:.2f} | {row['of_common_words']:.2f} |")
    print(f"| whole text | {whole.unknown} | {whole.including_unknown:.2f} | |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--text", type=Path, help="tokenized text instead of Europarl's")
    parser.add_argument("--dev", type=Path, help="tokenized text to fit weights to")
    parser.add_argument("--order", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.text is None and not (SHARED / "data").is_dir():
        print("the shared data is not here: name a text")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = options.text or prepare()
        split(text, folder)
        weighing = ["--mixture-weights", "0.5,0.5"] if options.dev is None else ["--text", options.dev]
        show_times(text, weighing, options.order, folder, options.rounds)
        if options.dev is not None:
            show_perplexities(options.dev, folder)


if __name__ == "__main__":
    main()
