"""Training of reordering models for expected BLEU: seconds of 100 epochs over lists of the paper's size.

    [XBLEU_STORE=folder XBLEU_LISTS=folder] python -m benchmarks.xbleu_training [lists ...]

SparseHRMLocal and SparseHRM+BiPhrases, one step per list, gamma that leaves half of the entropy. The lists
are those of a store of `tunesmith xbleu lists`, read again and again until there are enough (XBLEU_LISTS is a
folder with word lists and classes); without one, made-up lists of 100 candidates and about 10 phrases, which
differ by a few local changes; their rarer words are other ones in most files, so that there are as many
phrases as in real text. CPU seconds of one core (a second thread only reads ahead): the mean of three epochs
after the first, times 100. Aims for 136,000 lists: 156 s (the paper: 26 minutes) and 720 s (2 h). Elapsed
seconds of an epoch, and held-out expected BLEU after these epochs, are those of one thread and of two that
share the weights without locks.
"""

from __future__ import annotations

import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.features import SparseHRMBiPhrases, SparseHRMLocal
from tunesmith.features.orientations import Stack, backward, push
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.metrics import Bleu
from tunesmith.xbleu.gamma import gamma_of_entropy

SIZES = (10_000, 136_000)
EPOCHS, CANDIDATES, PER_FILE = 3, 100, 2000
WORDS, LASTING, VARIANTS = 20_000, 100, 11
"""Vocabulary of made-up text, words that are the same ones in all files, and kinds of files: 3 M types."""
METRIC = Bleu(sentence="gao-he")
SETS: dict[str, type[SparseReordering]] = {"Local": SparseHRMLocal, "BiPhrases": SparseHRMBiPhrases}
ORIENTATIONS = {"monotone": 0, "swap": 1, "left": 2, "right": 3, "global monotone": 4}


