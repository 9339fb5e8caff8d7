"""The best yield under linear BLEU is the best of all yields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.consensus.brute_force import Words, best_scores, distribution, expected, largest, presence
from tests.forest.enumeration import ngram_counts
from tests.forest.rolled_forests import forests, scores

from tunesmith.consensus import LinearConsensus
from tunesmith.errors import OptionError
from tunesmith.forest import Edge, Forest, build_forest, linear_thetas


@given(
    forests(), st.integers(1, 4), st.sampled_from([0.0, 0.3, 2.0]), st.sampled_from(["presence", "counts"])
)
def test_the_choice_is_the_best_of_all_yields(
    forest: Forest, order: int, scale: float, posterior: str
) -> None:
    some = scores(forest)
    yields = distribution(forest, some, scale)
    likely = (presence if posterior == "presence" else expected)(yields, order)
    thetas = linear_thetas(order)

    def value(words: Words) -> float:
        counts = ngram_counts(words, order)
        return float(thetas[0] * len(words) + sum(thetas[len(g)] * c * likely[g] for g, c in counts.items()))

    most, best = largest(yields, value)
    chosen = LinearConsensus(scale=scale, order=order, posterior=posterior).over_forest(forest, some)
    assert chosen.score == pytest.approx(most, abs=1e-9)
    assert chosen.derivation.words in best
    assert chosen.text == " ".join(chosen.derivation.words)
    assert chosen.derivation.score == pytest.approx(best_scores(forest, some)[chosen.derivation.words])


def test_presence_and_counts_can_choose_differently() -> None:
    forest = build_forest(
        [[Edge((), ("a", "a", "a"), {"s": 0.0}), Edge((), ("b",), {"s": 0.4}), Edge((), ("c",), {"s": 0.3})]]
    )
    options = {"scale": 1.0, "order": 1, "precision": 0.4}
    by_presence = LinearConsensus(**options).over_forest(forest, {"s": 1.0})
    by_counts = LinearConsensus(**options, posterior="counts").over_forest(forest, {"s": 1.0})
    assert (by_presence.text, by_counts.text) == ("b", "a a a")


@pytest.mark.parametrize(
    "options", [{"order": 0}, {"order": 17}, {"precision": 0.0}, {"ratio": 1.5}, {"posterior": "sums"}]
)
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        LinearConsensus(**options)
