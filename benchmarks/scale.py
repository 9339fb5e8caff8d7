"""Growth with the text: a phrase model and an index of rules from 300,000 and from 2,000,000 pairs.

    python -m benchmarks.scale [--texts europarl,generated] [--pairs 300000,2000000] [--online 10000,50000]
        [--keep FOLDER]

Default options but for the preparation of raw text, on all cores. `europarl` is French-English, 300,113
pairs, repeated as often as needed; in each repetition three in ten words, drawn anew per word and repetition,
get a name of their own, so that the vocabulary, n-grams and phrases grow as in new text. `generated` is the
built-in corpus. The index has the alignments of the phrase model. Memory is a peak of all processes, of
their own and with mapped files, which the system may take back; disk is what the command has on it at most,
scratch files included. A step grows linearly if its ratio is that of the tokens; sorting may take more.

`online` is one iteration of passive-aggressive learning with five templates, on a model of the first 50,000
pairs of Europarl with ten folds: from 10,000 of these sentences and from all, each translated without the
fold that it is in. It takes an hour on two cores in all, and runs only if it is named; what is in `--keep`
already is not run again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.machine import SHARED
from benchmarks.watched import Watched, size_of, watch
from tunesmith.files import open_write
from tunesmith.generated import write_corpus

RENAMED = 3
"""Of ten words, those that have another name in a repetition."""
WORD = re.compile(r"[^\W\d_]+")
RAW = ("--source-language", "fr", "--target-language", "en", "--tokenize", "moses", "--case", "lower")
FOLDS = 10
TEMPLATES = "rule-identity,target-bigrams,word-translations,phrase-length,word-deletion"


@dataclass(frozen=True)
class Run:
    """A command that was watched, and what it left."""

    watched: Watched
    steps: dict[str, float]
    size: float
    """MB of its folder after it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--texts", default="europarl,generated")
    parser.add_argument("--pairs", default="300000,2000000")
    parser.add_argument("--online", default="10000,50000")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if not (SHARED / "data/europarl-fr-en.train.fr.xz").exists():
        print("skipped: the shared data is not beside this checkout")
        return
    sizes, sentences = (
        [int(word) for word in text.split(",") if word] for text in (given.pairs, given.online)
    )
    with tempfile.TemporaryDirectory() as made:
        folder = given.keep or Path(made)
        for name in filter(None, given.texts.split(",")):
            measure_training(name, sizes, folder)
        if sentences:
            measure_online(sentences, folder)


def measure_training(name: str, sizes: list[int], folder: Path) -> None:
    """Print a table per kind of model: steps in rows, numbers of pairs in columns."""
    runs: dict[str, list[Run]] = {"phrase": [], "hiero": []}
    tokens = []
    for pairs in sizes:
        here = folder / f"{name}-{pairs}"
        source, target = write_text(name, pairs, here)
        options: tuple[object, ...] = ("--kind", "phrase", *(RAW if name == "europarl" else ()))
        command = ("train", "--source", source, "--target", target)
        runs["phrase"].append(run((*command, *options), here / "phrase"))
        source, target = (here / "phrase" / f"{side}.txt" for side in ("source", "target"))
        command = ("train", "--source", source, "--target", target)
        options = ("--kind", "hiero", "--alignment", here / "phrase" / "alignment.gz")
        runs["hiero"].append(run((*command, *options), here / "hiero"))
        tokens.append(sum(count_tokens(path) for path in (source, target)))
    for kind, found in runs.items():
        print(f"\n### {name}, {kind}\n")
        print_table([f"{pairs:,} pairs" for pairs in sizes], tokens, found)


def measure_online(sizes: list[int], folder: Path) -> None:
    """Print a table of online learning: what it takes in rows, numbers of sentences in columns."""
    here = folder / f"online-{max(sizes)}"
    source, target = write_text("europarl", max(sizes), here)
    run(("train", "--source", source, "--target", target, *RAW, "--folds", FOLDS), here / "model")
    runs, tokens = [], []
    for sentences in sizes:
        texts = [here / f"{sentences}.{side}" for side in ("source", "target")]
        for path in texts:
            lines = (here / "model" / f"{path.suffix[1:]}.txt").read_text(encoding="utf-8").split("\n")
            path.write_text("\n".join(lines[:sentences]).rstrip("\n") + "\n", encoding="utf-8")
        options = ("--source", texts[0], "--references", texts[1], "--jackknife", "--templates", TEMPLATES)
        command = ("tune", "online", here / "model", *options, "--epochs", 1, "--no-score-tuning")
        runs.append(run(command, here / f"run-{sentences}"))
        tokens.append(sum(map(count_tokens, texts)))
    print("\n### online\n")
    print_table([f"{sentences:,} sentences" for sentences in sizes], tokens, runs)


