"""The n best oracles of a search with a beam: its first one, and what it reports of the others."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import listed
from tests.forest.rolled_forests import forbid, forbidden, forests, scores
from tests.forest.test_oracle import choices, objectives, references, sacrebleu_stats

from tunesmith.errors import InputError
from tunesmith.forest import Edge, build_forest, oracle_bleu
from tunesmith.forest.oracle import nbest_oracle_bleu
from tunesmith.metrics import Bleu

BACKGROUND = np.array([9.5, 12, 5, 11, 3, 10, 2, 9, 13])


@given(
    forests(max_derivations=100),
    references,
    st.sampled_from([1, 2, 5, 40]),
    st.sampled_from([2, 10, 100]),
    st.sampled_from([None, BACKGROUND]),
    st.sampled_from([(0.0, 1.0), (0.5, 1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 0.0)]),
    forbidden,
)
def test_the_first_of_n_is_the_one_that_is_found_alone(
    forest, refs, beam, n, background, weights, edges_out
) -> None:
    options = {
        "background": background,
        "scores": forbid(scores(forest), edges_out),
        "model_weight": weights[0],
        "metric_weight": weights[1],
        "beam": beam,
    }
    try:
        alone = oracle_bleu(forest, refs, **options)
    except InputError:  # all derivations are forbidden
        return
    first = nbest_oracle_bleu(forest, refs, n, **options)[0]
    assert first.derivation.edges == alone.derivation.edges
    assert (first.score, first.gain, first.model) == (alone.score, alone.gain, alone.model)
    assert first.stats.tolist() == alone.stats.tolist()


@given(
    forests(max_derivations=100),
    references,
    st.integers(1, 3),
    st.sampled_from([None, BACKGROUND]),
    st.sampled_from([(0.0, 1.0), (0.5, 1.0), (1.0, -1.0), (-1.0, 1.0)]),
)
def test_statistics_and_scores_are_those_of_the_derivations(forest, refs, beam, background, weights) -> None:
    model = scores(forest)
    wanted = objectives(forest, refs, background, weights, model)
    by_edges = {one.edges: one for one in listed(forest)}
    options = {"background": background, "scores": model, "beam": beam}
    for one in nbest_oracle_bleu(
        forest, refs, 20, model_weight=weights[0], metric_weight=weights[1], **options
    ):
        edges = one.derivation.edges
        assert one.score == pytest.approx(wanted[edges], abs=1e-9)
        assert one.model == pytest.approx(model[list(edges)].sum(), abs=1e-9)
        assert one.stats.tolist() == sacrebleu_stats(by_edges[edges], refs).tolist()


def test_a_small_beam_finds_strings_whose_parts_are_dominated() -> None:
    """All partial strings end outside of the reference: one of them dominates all others."""
    parts = [Edge((), (*three, "x"), {}) for three in product("ap", "bq", "cr")]
    forest = build_forest([parts, [Edge((0,), (-1, "d"), {}), Edge((0,), (-1, "e"), {})]])
    refs = ["a b c y d"]
    found = nbest_oracle_bleu(forest, refs, 20, beam=2)
    assert len({one.derivation.text for one in found}) == 16
    exact = nbest_oracle_bleu(forest, refs, 20, beam=None)
    assert [one.score for one in found] == pytest.approx([one.score for one in exact])


@pytest.mark.parametrize("background", [None, BACKGROUND])
@pytest.mark.parametrize("model_weight", [0.0, 0.05])
def test_a_beam_finds_nearly_all_of_the_value_of_the_best_strings(background, model_weight: float) -> None:
    generator = np.random.default_rng(5)
    exact, beamed, best = 0.0, 0.0, 0.0
    for _ in range(5):
        forest = choices(generator, 6, 3, 10)
        refs = [" ".join(f"w{w}" for w in generator.integers(0, 10, 10))]
        options = {
            "scores": generator.normal(size=forest.edge_count),
            "model_weight": model_weight,
            "background": background,
            "metric": Bleu(order=2) if background is None else None,
        }
        wanted = nbest_oracle_bleu(forest, refs, 50, beam=None, **options)
        found = nbest_oracle_bleu(forest, refs, 50, **options)
        assert len(wanted) == len(found) == 50
        exact += sum(one.score for one in wanted)
        beamed += sum(one.score for one in found)
        best += 50 * wanted[0].score
    assert exact - 0.02 * (best - exact) <= beamed <= exact + 1e-9
