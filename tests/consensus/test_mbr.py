"""Minimum Bayes risk over lists, against the double loop of its definition."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import plain_text, pools, small_number

from tunesmith.candidates import Pool
from tunesmith.consensus import ConsensusRule, FastConsensus, MbrConsensus
from tunesmith.consensus import mbr as module
from tunesmith.consensus import progress as progress_module
from tunesmith.consensus.lists import best_strings, list_forests
from tunesmith.errors import IgnoredInputWarning, InputError, OptionError
from tunesmith.forest import Edge, build_forest
from tunesmith.metrics import get_metric

few_words = st.lists(st.sampled_from("abc"), max_size=4).map(" ".join)
METRICS = ["bleu", "chrf", "ter", "0.5*bleu + 0.5*(1-ter)"]


def expected_gains(texts: list[str], scores: np.ndarray, metric: str, scale: float) -> dict[str, float]:
    measure = get_metric(metric)
    weights = [math.exp(scale * (score - scores.max())) for score in scores]
    return {
        text: sum(
            weight / sum(weights) * float(measure.sentence_gain(measure.stats(text, [other])))
            for other, weight in zip(texts, weights, strict=True)
        )
        for text in texts
    }


@given(
    pools(texts=few_words, values=small_number, dense=True, references=0, max_features=1),
    st.sampled_from(METRICS),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_the_choice_is_that_of_the_double_loop(pool: Pool, metric: str, scale: float) -> None:
    best = MbrConsensus(scale=scale, metric=metric).over_pool(pool, np.array([1.0]), threads=1)
    scores = pool.features.dot(np.array([1.0]))
    assert pool.texts is not None
    for g in range(len(pool)):
        begin, end = pool.offsets[g : g + 2]
        gains = expected_gains(list(pool.texts)[begin:end], scores[begin:end], metric, scale)
        assert best.scores[g] == pytest.approx(max(gains.values()), abs=1e-9)
        assert gains[best.texts[g]] == pytest.approx(max(gains.values()), abs=1e-9)
        assert begin + best.indices[g] == best.rows[g]


@pytest.mark.filterwarnings("ignore::tunesmith.errors.IgnoredInputWarning")
def test_evidence_is_cut_to_the_most_probable() -> None:
    texts = ["a b c", "x y z", "x y w", "x y v"]
    pool = Pool.from_arrays(np.array([[[0.0], [-0.2], [-0.3], [-0.4]]]), names=["s"], texts=[texts])
    assert MbrConsensus(scale=1.0).over_pool(pool, {"s": 1.0}).texts == ["x y z"]
    assert MbrConsensus(scale=1.0, evidence=1).over_pool(pool, {"s": 1.0}).texts == ["a b c"]
    assert MbrConsensus(scale=1.0, size=1).over_pool(pool, {"s": 1.0}).texts == ["a b c"]


@pytest.mark.filterwarnings("ignore::tunesmith.errors.IgnoredInputWarning")
def test_strings_that_come_twice_add_up_and_are_told_by_their_best() -> None:
    pool = Pool.from_arrays(np.array([[[0.5], [0.0], [0.1]]]), names=["s"], texts=[["x", "a b", "a b"]])
    best = MbrConsensus(scale=1.0, size=1).over_pool(pool, {"s": 1.0})
    assert (best.texts, best.indices.tolist()) == (["a b"], [2])


@given(st.lists(plain_text, min_size=1, max_size=8, unique=True), st.integers(1, 20))
def test_portions_change_nothing(texts: list[str], most: int) -> None:
    scores = np.linspace(0.0, 1.0, len(texts))
    whole = MbrConsensus().choose(texts, scores)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_PAIRS", most)
        parts = MbrConsensus().choose(texts, scores)
    assert parts == (whole[0], pytest.approx(whole[1]))


def test_a_forest_gives_its_best_strings() -> None:
    edges = [
        Edge((), text, {"s": s})
        for text, s in [(("a",), 0.5), (("x", "y"), 0.4), (("x", "z"), 0.3), (("x", "y"), 0.2)]
    ]
    chosen = MbrConsensus(scale=1.0, metric="chrf").over_forest(build_forest([edges]), {"s": 1.0})
    assert (chosen.text, chosen.derivation.edges) == ("x y", (1,))


def test_a_forest_without_derivations_is_refused() -> None:
    with pytest.raises(InputError, match="no derivation"):
        MbrConsensus().over_forest(build_forest([]), np.zeros(0))


@pytest.mark.parametrize("options", [{"size": 0}, {"evidence": 0}, {"metric": "nope"}])
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        MbrConsensus(**options)


def long_list(count: int) -> Pool:
    """One list of different samples, the last of them like most others."""
    texts = [f"w{number} x{number} y{number}" for number in range(count - 50)]
    texts += [f"the cat sat on mat {number}" for number in range(49)] + ["the cat sat on the mat"]
    return Pool.from_arrays(np.zeros((1, count, 1)), texts=[texts])


@pytest.mark.parametrize("rule", [MbrConsensus(metric="bleu(order=2)", scale=0), FastConsensus(scale=0)])
def test_all_candidates_of_a_long_list_count(rule: ConsensusRule) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rule.over_pool(long_list(151)).texts[0].startswith("the cat sat")


@pytest.mark.parametrize("rule", [MbrConsensus(scale=0, size=100), FastConsensus(scale=0, size=100)])
def test_a_limit_is_said_with_what_it_leaves_out(rule: ConsensusRule) -> None:
    with pytest.warns(IgnoredInputWarning, match="size is 100: in 1 of 1 lists .* left out, 51 of 151"):
        rule.over_pool(long_list(151))


def test_a_limit_of_references_is_said() -> None:
    pool = long_list(60)
    said = r"evidence is 7: in 1 of 1 lists the other references are left out, 53 of 60"
    with pytest.warns(IgnoredInputWarning, match=said):
        MbrConsensus(scale=0, evidence=7).over_pool(pool)
    with pytest.warns(IgnoredInputWarning, match="1 of 2"):
        MbrConsensus(scale=0, evidence=1).over_pool(pool, references=[["a", "b", "a"]])


def test_a_string_that_is_most_of_a_list_hides_no_other() -> None:
    texts = ["a b"] * 2500 + ["a c"] * 2
    pool = Pool.from_arrays(np.zeros((1, len(texts), 1)), texts=[texts])
    lists = list(list_forests(pool, np.zeros(len(texts))))
    assert [one.text for one in best_strings(*lists[0], 2)] == ["a b", "a c"]


def test_progress_counts_comparisons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "PAUSE", 0.0)
    said: list[str] = []
    MbrConsensus(scale=0).over_pool(long_list(60), threads=1, progress=said.append)
    assert said == ["3,600 of 3,600 comparisons"]
    FastConsensus(scale=0).over_pool(long_list(60), threads=1, progress=said.append)
    assert said[-1] == "1 of 1 lists"
