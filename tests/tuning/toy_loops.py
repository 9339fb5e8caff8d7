"""Loops of a toy decoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.tuning.toy_systems import ToySystem

from tunesmith.metrics import Bleu
from tunesmith.seeds import stream_seed
from tunesmith.tuning import LoopResult, tune_model
from tunesmith.tuning.run import Run
from tunesmith.weights import Weights

QUICK = {"mert": {"restarts": 2}, "mira": {"epochs": 5}, "search": {"trials": 60}}


def loop(toy: ToySystem, folder: Path, method="mert", **options) -> LoopResult:
    folder.mkdir(exist_ok=True)
    own = {"nbest": 5} | QUICK.get(method, {}) if isinstance(method, str) else {}
    given = {"iterations": 4, "threads": 1} | own | options
    references = toy.write_references(folder / "references")
    return tune_model(toy, None, references, method, output=folder / "tuned", **given)


def round_of(run: Run[Any]) -> int:
    """Return the round of a loop with seed 1 that has the seed of the run."""
    return next(number for number in range(1, 100) if stream_seed(1, "round", number - 1) == run.seed)


def score(toy: ToySystem, weights: Weights) -> float:
    texts = list(toy.use(weights).best())
    stats = [Bleu().stats(text, [reference]) for text, reference in zip(texts, toy.references, strict=True)]
    return float(Bleu().score(sum(stats)))
