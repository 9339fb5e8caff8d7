"""Options of methods on candidate lists: tuned on a part of the lists, judged by the others.

Run `python -m experiments.methods.parts --loops runs/loops` after `loops` (which trains the models). A row is
the mean of BLEU and of the length ratio over the parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from experiments.commands import tunesmith
from experiments.methods.loops import HELD_OUT, LANGUAGES, Setting, options
from tunesmith.candidates import Pool
from tunesmith.candidates.folds import fold_numbers
from tunesmith.candidates.union import Union
from tunesmith.files import read_lines
from tunesmith.metrics import Bleu
from tunesmith.model.moses_ini import MosesIni
from tunesmith.tuning import tune
from tunesmith.weights import Weights

FROZEN = "UnknownWordPenalty0"
SETS = {"moses": (), "de-en": ("start",), "ja-en": ("start", "pro-plain/rounds/3.weights.json")}
"""Lists of Moses for Multi30k's val, and 100-best lists of the models of `loops` under these weights: of dev
and of the end of the training text, which the models were not trained on."""
OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "mira": ("mira", {}),
    "mira-plain": ("mira", {"standardize": False}),
    "mira-all": ("mira", {"standardize": True}),
    "mert": ("mert", {"allowance": 0.0}),
    **{f"mert-start-{each:g}": ("mert", {"allowance": each}) for each in (0.0, 0.5, 1.0, 2.0, 3.0)},
    **{
        f"pro{name}": ("pro", options)
        for name, options in (
            ("", {}),
            ("-plain", {"length_search": False}),
            ("-fix", {"length_search": False, "length_fix": True}),
            ("-standardize", {"length_search": False, "standardize": True}),
        )
    },
    **{
        f"pl-{ties}-{size}-{k}{'' if search else '-plain'}": (
            "pl",
            {"ties": ties, "sample": size, "resample": "always", "k": k, "length_search": search},
        )
        for ties in ("random", "one")
        for size in (3, 15, 30)
        for k in (1, 3, 5)
        for search in (False, True)
    },
}


def start(name: str, option: str, setting: Setting) -> dict[str, float] | None:
    """Return the weights that options with `start` in their names begin with: those that made the lists."""
    if "-start" not in option:
        return None
    if name == "moses":
        found = MosesIni.read(setting.data / "moses" / "moses.default.ini").dense_weights()
        return {feature: weight for feature, weight in found.items() if feature != FROZEN}
    return dict(Weights.read(setting.model(name) / "weights.start.json"))


def lists(name: str, setting: Setting) -> Pool:
    """Return candidate lists, decoded if they are not there."""
    if name == "moses":
        file = setting.data / "moses" / "val.default.nbest100.gz"
        return Pool.read(file, references=[setting.data / "multi30k.val.en.xz"])
    pair, folder = LANGUAGES[name], setting.out / name
    for side, language in (("source", pair.source), ("target", pair.target)):
        dev, train = (
            read_lines(setting.data / f"{pair.corpus}.{part}.{language}.xz") for part in (pair.dev, "train")
        )
        text = "".join(f"{line}\n" for line in [*dev, *train[-HELD_OUT:]])
        (folder / f"lists.{side}").write_text(text, encoding="utf-8")
    union = Union(setting.threads)
    for number, weights in enumerate(SETS[name]):
        file = folder / f"lists.{number}.nbest.gz"
        if not file.exists():
            given = () if weights == "start" else ("--weights", folder / weights)
            texts = ("-i", folder / "lists.source", "-o", folder / "lists.out")
            output = ("--nbest", 100, "--nbest-output", file, "--threads", setting.threads, "--quiet")
            tunesmith("decode", setting.model(name), *pair.search, *given, *texts, *output)
        union.add(Pool.read(file, references=[folder / "lists.target"]))
    return union.pool


def scores(
    pool: Pool, name: str, begin: dict[str, float] | None, parts: int, threads: int
) -> Iterator[tuple[float, float]]:
    """Yield BLEU and the length ratio of the other parts, for each part that is tuned on."""
    method, options = OPTIONS[name]
    frozen = [FROZEN] if FROZEN in pool.feature_names else []
    part_of, bleu = fold_numbers(len(pool), parts, seed=1), Bleu()
    for part in range(parts):
        tuned, judged = (pool.take_lists(np.flatnonzero(part_of == part)), part_of != part)
        weights = tune(tuned, method, frozen=frozen, start=begin, threads=threads, **options).weights
        vector = np.array([weights[feature] for feature in pool.feature_names])
        total = pool.take_lists(np.flatnonzero(judged)).best_stats(bleu, vector, threads).sum(axis=0)
        yield 100 * float(bleu.score(total)), float(total[1] / total[-1])


def main() -> None:
    """Print the table."""
    parser = options(__doc__, "--loops", "folder of `loops`", sets=SETS, options=OPTIONS)
    parser.add_argument("--parts", type=int, default=4)
    given = parser.parse_args()
    setting = Setting(given.data, given.loops, given.threads, iterations=10)
    print("| lists | options | BLEU | length ratio | deviation of BLEU |\n|---|---|---|---|---|")
    for name in given.sets.split(","):
        pool = lists(name, setting)
        for option in given.options.split(","):
            begin = start(name, option, setting)
            found = np.array(list(scores(pool, option, begin, given.parts, given.threads)))
            bleu, ratio = found.mean(axis=0)
            print(f"| {name} | {option} | {bleu:.2f} | {ratio:.3f} | {found[:, 0].std():.2f} |", flush=True)


if __name__ == "__main__":
    main()
