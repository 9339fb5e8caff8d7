"""Moses' 100-best lists of Multi30k, beside the figures of Moses' own optimizers on the same file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tuning.runs import run_for, solve

from tunesmith import tune
from tunesmith.candidates.pool import Pool
from tunesmith.metrics.bleu import Bleu
from tunesmith.tuning.method import METHODS

BASELINE, MOSES_MERT, MOSES_PRO = 39.163, 40.967, 39.968
"""BLEU of the first candidates, of Moses' mert (mean of three seeds) and of its pro."""


@pytest.fixture(scope="module")
def pool(shared_data: Path) -> Pool:
    lists, references = "moses/val.default.nbest100.gz", "multi30k.val.en.xz"
    return Pool.read(shared_data / lists, references=[shared_data / references])


def reranked(pool: Pool, method: str, **options: object) -> float:
    solution = solve(method, run_for(pool, metric=Bleu(), l2=METHODS[method].l2, threads=1), **options)
    stats = pool.stats(Bleu())[pool.best(solution.weights)]
    return 100 * float(Bleu().score(stats.sum(axis=0)))


@pytest.mark.slow
def test_corpus_risk_reaches_what_mert_reaches(pool: Pool) -> None:
    assert reranked(pool, "corpus-risk") > MOSES_MERT


@pytest.mark.slow
def test_risk_comes_near(pool: Pool) -> None:
    assert reranked(pool, "risk") > MOSES_MERT - 0.2


def test_pro_reaches_what_moses_pro_reaches(pool: Pool) -> None:
    assert reranked(pool, "pro") >= MOSES_PRO


def test_the_length_search_and_one_candidate_per_tie_help_plackett_luce(pool: Pool) -> None:
    before = {"resample": "never", "length_search": False}
    whole, one = (reranked(pool, "pl", ties=ties, **before) for ties in ("random", "one"))
    assert whole < BASELINE < BASELINE + 0.5 < reranked(pool, "pl")
    assert whole < one


@pytest.mark.slow
def test_mira_learns_from_start_weights_of_any_size(pool: Pool) -> None:
    start = dict.fromkeys(pool.feature_names, 0.3) | {"WordPenalty0": -1.0, "LM0": 0.5}
    scores = [
        100 * tune(pool, "mira", start={name: size * weight for name, weight in start.items()}).score
        for size in (0.001, 1.0, 1000.0)
    ]
    assert max(scores) - min(scores) < 0.05
    assert min(scores) > BASELINE + 1.0
