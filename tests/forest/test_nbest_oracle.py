"""The n best oracles with different strings, against every derivation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import listed
from tests.forest.large_forests import chain
from tests.forest.rolled_forests import forbid, forbidden, forests, scores
from tests.forest.test_oracle import choices, objectives, references

from tunesmith.errors import OptionError
from tunesmith.forest import Edge, Forest, build_forest, oracle_bleu
from tunesmith.forest.oracle import nbest_oracle_bleu
from tunesmith.metrics import Bleu

BACKGROUND = np.array([9.5, 12, 5, 11, 3, 10, 2, 9, 13])


def best_strings(
    forest: Forest, refs: list[str], background, weights, model
) -> list[tuple[float, float, tuple[str, ...]]]:
    """Return the objective of each string, with the model score of its best derivation, best first."""
    words = {one.edges: one.words for one in listed(forest)}
    found: dict[tuple[str, ...], tuple[float, float]] = {}
    for edges, value in objectives(forest, refs, background, weights, model).items():
        pair = value, float(model[list(edges)].sum())
        best = found.setdefault(words[edges], pair)
        if value > best[0] + 1e-12 or (weights[0] == 0 and pair[1] > best[1]):
            found[words[edges]] = pair
    return sorted(((*pair, string) for string, pair in found.items()), key=lambda each: -each[0])


@given(
    forests(max_derivations=150),
    references,
    st.sampled_from([1, 2, 3, 10, 100]),
    st.sampled_from([None, np.ones(9), BACKGROUND]),
    st.sampled_from([(0.0, 1.0), (0.5, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 0.0)]),
    forbidden,
)
def test_without_a_beam_the_best_strings_are_found(forest, refs, n, background, weights, edges_out) -> None:
    model = forbid(scores(forest), edges_out)
    wanted = best_strings(forest, refs, background, weights, model)
    if not wanted:
        return
    found = nbest_oracle_bleu(
        forest,
        refs,
        n,
        background=background,
        scores=model,
        model_weight=weights[0],
        metric_weight=weights[1],
        beam=None,
    )
    assert [one.score for one in found] == pytest.approx([value for value, _, _ in wanted[:n]], abs=1e-9)
    strings = [one.derivation.words for one in found]
    assert len(set(strings)) == len(strings)
    best = {string: (value, score) for value, score, string in wanted}
    for one in found:
        value, score = best[one.derivation.words]
        assert one.score == pytest.approx(value, abs=1e-9)
        if weights[0] == 0:
            assert one.model == pytest.approx(score, abs=1e-9)
        assert one.model == pytest.approx(model[list(one.derivation.edges)].sum(), abs=1e-9)
        assert one.score == pytest.approx(weights[0] * one.model + weights[1] * one.gain, abs=1e-9)


@given(st.integers(0, 2**32), st.sampled_from([2, 5, 10, 100]), st.sampled_from([0.0, 0.1, 1.0]))
def test_strings_whose_parts_are_dominated_are_found(seed: int, n: int, model_weight: float) -> None:
    """Without long contexts, many partial strings are worse than others, whatever follows."""
    generator = np.random.default_rng(seed)
    forest = choices(generator, 4, 3, 8)
    refs = [" ".join(f"w{w}" for w in generator.integers(0, 8, 7))]
    model, metric = np.round(generator.normal(size=forest.edge_count), 1), Bleu(order=2)
    values: dict[tuple[str, ...], float] = {}
    for one in listed(forest):
        gain = float(metric.sentence_score(metric.stats(" ".join(one.words), refs)))
        value = gain + model_weight * float(model[list(one.edges)].sum())
        values[one.words] = max(value, values.get(one.words, -np.inf))
    options = {"metric": metric, "scores": model, "model_weight": model_weight}
    found = nbest_oracle_bleu(forest, refs, n, beam=None, **options)
    assert [one.score for one in found] == pytest.approx(sorted(values.values(), reverse=True)[:n], abs=1e-9)
    assert all(values[one.derivation.words] == pytest.approx(one.score, abs=1e-9) for one in found)
    assert len({one.derivation.words for one in found}) == len(found)


@given(forests(max_derivations=100), references, st.integers(1, 4), st.sampled_from([2, 10]), st.booleans())
def test_a_beam_finds_different_strings_in_order(forest, refs, beam, n, with_model) -> None:
    model, weight = scores(forest), 0.3 if with_model else 0.0
    options = {"scores": model, "model_weight": weight, "beam": beam}
    found = nbest_oracle_bleu(forest, refs, n, **options)
    wanted = {string: value for value, _, string in best_strings(forest, refs, None, (weight, 1.0), model)}
    strings = [one.derivation.words for one in found]
    assert len(set(strings)) == len(strings) <= min(n, len(wanted))
    values = [one.score for one in found]
    assert all(first >= second - 1e-9 for first, second in pairwise(values))
    for one in found:
        assert one.score <= wanted[one.derivation.words] + 1e-9


def test_a_beam_finds_most_of_the_value_of_the_best_strings() -> None:
    generator = np.random.default_rng(3)
    exact, beamed, single = 0.0, 0.0, []
    for _ in range(12):
        forest = choices(generator, 7, 3, 10)
        refs = [" ".join(f"w{w}" for w in generator.integers(0, 10, 10))]
        model = generator.normal(size=forest.edge_count)
        options = {"scores": model, "model_weight": 0.05, "background": BACKGROUND}
        best = nbest_oracle_bleu(forest, refs, 20, beam=None, **options)
        found = nbest_oracle_bleu(forest, refs, 20, **options)
        assert len(best) == len(found) == 20
        exact += sum(one.score for one in best)
        beamed += sum(one.score for one in found)
        single.append((found[0].score, oracle_bleu(forest, refs, **options).score))
    assert 0.98 * exact <= beamed <= exact + 1e-9
    assert all(first == pytest.approx(alone) for first, alone in single)


def test_words_that_are_spelled_alike_make_one_string() -> None:
    forest = build_forest([[Edge((), ("a",), {"lm": 1.0}), Edge((), ("b",), {"lm": 0.0})]])
    double = build_forest(
        [
            [Edge((), ("a",), {"lm": 1.0}), Edge((), ("b",), {"lm": 0.0})],
            [Edge((0,), (-1, "c"), {"lm": 0.0}), Edge((0,), (-1, "c"), {"lm": 2.0})],
        ]
    )
    options = {"scores": {"lm": 1.0}, "model_weight": 1.0}
    assert [one.derivation.text for one in nbest_oracle_bleu(forest, ["x"], 9, **options)] == ["a", "b"]
    found = nbest_oracle_bleu(double, ["x"], 9, **options)
    assert [(one.derivation.text, one.model) for one in found] == [("a c", 3.0), ("b c", 2.0)]


@pytest.mark.parametrize("beam", [None, 32])
@pytest.mark.parametrize("n", [1, 9])
def test_without_a_model_weight_the_best_model_score_decides_among_equal_oracles(n: int, beam) -> None:
    forest = build_forest(
        [
            [Edge((), ("a",), {"lm": 0.0}), Edge((), ("b",), {"lm": 3.0})],
            [Edge((0,), (-1, "c"), {"lm": 0.0}), Edge((0,), (-1, "c"), {"lm": 2.0})],
        ]
    )
    found = nbest_oracle_bleu(forest, ["c"], n, scores={"lm": 1.0}, beam=beam)
    assert [(one.derivation.text, one.model) for one in found] == [("b c", 5.0), ("a c", 2.0)][:n]


def test_a_deep_forest_is_searched_without_recursion() -> None:
    found = nbest_oracle_bleu(chain(50_000), ["a b"], 2)
    assert [len(one.derivation.edges) for one in found] == [50_001]


def test_at_least_one_is_asked_for() -> None:
    with pytest.raises(OptionError, match="at least 1"):
        nbest_oracle_bleu(chain(1), ["a"], 0)
