"""Start weights that no method improves: they are the result, which says so."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.commands import run
from tests.random_pools import random_pool
from tests.tuning.toy_loops import loop
from tests.tuning.toy_systems import ToyForestMert, ToySystem

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.forest.pool import ForestPool
from tunesmith.texts import Texts
from tunesmith.tuning.methods.mira import Mira
from tunesmith.tuning.run import Run, Solution
from tunesmith.weights import Weights


def test_start_weights_that_cannot_be_improved_are_kept_and_the_result_says_so(tmp_path: Path) -> None:
    pool = random_pool(11, lists=20)
    first = tune(pool, "mert", restarts=4)
    given: Any = {"start": first.weights, "restarts": 0, "directions": 0, "rounds": 1}
    again = tune(pool, "mert", **given, output=tmp_path / "weights.json")
    assert dict(again.weights) == dict(first.weights)
    assert (first.improved, again.improved) == (True, False)
    assert again.warnings[0].startswith("mert found nothing better than the start weights, so these are the")
    assert dict(again.best.notes) == {"kept": "the start weights"}
    record = json.loads((tmp_path / "weights.json").read_text())
    assert record["improved"] is False
    assert record["weights"] == dict(first.weights)


BEST = {"f0": 1.0, "f1": -2.0, "f2": 0.0, "f3": 0.0}


def perfect_pool() -> Pool:
    """Lists whose first candidate is the reference, and the weights `BEST` choose it."""
    pool = random_pool(3, lists=30, dense=4, sparse=0)
    assert pool.texts is not None
    texts, (references,) = list(pool.texts), pool.references
    for number, row in enumerate(pool.offsets[:-1].tolist()):
        texts[row] = references[number]
    matrix = pool.features.to_dense()
    scores = matrix @ list(BEST.values())
    for begin, end in zip(pool.offsets[:-1].tolist(), pool.offsets[1:].tolist(), strict=True):
        order = begin + np.argsort(-scores[begin:end])
        matrix[begin:end], scores[begin:end] = matrix[order], scores[order]
    features = Features.from_dense(matrix, pool.feature_names)
    return dataclasses.replace(pool, texts=Texts.of(texts), features=features)


@pytest.mark.parametrize("method", ["mira", "mert", "search"])
def test_weights_that_choose_the_best_translations_already_are_kept_exactly(method: str) -> None:
    result = tune(perfect_pool(), method, start=BEST)
    assert dict(result.weights) == BEST
    assert not result.improved
    assert result.score == 1.0
    assert "got worse" not in " ".join(result.warnings)


def test_a_fold_that_finds_nothing_better_is_scored_with_the_start_weights_and_reported() -> None:
    pool = perfect_pool()
    result = tune(pool, "mira", start=BEST, folds=2)
    assert result.cross_validation is not None
    assert result.cross_validation.score == 1.0
    for number in (1, 2):
        text = f"fold {number} of 2 is scored with the start weights: nothing better was found"
        assert text in result.warnings


def test_weights_that_are_better_by_the_metric_alone_are_better() -> None:
    """Such as after a length search, which does not change the loss."""

    @dataclass(frozen=True)
    class Moved(Mira):
        def learn(self, run: Run[Pool]) -> Solution:
            return Solution(np.array(list(BEST.values())), 1.0, 1.0)

    worse = {name: -weight for name, weight in BEST.items()}
    result = tune(perfect_pool(), Moved(), start=worse, standardize=False)
    assert result.improved
    assert dict(result.weights) == BEST


def test_a_loop_that_keeps_the_start_weights_says_so(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Idle(ToyForestMert):
        def learn(self, run: Run[ForestPool]) -> Solution:
            return Solution(run.space.start, 1.0, 1.0)

    toy = ToySystem()
    result = loop(toy, tmp_path / "idle", Idle())
    assert dict(result.weights) == dict(toy.start)
    assert result.warnings[0].endswith("try another method or metric, other options, or longer lists")
    assert "found nothing better than the start weights" in result.warnings[0]
    assert result.to_dict()["changed"] is False
    learned = loop(toy, tmp_path / "learned", "mira")
    assert learned.to_dict()["changed"] is True
    assert not any("nothing better" in text for text in learned.warnings)


def test_the_command_writes_start_weights_that_nothing_improves(tmp_path: Path) -> None:
    pool = perfect_pool()
    pool.write(tmp_path / "dev.nbest", format="moses")
    (tmp_path / "dev.en").write_text("".join(text + "\n" for text in pool.references[0]))
    Weights(BEST).write(tmp_path / "start.json")
    given = ("tune", "nbest", "--candidates", "dev.nbest", "--references", "dev.en", "-o", "weights.json")
    done = run(*given, "--start", "start.json", "-q", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "warning: mira found nothing better than the start weights, so these are the" in done.stderr
    assert "kept: the start weights" in done.stdout
    record = json.loads((tmp_path / "weights.json").read_text())
    assert record["weights"] == BEST
    assert record["improved"] is False


def test_the_command_explains_what_to_do_if_there_are_no_weights_to_keep(tmp_path: Path) -> None:
    perfect_pool().write(tmp_path / "dev.jsonl")
    given = ("tune", "nbest", "--candidates", "dev.jsonl", "-o", "weights.json", "-q", "--bound", "*=0:0")
    done = run(*given, folder=tmp_path)
    assert done.returncode == 1
    assert "there are no start weights to keep; give some by --start, such as those that made" in done.stderr
    assert not (tmp_path / "weights.json").exists()
