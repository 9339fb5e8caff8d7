"""What the size of start weights and a frozen feature cost: held-out scores of all list methods.

Run `python -m experiments.methods.start_sizes`. Tuned on every other list, judged by the rest.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from experiments.commands import DATA
from experiments.methods.speech import speech_pool
from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.generated import HAND_WEIGHTS, candidate_lists
from tunesmith.texts import Texts
from tunesmith.tuning import tune

METHODS = ("mira", "corpus-risk", "risk", "pl", "pro", "cll", "mert")
SIZES = (0.001, 1.0, 10.0, 100.0, 1000.0)
MOSES = {
    "LM0": 0.5, "WordPenalty0": -1.0, "PhrasePenalty0": 0.2, "Distortion0": 0.3,
    **{f"TranslationModel0_{number}": 0.2 for number in range(4)},
    **{f"LexicalReordering0_{number}": 0.3 for number in range(8)},
}  # fmt: skip
"""Moses' default weights."""
SETS: Mapping[str, tuple[str, str]] = {
    "moses-default": ("bleu", "LM0"),
    "moses-mert": ("bleu", "LM0"),
    "generated": ("bleu", "LanguageModel"),
    "generated-sparse": ("bleu", "LanguageModel"),
    "speech": ("wer", "acoustic"),
}
"""The metric, and the feature that is frozen."""


def lists_of(name: str, data: Path) -> tuple[Pool, dict[str, float]]:
    """Return candidate lists, and start weights of the size that is usual for them."""
    if name == "speech":
        return speech_pool(1, 600, 40), {"acoustic": 1.0, "lm": 1.0}
    if name.startswith("moses"):
        lists = data / "moses" / f"val.{name.removeprefix('moses-')}.nbest100.gz"
        pool = Pool.read(lists, references=[data / "multi30k.val.en.xz"])
        return pool, {each: MOSES[each] for each in pool.feature_names}
    made = candidate_lists(500, seed=101, size=40)
    features = Features(made.names, made.rows, made.columns, made.values)
    if name == "generated":
        kept = [index for index, each in enumerate(made.names) if each in HAND_WEIGHTS]
        features = Features.from_dense(features.to_dense()[:, kept], [made.names[index] for index in kept])
    references = tuple(Texts.of(lines) for lines in made.references)
    start = {each: value for each, value in HAND_WEIGHTS.items() if each in features.names}
    return Pool(made.ids, made.offsets, features, Texts.of(made.texts), references), start


def rows(name: str, data: Path, methods: list[str], threads: int) -> Iterator[str]:
    """Yield the lines of the table of a set of lists: scores on the lists tuned on / on the others."""
    pool, start = lists_of(name, data)
    metric, frozen = SETS[name]
    tuning, rest = (pool.take_lists(np.arange(first, len(pool), 2)) for first in (0, 1))
    for method in methods:
        if method == "mert" and len(start) < len(pool.feature_names) / 2:
            continue  # sparse features
        calls: list[dict[str, Any]] = [
            {},
            *({"start": {each: size * value for each, value in start.items()}} for size in SIZES),
            {"start": start, "frozen": [frozen]},
            {"start": {frozen: start[frozen]}, "frozen": [frozen]},
        ]
        cells = []
        for call in calls:
            found = tune(tuning, method, metric, held_out=rest, threads=threads, **call)
            assert found.held_out is not None
            cells.append(f"{100 * found.score:.2f} / {100 * found.held_out.score:.2f}")
        yield f"| {name} | {method} | " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the lists and references")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    columns = ["no start", *(f"start x{size:g}" for size in SIZES), "one frozen", "only the frozen one given"]
    print("| lists | method | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 2) + "|")
    for name in given.sets.split(","):
        for line in rows(name, given.data, given.methods.split(","), given.threads):
            print(line, flush=True)


if __name__ == "__main__":
    main()
