"""K-best lists under fixed weights, and under new weights before every sentence, as online learning has them.

    python -m benchmarks.changing_weights [MODEL]

MODEL is a phrase model of Europarl French-English, as `benchmarks.training` trains it; without it one is
trained first. 200 sentences of its test set, and the 200 of Moses' hierarchical model of Multi30k; 500-best
lists of distinct translations at pop limit 200, on one thread. Weights are changed in a store, each by a
factor between 0.9 and 1.1. Milliseconds are CPU time per sentence: the first round, in which every option is
new, and the best of the later ones. All translations are scored for 20 sentences only, as that is slow.
"features" adds the features of three candidates of each list. The bar: new weights with a table breadth of
100 take at most 1.5 times the time of fixed ones.
"""

from __future__ import annotations

import lzma
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.machine import SHARED
from tunesmith.decode import model_side, open_decoder
from tunesmith.files import read_lines
from tunesmith.model import Model, train
from tunesmith.model.importing import import_model
from tunesmith.texts import Texts
from tunesmith.weights import WeightStore

DATA = SHARED / "data"
SENTENCES = 200
K = 500
BREADTH = 100
ROUNDS = 4


def europarl_lines(name: str) -> list[str]:
    with lzma.open(DATA / f"europarl-fr-en.{name}.xz", "rt", encoding="utf-8") as stream:
        return stream.read().splitlines()


def train_europarl(folder: Path) -> Path:
    """Train the phrase model of `benchmarks.training`."""
    for side in ("fr", "en"):
        (folder / f"train.{side}").write_text(
            "\n".join(europarl_lines(f"train.{side}")) + "\n", encoding="utf-8"
        )
    return train(
        folder / "train.fr",
        folder / "train.en",
        folder / "model",
        source_language="fr",
        target_language="en",
        tokenize="moses",
        case="lower",
        threads=2,
    ).directory


def milliseconds(
    sentences: Sequence[str], ways: Sequence[Callable[[str], object]]
) -> list[tuple[float, float]]:
    """Return CPU ms per sentence of each way: of its first round, and of the best later one.

    The ways take turns at every sentence, so that what else the machine does meets all of them.
    """
    rounds: list[list[float]] = [[] for _ in ways]
    for _ in range(ROUNDS):
        seconds = [0.0 for _ in ways]
        for sentence in sentences:
            for number, way in enumerate(ways):
                begin = time.process_time()
                way(sentence)
                seconds[number] += time.process_time() - begin
        for times, taken in zip(rounds, seconds, strict=True):
            times.append(1000 * taken / len(sentences))
    return [(times[0], min(times[1:])) for times in rounds]


class Learner:
    """A decoder whose weights are in a store, as those of an online learner."""

    def __init__(self, model: Path, breadth: int) -> None:
        self.decoder = open_decoder(model, options={"table_breadth": breadth})
        self.start = dict(self.decoder.weights)
        self.store = WeightStore.of(self.start)
        self.decoder.weights = self.store
        self.draw = random.Random(1)

    def lists(self, sentence: str) -> None:
        self.decoder.kbest(sentence, K)

    def features(self, sentence: str) -> None:
        found = self.decoder.kbest(sentence, K)
        for number in range(min(3, len(found))):
            found.features(number)

    def changed(self, sentence: str) -> None:
        values = [value * self.draw.uniform(0.9, 1.1) for value in self.start.values()]
        self.store.set(self.start, values)
        self.decoder.refresh()
        self.decoder.kbest(sentence, K)


def measure(title: str, model: Path, sentences: Sequence[str]) -> None:
    words = sum(len(sentence.split()) for sentence in sentences) / len(sentences)
    print(f"\n{title}: {len(sentences)} sentences of {words:.1f} words\n")
    print("| table breadth | weights | first round, ms | later, ms | / fixed |\n|---|---|---|---|---|")
    for breadth in (0, BREADTH):
        some = sentences if breadth else sentences[:20]  # without a breadth it is slow
        fixed, features, changed = (Learner(model, breadth) for _ in range(3))
        found = milliseconds(some, [fixed.lists, features.features, changed.changed])
        names = ("fixed", "fixed, features", "new before every sentence")
        for name, (first, later) in zip(names, found, strict=True):
            ratio = f"{later / found[0][1]:.2f}"
            print(f"| {breadth or 'all'} | {name} | {first:.2f} | {later:.2f} | {ratio} |", flush=True)


def main(model: Path | None = None) -> None:
    if not (DATA / "europarl-fr-en.test.fr.xz").exists():
        print("this benchmark needs the peers' data beside this checkout: nothing was measured")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        phrases = Model.open(model or train_europarl(folder))
        lines = Texts.of(europarl_lines("test.fr")[:SENTENCES])
        prepared = list(model_side(phrases, "source").prepare(lines, 1))
        measure("Europarl fr-en, phrases", phrases.directory, prepared)
        import_model(DATA / "moses-hiero" / "moses.mira.ini", folder / "hiero")
        sentences = read_lines(DATA / "multi30k.test_2016.de.xz")[:SENTENCES]
        measure("Multi30k de-en, hierarchical rules", folder / "hiero", sentences)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
