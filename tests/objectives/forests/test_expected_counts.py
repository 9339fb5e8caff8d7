"""Expected n-gram counts: Figures 1 and 2 of Pauls, DeNero and Klein (2009), and gradients on forests."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.decoded_forests import decoded_pool, pool_of
from tests.rhyme import HYPOTHESES, REFERENCE, rhyme_forest

from tunesmith.files import read_lines
from tunesmith.forest.ngram_corpus import NgramCorpus
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.precision import Precision
from tunesmith.model.itg import itg_over
from tunesmith.objectives.forests.expected_counts import ExpectedCounts

SENTENCES = 20


@pytest.fixture
def rhyme() -> ForestPool:
    return ForestPool.of([rhyme_forest()], [[REFERENCE]])


def test_expected_counts_are_those_of_figure_1(rhyme: ForestPool) -> None:
    counts = NgramCorpus(rhyme, 2).counts(np.ones(2))
    bigrams = counts.counts[counts.lengths == 2]
    assert np.round(bigrams, 2).tolist() == [0.33, 0.33, 0.91]
    assert counts.totals[0] == pytest.approx([4.0, 3.0])
    objective = ExpectedCounts.build(rhyme, Precision(order=2))
    assert objective.score(np.ones(2)) == pytest.approx(bigrams.sum() / 3)


def test_consensus_precision_has_one_peak_where_the_reference_is_above_the_first_hypothesis(
    rhyme: ForestPool,
) -> None:
    """Figure 2: along the weight of LM, CoBP rises to one peak, while MaxBP only jumps from H1 to H3."""
    objective = ExpectedCounts.build(rhyme, Precision(order=2))
    grid = np.linspace(0.0, 3.0, 301)
    consensus = np.array([objective.score(np.array([1.0, lm])) for lm in grid])
    peak = int(consensus.argmax())
    assert 0 < peak < len(grid) - 1
    assert (np.diff(consensus[: peak + 1]) > 0).all()
    assert (np.diff(consensus[peak:]) < 0).all()

    features = np.array([list(each.values()) for each in HYPOTHESES.values()])
    scores = features @ np.stack([np.ones_like(grid), grid])
    probability = np.exp(scores - scores.max(axis=0))
    probability /= probability.sum(axis=0)
    assert probability[1, peak] > probability[0, peak]  # "favors H2 while suppressing H1"
    winners = scores.argmax(axis=0)
    assert 1 not in winners  # the reference is never the best
    assert winners[0] == 0
    assert winners[-1] == 2
    assert (np.diff(winners) != 0).sum() == 1
    precision = np.array([1 / 3, 1.0, 2 / 3])  # of H1, H2, H3
    assert consensus[peak] > precision[winners].max()


def test_the_loss_is_minus_the_log_of_the_paper(rhyme: ForestPool) -> None:
    """ln BLEU of section 2.2, written out, with a reference that makes the brevity penalty bite."""
    pool = ForestPool.of(list(rhyme.forests), [["Once upon a rhyme they say"]])
    counts = NgramCorpus(pool, 2).counts(np.ones(2))
    terms = []
    for n in (1, 2):
        at = counts.lengths == n
        clipped = np.minimum(counts.counts[at], counts.limits[at]).sum()
        terms.append(math.log(clipped / counts.totals[0, n - 1]))
    expected = min(1 - 6 / counts.totals[0, 0], 0.0) + sum(terms) / 2
    objective = ExpectedCounts.build(pool, Bleu(order=2), kinks=True)
    assert objective.loss(np.ones(2)) == pytest.approx(-expected, rel=1e-12)


def check_gradient(pool: ForestPool, weights: np.ndarray) -> None:
    objective = ExpectedCounts.build(pool, Bleu(), threads=2)
    _, gradient = objective.loss_and_gradient(weights)
    assert np.linalg.norm(gradient) > 0.01
    for index, slope in enumerate(gradient):
        shift = np.zeros_like(weights)
        shift[index] = 1e-5
        difference = (objective.loss(weights + shift) - objective.loss(weights - shift)) / 2e-5
        assert abs(slope - difference) < 1e-6 * np.linalg.norm(gradient)


@pytest.mark.parametrize("kind", ["small_model", "small_hiero"])
@pytest.mark.parametrize("context", [0, 3])
def test_the_gradient_is_exact_on_forests_of_trained_models(
    kind: str, context: int, request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(kind)
    check_gradient(*decoded_pool(model, SENTENCES, context=context, pop_limit=30))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["phrase", "itg"])
@pytest.mark.parametrize("context", [0, 3])
def test_the_gradient_is_exact_on_real_forests(
    kind: str, context: int, shared_data: Path, moses_model: Path, tmp_path: Path
) -> None:
    (tmp_path / "phrase").symlink_to(moses_model)
    if kind == "itg":
        itg_over(moses_model, tmp_path / "itg")
    source, target = (
        read_lines(shared_data / f"multi30k.test_2016.{side}.xz")[:SENTENCES] for side in ("de", "en")
    )
    check_gradient(*pool_of(tmp_path / kind, source, target, context=context, pop_limit=30))
