"""Candidate lists: tune generated ones with every method, and score held-out lists."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tunesmith.candidates import Pool, rerank
from tunesmith.candidates.features import Features
from tunesmith.errors import InputError
from tunesmith.files import PathLike, open_write
from tunesmith.generated import HAND_WEIGHTS, LABEL, candidate_lists
from tunesmith.generated.own_files import check_generated, named_files
from tunesmith.metrics import Interval, Metric, bootstrap_interval, get_metric
from tunesmith.options import require_at_least
from tunesmith.texts import Texts
from tunesmith.tuning import tune
from tunesmith.tuning.method import methods_for
from tunesmith.types import IntArray

__all__ = ["DENSE_ONLY", "Outcome", "demo_pool", "first_candidates", "judge", "run_demo", "write_demo"]

TUNING_SEED, HELD_OUT_SEED = 2012, 2013
"""The seeds of the two sets of generated sentences."""
LABEL_FILE = "README.generated"
"""Written first, so that the others are known as generated."""
WRITTEN = (
    *(f"{name}.{rest}" for name in ("dev", "test") for rest in ("nbest.gz", "en", "en1", "en2", "en3")),
    *("baseline.out", "system.out"),
)
"""The names of the other files of `write_demo`."""

DENSE_ONLY = frozenset({"mert", "search"})
"""Methods for few features: in the demo, sparse features keep weight 0."""


@dataclass(frozen=True)
class Outcome:
    """Scores of a metric on the tuning lists and on held-out lists, with their confidence intervals."""

    name: str
    features: int
    dev: float
    dev_interval: Interval
    test: float
    test_interval: Interval


def demo_pool(lists: int, *, nbest: int = 40, held_out: bool = False) -> Pool:
    """Return candidate lists of generated sentences with 4 references; held-out lists have another seed."""
    require_at_least(1, "demo", lists=lists, nbest=nbest)
    made = candidate_lists(lists, seed=HELD_OUT_SEED if held_out else TUNING_SEED, size=nbest)
    features = Features(made.names, made.rows, made.columns, made.values)
    return Pool(
        made.ids,
        made.offsets,
        features,
        Texts.of(made.texts),
        tuple(Texts.of(reference) for reference in made.references),
        sources=Texts.of(made.sources),
    )


def first_candidates(pool: Pool) -> IntArray:
    """Return the row of the first candidate of each list, the one that its system ranks first."""
    return pool.offsets[:-1]


def judge(
    name: str, features: int, pools: tuple[Pool, Pool], metric: Metric, choose: Callable[[Pool], IntArray]
) -> Outcome:
    """Return the scores of the candidates that `choose` selects from the tuning and held-out lists."""
    dev, test = (pool.stats(metric)[choose(pool)] for pool in pools)
    return Outcome(
        name,
        features,
        float(metric.score(dev.sum(axis=0))),
        bootstrap_interval(metric, dev),
        float(metric.score(test.sum(axis=0))),
        bootstrap_interval(metric, test),
    )


def run_demo(
    dev: Pool, test: Pool, metric: Metric, *, seed: int = 1, threads: int | None = None
) -> Iterator[Outcome]:
    """Yield the scores before tuning, then the scores of each method."""
    pools = (dev, test)
    yield judge("untuned", 0, pools, metric, first_candidates)
    sparse = [name for name in dev.feature_names if name not in HAND_WEIGHTS]
    for method in methods_for(Pool):
        frozen = sparse if method in DENSE_ONLY else []
        weights = tune(dev, method, metric, seed=seed, frozen=frozen, threads=threads).weights
        features = dev.features.width - len(frozen)
        yield judge(method, features, pools, metric, lambda pool, tuned=weights: rerank(pool, tuned).rows)  # type: ignore[misc]


def write_demo(folder: PathLike, *, lists: int = 500, nbest: int = 20) -> list[Path]:
    """Write the files of the documentation: dev and test lists, references, two outputs, a label."""
    target = Path(folder)
    if not target.is_dir():
        raise InputError("no such folder; make it first", path=folder)
    files = [target / name for name in WRITTEN]
    check_generated(target / LABEL_FILE, files)
    pools = {
        "dev": _dense(demo_pool(lists, nbest=nbest)),
        "test": _dense(demo_pool(lists, nbest=nbest, held_out=True)),
    }
    texts: dict[str, list[str]] = {}
    with open_write(target / LABEL_FILE) as stream:
        stream.write(f"{LABEL}\n{named_files(files)}".encode())
    written = [target / LABEL_FILE]
    for name, pool in pools.items():
        pool.write(target / f"{name}.nbest.gz", format="moses")
        written.append(target / f"{name}.nbest.gz")
        for number, reference in enumerate(pool.references):
            texts[f"{name}.en{number or ''}"] = list(reference)
    test = pools["test"]
    assert test.texts is not None
    texts["baseline.out"] = list(test.texts.take(first_candidates(test)))
    texts["system.out"] = rerank(test, tune(pools["dev"], "mira", get_metric("bleu")).weights).texts
    for name, lines in texts.items():
        with open_write(target / name) as stream:
            stream.write("".join(line + "\n" for line in lines).encode("utf-8"))
        written.append(target / name)
    return written


def _dense(pool: Pool) -> Pool:
    """Return the pool with only the dense features (of the hand-set weights), which any method can tune."""
    kept = [index for index, name in enumerate(pool.feature_names) if name in HAND_WEIGHTS]
    names = [pool.feature_names[index] for index in kept]
    features = Features.from_dense(pool.features.to_dense()[:, kept], names)
    return dataclasses.replace(pool, features=features)
