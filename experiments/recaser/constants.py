"""The constants of the recaser, chosen on Europarl's dev text; the test text is scored with the choice.

Run `python -m experiments.recaser.constants --test`. The constants are searched one after the other, from a
start without any pruning, each over its grid with the others as they are, until a sweep over all changes
nothing. The criterion is the share of words with the right case, as the mean over languages and sizes of the
training text. Of all values that are within one standard error of the best setting so far, the one with the
smallest recasers is taken (Breiman et al. 1984): what dev text cannot tell apart is decided by size.
"""

from __future__ import annotations

import argparse
import itertools
import lzma
import math
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from experiments.commands import DATA
from tunesmith.corpus import recase
from tunesmith.corpus.recase import Recaser
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.corpus.truecase import CasingCounts, Truecaser, detruecase, sentence_starts

GRIDS: dict[str, tuple[float, ...]] = {
    "LEAST_GAIN": (0.0, 0.25, 0.5, 1.0, 2.0, 4.0),
    "LEAST_SHARE": (0.0, 0.002, 0.005, 0.01, 0.02, 0.05),
    "LEAST_COUNT": (1, 2, 3, 5),
    "SMOOTHING": (1.0, 0.25, 0.5, 2.0, 4.0, 8.0),
    "FEW_STARTS": (10, 0, 100),
}
"""The values of each constant; the first is where the search starts."""
LANGUAGES = {"de": "de-en", "en": "de-en", "fr": "fr-en"}
"""The languages, and the pair whose files they are read from."""
SIZES = (10_000, 100_000)


def read(data: Path, language: str, part: str, count: int | None = None) -> list[str]:
    """Return the first lines of a part of Europarl, tokenized."""
    name = data / f"europarl-{LANGUAGES[language]}.{part}.{language}.xz"
    with lzma.open(name, "rt", encoding="utf-8") as stream:
        lines = [line.rstrip("\n") for line in itertools.islice(stream, count)]
    return list(Tokenizer(language).tokenize(lines))


def accuracy(made: Iterable[str], wanted: Sequence[str]) -> float:
    """Return the percentage of words with letters whose case is right."""
    right = total = 0
    for line, cased in zip(made, wanted, strict=True):
        for a, b in zip(line.split(" "), cased.split(" "), strict=True):
            if b.lower() != b.upper():
                total += 1
                right += a == b
    return 100 * right / total


def lowered(lines: Sequence[str]) -> list[str]:
    """Return the input of a recaser."""
    return [line.lower() for line in lines]


@dataclass
class Counts:
    """What training counts, so that several constants can be tried: `train_recaser` in two parts."""

    lines: Sequence[str]
    truecaser: Truecaser = field(init=False)
    capitals: Counter[tuple[str, bool]] = field(init=False, default_factory=Counter)
    contexts: dict[float, tuple[dict[str, recase.Forms], recase.Contexts, recase.Contexts]] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        casing = CasingCounts()
        casing.add(self.lines)
        self.truecaser = casing.truecaser()
        for tokens in map(str.split, self.lines):
            for place, at in sentence_starts(tokens):
                if tokens[at].upper() != tokens[at].lower():
                    capital = tokens[at] != tokens[at].lower()
                    self.capitals[recase.START if place is None else place, capital] += 1

    def recaser(self) -> Recaser:
        """Return the recaser under the constants of the module."""
        share = recase.LEAST_SHARE
        if share not in self.contexts:
            self.contexts.clear()  # of one share at a time, for the sake of memory
            usual = {word: recase._usual(counts) for word, counts in self.truecaser.casings.items()}
            forms = {word: counts for word, counts in usual.items() if set(counts) != {word}}
            self.contexts[share] = (forms, *recase._contexts([self.lines], forms, self.truecaser.best))
        forms, before, after = self.contexts[share]
        kept = recase._telling(before, forms), recase._telling(after, forms)
        return Recaser(forms, *kept, recase._starts(self.capitals))