def print_table(names: list[str], tokens: list[int], runs: list[Run]) -> None:
    """Print rows of what runs took, with the ratio of the last run to the first."""
    rows: dict[str, list[float]] = {"tokens, M": [count / 1e6 for count in tokens]}
    for step in runs[0].steps:
        rows[f"{step}, s"] = [one.steps[step] for one in runs]
    rows["**all, s**"] = [one.watched.seconds for one in runs]
    rows["CPU s"] = [one.watched.cpu for one in runs]
    rows["peak of own memory, GB"] = [one.watched.most_own / 1024 for one in runs]
    rows["the same and mapped files, GB"] = [one.watched.resident / 1024 for one in runs]
    rows["peak of the disk, GB"] = [one.watched.disk / 1000 for one in runs]
    rows["its folder after it, GB"] = [one.size / 1000 for one in runs]
    print(f"| | {' | '.join(names)} | ratio |\n|---|{'---|' * len(names)}---|")
    for name, values in rows.items():
        digits = 2 if name.endswith("GB") else 1
        cells = [f"{value:,.{digits}f}" for value in values]
        ratio = f"{values[-1] / values[0]:.2f}" if values[0] > 10**-digits else ""
        print(f"| {name} | {' | '.join(cells)} | {ratio} |", flush=True)


def run(command: tuple[object, ...], output: Path) -> Run:
    """Run a command unless it is done, and return what it took."""
    record = output.with_name(f"{output.name}.watched.json")
    if not record.exists():
        shutil.rmtree(output, ignore_errors=True)  # of a run that was killed
        words = (sys.executable, "-m", "tunesmith", *command, "-o", output)
        before = size_of(output.parent)
        watched = watch(words, folder=output.parent, verbose=True)
        watched = replace(watched, disk=watched.disk - before)
        record.write_text(json.dumps({"watched": asdict(watched), "size": size_of(output)}), encoding="utf-8")
    found = json.loads(record.read_text(encoding="utf-8"))
    log = output / "log.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    steps = {entry["step"]: entry["seconds"] for entry in map(json.loads, lines) if "step" in entry}
    return Run(Watched(**found["watched"]), steps, found["size"])


def write_text(name: str, pairs: int, folder: Path) -> tuple[Path, Path]:
    """Return files of the first sentence pairs of a text; they are written unless they are there."""
    source, target = folder / "text.de", folder / "text.en"
    if name == "europarl":
        source = folder / "text.fr"
    folder.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        print(f"writing {pairs:,} pairs of {name}", file=sys.stderr)
        if name == "generated":
            write_corpus(folder / "text", pairs, seed=1, processes=2)
        else:
            for path in (source, target):
                with open_write(path) as stream:
                    lines = itertools.islice(repeat_text(path.suffix[1:]), pairs)
                    stream.writelines(line.encode() for line in lines)
    return source, target


def repeat_text(side: str) -> Iterator[str]:
    """Yield the lines of a side of Europarl without end: first as they are, then with other words."""
    with lzma.open(
        SHARED / f"data/europarl-fr-en.train.{side}.xz", "rt", encoding="utf-8", newline="\n"
    ) as stream:
        lines = stream.readlines()
    yield from lines
    for repetition in itertools.count(1):
        names: dict[str, str] = {}

        def rename(word: re.Match[str], repetition: int = repetition, names: dict[str, str] = names) -> str:
            if (name := names.get(word[0])) is None:
                drawn = zlib.crc32(f"{repetition} {word[0].lower()}".encode()) % 10
                name = names[word[0]] = (
                    word[0] + chr(ord("a") + repetition) * 3 if drawn < RENAMED else word[0]
                )
            return name

        for line in lines:
            yield WORD.sub(rename, line)


def count_tokens(path: Path) -> int:
    """Return the number of tokens of a tokenized text."""
    with path.open(encoding="utf-8") as stream:
        return sum(len(line.split()) for line in stream)


if __name__ == "__main__":
    main()
