"""What a result is compared with: the first candidates, and start weights that are given."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tests.commands import run as tunesmith
from tests.random_pools import random_pool

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.metrics import get_metric
from tunesmith.tuning.methods.mira import Mira
from tunesmith.tuning.run import Run, Solution

POOL = random_pool(3, lists=30, dense=4, sparse=0)
GOOD = dict(tune(POOL, "mira", epochs=5).weights)


def scored(weights: dict[str, float]) -> float:
    metric = get_metric("bleu")
    values = np.array([weights[name] for name in POOL.feature_names])
    return float(metric.score(POOL.best_stats(metric, values).sum(axis=0)))


@dataclass(frozen=True)
class Spoiling(Mira):
    """Ends at the opposite of the start weights, with a better objective, or with the same one."""

    gain: float = 1.0

    def learn(self, run: Run[Pool]) -> Solution:
        return Solution(-run.space.start, 1.0 - self.gain, 1.0)


def test_a_result_worse_than_the_start_weights_is_reported_though_better_than_the_first_candidates() -> None:
    spoiled = tune(POOL, Spoiling(), start=GOOD)
    assert spoiled.start_score == scored(GOOD) > spoiled.score == scored({n: -w for n, w in GOOD.items()})
    told = (
        f"got worse ({100 * scored(GOOD):.2f} with the start weights, {100 * spoiled.score:.2f} now) though"
    )
    assert any(told in text for text in spoiled.warnings)
    assert "start_score" in spoiled.to_dict()


def test_the_better_of_start_weights_and_first_candidates_counts() -> None:
    bad = {name: -weight for name, weight in GOOD.items()}
    result = tune(POOL, Spoiling(), start=bad)
    assert result.start_score is not None and result.start_score < result.baseline <= result.score
    assert "got worse" not in " ".join(result.warnings)
    plain = tune(POOL, "mira", epochs=2)
    assert plain.start_score is None and "start_score" not in plain.to_dict()


def test_the_table_and_the_record_have_the_start_weights(tmp_path: Path) -> None:
    POOL.write(tmp_path / "dev.nbest", format="moses")
    assert POOL.references
    (tmp_path / "dev.en").write_text("".join(text + "\n" for text in POOL.references[0]))
    (tmp_path / "start.json").write_text(json.dumps(GOOD))
    given = ["--candidates", "dev.nbest", "--references", "dev.en", "--start", "start.json", "--epochs", "2"]
    shown = tunesmith("tune", "nbest", *given, "-o", "weights.json", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    (row,) = (line for line in shown.stdout.splitlines() if "start weights" in line and "│" in line)
    assert f"{100 * scored(GOOD):.2f}" in row
    assert json.loads((tmp_path / "weights.json").read_text())["start_score"] == pytest.approx(scored(GOOD))
    record = json.loads(
        tunesmith("tune", "nbest", *given, "-o", "again.json", "--json", folder=tmp_path).stdout
    )
    assert record["start_components"].keys() == record["components"].keys()