@dataclass
class Search:
    """Scores of constants on the dev text; each setting is scored once."""

    trained: dict[tuple[str, int], Counts]
    dev: dict[str, list[str]]
    scores: dict[tuple[float, ...], tuple[float, int]] = field(default_factory=dict)

    def score(self, constants: dict[str, float]) -> tuple[float, int]:
        """Return the mean accuracy, and the number of contexts that the recasers keep."""
        key = tuple(constants.values())
        if key not in self.scores:
            with patched(constants):
                made = {trained: counts.recaser() for trained, counts in self.trained.items()}
                found = [
                    accuracy(recaser.apply(lowered(self.dev[language])), self.dev[language])
                    for (language, _), recaser in made.items()
                ]
            size = sum(len(recaser.before) + len(recaser.after) for recaser in made.values())
            self.scores[key] = sum(found) / len(found), size
            print(
                constants, f"{self.scores[key][0]:.3f}", size, [f"{score:.2f}" for score in found], flush=True
            )
        return self.scores[key]

    @property
    def error(self) -> float:
        """The standard error of the best mean: that of independent words, languages independent too."""
        share = max(self.scores.values())[0] / 100
        counts = [sum(len(line.split(" ")) for line in lines) for lines in self.dev.values()]
        return 100 * math.sqrt(sum(share * (1 - share) / count for count in counts)) / len(counts)

    def chosen(self, constants: dict[str, float], name: str) -> float:
        """Return the value with the smallest recasers within one standard error; the current one if equal."""
        found = {value: self.score(constants | {name: value}) for value in GRIDS[name]}
        least = max(self.scores.values())[0] - self.error
        good = [value for value, (score, _) in found.items() if score >= least] or [constants[name]]
        return min(good, key=lambda value: (found[value][1], value != constants[name], -found[value][0]))

    def run(self) -> dict[str, float]:
        """Return the chosen constants."""
        best = {name: values[0] for name, values in GRIDS.items()}
        while True:
            before = dict(best)
            for name in GRIDS:
                best[name] = self.chosen(best, name)
            if best == before:
                return best


def patched(constants: dict[str, Any]) -> AbstractContextManager[object]:
    """Return a block in which the module has these constants."""
    made: AbstractContextManager[object] = mock.patch.multiple(recase, **constants)
    return made


def row(language: str, size: int, counts: Counts, dev: Sequence[str], test: Sequence[str]) -> str:
    """Return the line of a table: the recaser on both texts, and simpler ways on the test text."""
    recaser, best, lower = counts.recaser(), counts.truecaser.best, lowered(test)
    frequent = detruecase(" ".join(best.get(word, word) for word in line.split(" ")) for line in lower)
    with tempfile.TemporaryDirectory() as folder:
        recaser.save(Path(folder) / "recaser")
        megabytes = (Path(folder) / "recaser").stat().st_size / 1e6
    ways = [recaser.apply(lower), lower, frequent]
    cells = [accuracy(recaser.apply(lowered(dev)), dev), *(accuracy(made, test) for made in ways)]
    shown = " | ".join(f"{cell:.2f}" for cell in cells)
    return f"| {language} | {size:,} | {shown} | {megabytes:.1f} MB |"


def main() -> None:
    """Search, and print what was found, on dev and once on test."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the Europarl files")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="lines of training text")
    parser.add_argument("--current", action="store_true", help="take the constants as they are")
    parser.add_argument("--test", action="store_true", help="score the choice on the test text")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    texts = {language: read(given.data, language, "train", max(sizes)) for language in LANGUAGES}
    trained = {(name, size): Counts(lines[:size]) for name, lines in texts.items() for size in sizes}
    dev = {language: read(given.data, language, "dev") for language in LANGUAGES}
    best = {name: getattr(recase, name) for name in GRIDS}
    if not given.current:
        search = Search(trained, dev)
        best = search.run()
        print(f"chosen: {best}, standard error {search.error:.3f}")
    if given.test:
        print("| | training lines | recaser, dev | recaser, test | lowercase | most frequent form | file |")
        print("|---" * 7 + "|")
        with patched(best):
            for (language, size), counts in trained.items():
                test = read(given.data, language, "test")
                print(row(language, size, counts, dev[language], test), flush=True)


if __name__ == "__main__":
    main()