class MadeUpList:
    """A list in numbers: word w of file k is another word than that of file k + 1, unless it is frequent."""

    def __init__(self, draw: random.Random) -> None:
        self.source: list[int] = []
        spans: list[tuple[int, int]] = []
        while len(spans) < 10:
            begin = len(self.source)
            self.source += [int(WORDS ** draw.random()) for _ in range(draw.choice((1, 2, 2, 3)))]
            spans.append((begin, len(self.source)))
        self.events: dict[tuple[Any, ...], int] = {}
        self.scores: list[float] = []
        self.matches: list[list[int]] = []
        candidates: dict[tuple[tuple[int, int], ...], None] = {}
        first = tuple((number, 0) for number in range(len(spans)))
        while len(candidates) < CANDIDATES:
            candidates[self._changed(draw, first)] = None
        counts = []
        for steps in candidates:
            counts.append(Counter(self._events(steps, spans)))
            self.scores.append(
                -0.3 * sum(step != (i, 0) for i, step in enumerate(steps)) + draw.gauss(0, 0.2)
            )
            ones = draw.randint(8, 18)
            self.matches.append([20, ones, ones // 2, ones // 4, ones // 8])
        common = counts[0]
        for each in counts:
            common = common & each
        self.common = sorted(common.elements())
        self.uses = [sorted((each - common).elements()) for each in counts]

    @staticmethod
    def _changed(draw: random.Random, steps: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        """Translate up to three phrases otherwise, and exchange up to two neighbors."""
        changed = list(steps)
        for _ in range(draw.randint(0, 3)):
            at = draw.randrange(len(changed))
            changed[at] = changed[at][0], draw.randrange(4)
        for _ in range(draw.choice((0, 0, 1, 1, 2))):
            at = draw.randrange(len(changed) - 1)
            changed[at], changed[at + 1] = changed[at + 1], changed[at]
        return tuple(changed)

    def _events(self, steps: tuple[tuple[int, int], ...], spans: list[tuple[int, int]]) -> Iterator[int]:
        stack: Stack = ()
        last = -1
        opener = -1
        for number, option in steps:
            span = spans[number]
            target = tuple((word + 7 * option) % WORDS for word in self.source[span[0] : span[1]])
            block = stack[-1].range if stack else (0, 0)
            opener = int(stack[-1].mark[0]) if stack else -1
            event = (target, span, block, (opener, last), ORIENTATIONS[backward(stack, span)])
            yield self.events.setdefault(event, len(self.events))
            stack = push(stack, span, (str(target[0]),))
            last = target[-1]

    def add_to(self, writer: _native.ListWriter, sentence: int, words: list[str]) -> None:
        """Add the list to a file."""
        events = [
            (
                [words[word] for word in target],
                span,
                block,
                tuple(None if word < 0 else words[word] for word in borders),
                orientation,
                False,
            )
            for target, span, block, borders, orientation in self.events
        ]
        source = [words[word] for word in self.source]
        shape: Any = (sentence, 20, source, self.scores, self.matches, events, self.common, self.uses)
        _native.add_list(writer, *shape)


def made_up_files(folder: Path, lists: int) -> Iterator[Path]:
    """Write files of lists, and yield them until there are enough."""
    draw = random.Random(1)
    made = [MadeUpList(draw) for _ in range(min(PER_FILE, lists))]
    for number in range(-(-lists // len(made))):
        others = np.random.default_rng(number % VARIANTS).permutation(np.arange(LASTING, WORDS)).tolist()
        words = [f"w{word}" for word in (*range(LASTING), *others)]
        writer = _native.ListWriter()
        for sentence, each in enumerate(made):
            each.add_to(writer, sentence, words)
        writer.write(str(folder / "lists"))
        yield folder / "lists"


def write_word_lists(folder: Path) -> None:
    """Write the frequent words and the classes of made-up text."""
    for side in ("source", "target"):
        (folder / f"frequent.{side}.txt").write_text("".join(f"w{word}\t1\n" for word in range(80)))
        for count in (20, 50, 80):
            lines = (f"w{word}\t{word * 31 % count}\n" for word in range(WORDS))
            (folder / f"classes.{side}.{count}.txt").write_text("".join(lines))


def store_files(lists: int) -> Iterator[Path]:
    """Yield the files of a store, again and again, until there are enough lists."""
    files = sorted(Path(os.environ["XBLEU_STORE"]).glob("lists.*"))
    while True:
        for file in files:
            yield file
            lists -= len(_native.ListFile(str(file)))
            if lists <= 0:
                return


def trained(
    features: _native.EventFeatures,
    training: _native.TrainingSet,
    held_out: _native.TrainingSet,
    gamma: float,
    threads: int,
) -> tuple[float, float, float]:
    """Train; return CPU and elapsed seconds per epoch, and expected BLEU of held-out lists."""
    objective = _native.ListObjective.EXPECTED_GAIN
    learner = _native.ReorderingLearner(
        len(features), objective=objective, gamma=gamma, rate=0.1, threads=threads
    )
    learner.learn(training, 1, 0)
    began, began_cpu = time.perf_counter(), time.process_time()
    for epoch in range(1, EPOCHS + 1):
        learner.learn(training, 1, epoch)
    cpu, elapsed = time.process_time() - began_cpu, time.perf_counter() - began
    reached = _native.evaluate_lists(held_out, learner.weights(), gamma).gain
    return cpu / EPOCHS, elapsed / EPOCHS, 100 * reached


def measure(shown: str, template: SparseReordering, files: Iterator[Path], folder: Path) -> None:
    """Print a row."""
    compiled = 0.0
    features = _native.EventFeatures(template.twin())
    training, held_out = (_native.TrainingSet(str(folder), features.is_small, flag) for flag in (False, True))
    for path in files:
        began = time.process_time()
        file = _native.ListFile(str(path))
        gains = METRIC.sentence_score(file.statistics()).astype(np.float32)
        marks = (np.arange(len(file)) % 50 == 0).astype(np.uint8)
        _native.compile_lists(file, gains, marks, features, training, held_out)
        compiled += time.process_time() - began
    training.seal()
    held_out.seal()
    gamma = gamma_of_entropy(held_out, len(features), 0.5)
    assert gamma is not None
    rows = [trained(features, training, held_out, gamma, threads) for threads in (1, 2)]
    seconds = rows[0][0]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    lists = len(training)
    per_list = (f"{count / lists:.0f}" for count in (training.events, training.groups, training.uses))
    cells = (
        *(shown, f"{lists:,}", f"{len(features):,}", *per_list, f"{compiled:.0f}"),
        *(f"{seconds:.2f}", f"{100 * seconds:.0f}", f"{1e6 * seconds / lists:.2f}", f"{memory:.1f}"),
        *(", ".join(f"{row[column]:.{digits}f}" for row in rows) for column, digits in ((1, 2), (2, 3))),
    )
    print("|", " | ".join(cells), "|", flush=True)


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    real = "XBLEU_STORE" in os.environ
    columns = (
        "features", "lists", "types", "events per list", "compiled", "uses", "compilation s", "s per epoch",
        "s per 100", "us per list", "GB", "elapsed", "held out",
    )  # fmt: skip
    print("|", " | ".join(columns), "|")
    print("|---" * len(columns) + "|")
    for shown, kind in SETS.items():
        for lists in sizes:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                if real:
                    template = kind().with_lists(Path(os.environ["XBLEU_LISTS"]))
                else:
                    write_word_lists(folder)
                    template = kind().with_lists(folder)
                files = store_files(lists) if real else made_up_files(folder, lists)
                measure(shown, template, files, folder)


if __name__ == "__main__":
    main()
