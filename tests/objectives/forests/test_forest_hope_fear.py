"""Margins on forests against all derivations of small ones."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import listed, ngram_counts
from tests.forest.large_forests import chain
from tests.forest.rolled_forests import WORDS, forests
from tests.objectives.forests.margin_forests import plain_pass, rolled_pool, spelled_derivations

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.file import ForestWriter
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics import Bleu, get_metric
from tunesmith.objectives.forests.forest_hope_fear import ForestHopeFear
from tunesmith.objectives.hope_fear import Passed

texts = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=7).map(" ".join)
references = st.lists(texts, min_size=1, max_size=3)
eighths = st.integers(-8, 8).map(lambda x: x / 8)
lengths = st.sampled_from(["closest", "shortest", "average"])


def pool_of(forest: Forest, refs: list[str]) -> ForestPool:
    return ForestPool.of([forest], [[ref] for ref in refs])


def free(pool: ForestPool) -> np.ndarray:
    return np.full(len(pool.feature_names), np.inf)


@given(forests(), references, st.lists(eighths, min_size=5, max_size=5).map(np.array), eighths, lengths)
def test_the_best_derivation_of_a_linear_gain_is_found(forest, refs, thetas, weight, length) -> None:
    metric = Bleu(reference_length=length)
    objective = ForestHopeFear.build(pool_of(forest, refs), metric)
    edges, times, stats = objective._pack(0).best(np.array([weight]), thetas)
    known = {ngram for ref in refs for ngram in ngram_counts(tuple(ref.split()), 4)}
    scores, worth = forest.scores(np.array([weight])), {}
    for one in listed(forest):
        counts = ngram_counts(one.words, 4)
        matches = sum(thetas[len(ngram)] * count for ngram, count in counts.items() if ngram in known)
        worth[one.edges] = thetas[0] * len(one.words) + matches + scores[list(one.edges)].sum()
    used = Counter(np.repeat(edges, times.astype(int)).tolist())
    found = [one for one in listed(forest) if Counter(one.edges) == used]
    assert found
    assert any(
        worth[one.edges] == pytest.approx(max(worth.values()), abs=1e-9)
        and (metric.stats(" ".join(one.words), refs) == stats).all()
        for one in found
    )


@given(
    st.lists(st.floats(0.01, 50.0), min_size=9, max_size=9),
    st.sampled_from(["none", "floor", "exp", "add-k"]),
    st.sets(st.sampled_from([0, 2, 4, 6])),
)
def test_slopes_are_those_of_the_metric(values, smooth, unmatched) -> None:
    background, metric = np.array(values), Bleu(smooth=smooth)
    background[list(unmatched)] = 0.0
    found = _native.background_slopes(metric.scorer(), background)
    slopes = metric.score_gradient(background) * background[-1]
    np.testing.assert_allclose(found, [slopes[1:-1:2].sum(), *slopes[0:-1:2]], rtol=1e-9, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("linear", [True, False])
def test_a_pass_equals_the_plain_one(linear: bool) -> None:
    compared = updates = 0
    for seed in range(30):
        pool, metric = rolled_pool(seed, references=1 + seed % 2), Bleu()
        generator = np.random.default_rng(seed)
        start = generator.normal(size=len(pool.feature_names)) / 4
        order = generator.permutation(np.repeat(np.arange(len(pool)), 2))
        c = 0.01 if seed % 2 else 1.0
        plain = plain_pass(pool, metric, order, start, c=c, decay=0.9, linear=linear)
        if plain.ties:
            continue
        objective = ForestHopeFear.build(
            pool, metric, decay=0.9, oracle="linear" if linear else "beam", beam=10_000
        )
        at = objective.learn(order, c, -free(pool), free(pool), objective.begin(start))
        np.testing.assert_allclose(at.weights, plain.weights, atol=1e-9)
        np.testing.assert_allclose(at.background, plain.background, atol=1e-9)
        np.testing.assert_allclose(at.average, plain.average, atol=1e-9)
        assert (at.steps, at.updates) == (len(order), plain.updates)
        compared, updates = compared + 1, updates + plain.updates
    assert compared > 10 and updates > 5 * compared, "too little was compared"


@pytest.mark.parametrize("seed", range(5))
def test_the_loss_is_that_of_the_best_derivations(seed: int) -> None:
    pool, metric = rolled_pool(seed, references=2), Bleu()
    weights = np.random.default_rng(seed).normal(size=len(pool.feature_names))
    best = [
        max(spelled_derivations(pool, i, metric), key=lambda one: one.features @ weights).stats
        for i in range(len(pool))
    ]
    objective = ForestHopeFear.build(pool, metric)
    assert (objective.stats(weights) == np.array(best)).all()
    assert objective.loss(weights) == -metric.gain(np.sum(best, axis=0))


@pytest.mark.parametrize("seed", range(5))
def test_zero_weights_have_the_loss_of_mean_counts(seed: int) -> None:
    pool, metric = rolled_pool(seed), Bleu()
    rows = []
    for sentence in range(len(pool)):
        reference = tuple(pool.references_of(sentence)[0].split())
        limits, found = ngram_counts(reference, 4), listed(pool.forests[sentence])
        mean: Counter[tuple[str, ...]] = Counter()
        row = np.zeros(9)
        for one in found:
            for ngram, count in ngram_counts(one.words, 4).items():
                mean[ngram] += count / len(found)  # type: ignore[assignment]
                row[2 * len(ngram) - 1] += count / len(found)
        for ngram, limit in limits.items():
            row[2 * len(ngram) - 2] += min(mean[ngram], limit)
        row[-1] = len(reference)
        rows.append(row)
    objective = ForestHopeFear.build(pool, metric)
    zeros = np.zeros(len(pool.feature_names))
    np.testing.assert_allclose(objective.stats(zeros), rows, atol=1e-9)
    assert objective.loss(zeros) == pytest.approx(-float(metric.gain(np.sum(rows, axis=0))))


@pytest.mark.parametrize("oracle", ["linear", "beam"])
def test_weights_stay_inside_their_box(oracle: str) -> None:
    pool = rolled_pool(3, sentences=20)
    objective = ForestHopeFear.build(pool, Bleu(), oracle=oracle)
    lower, upper = np.full(len(pool.feature_names), -0.01), np.full(len(pool.feature_names), 0.02)
    lower[1] = upper[1] = 0.005  # frozen
    start = np.clip(np.zeros(len(lower)), lower, upper)
    at = objective.learn(np.arange(len(pool)), 10.0, lower, upper, objective.begin(start))
    assert at.updates > 0
    assert (at.weights >= lower).all() and (at.weights <= upper).all()
    assert (at.weights == upper).any() and at.weights[1] == 0.005 == at.average[1]


@pytest.mark.parametrize("oracle", ["linear", "beam"])
def test_threads_change_nothing(oracle: str) -> None:
    pool, ends = rolled_pool(4, sentences=40), []
    for threads in (1, 3):
        objective = ForestHopeFear.build(pool, Bleu(), oracle=oracle, threads=threads)
        at = objective.begin(np.zeros(len(pool.feature_names)))
        for _ in range(2):
            at = objective.learn(np.arange(len(pool)), 0.1, -free(pool), free(pool), at)
        ends.append((at.weights.tobytes(), at.drift.tobytes(), objective.loss(at.weights)))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("oracle", ["linear", "beam"])
def test_forests_of_one_derivation_and_empty_references_teach_nothing(oracle: str) -> None:
    one = build_forest([[Edge((), ("a", "b"), {"lm": 1.0})]])
    two = build_forest([[Edge((), ("a",), {"lm": 1.0}), Edge((), ("b",), {"lm": 2.0})]])
    nothing = build_forest([[Edge((), (), {})]], ["lm"])
    pool = ForestPool.of([one, two, nothing], [["a b", "", ""]])
    objective = ForestHopeFear.build(pool, Bleu(), oracle=oracle)
    at = objective.learn(np.arange(3), 0.1, -free(pool), free(pool), objective.begin(np.array([0.5])))
    assert at.updates == 0 and at.weights.tolist() == [0.5]
    assert objective.stats(np.array([1.0]))[:, [0, 1, 8]].tolist() == [[2, 2, 2], [0, 1, 0], [0, 0, 0]]
    assert np.isfinite(objective.loss(np.zeros(1)))


def test_matches_that_clipping_takes_away_make_no_update() -> None:
    """Not clipped, three times the reference's only word looks best; its true gain is lower."""
    forest = build_forest([[Edge((), ("a", "a", "a"), {"lm": 1.0}), Edge((), ("a",), {"tm": 1.0})]])
    pool = pool_of(forest, ["a"])
    objective = ForestHopeFear.build(pool, Bleu(order=1))
    background = np.array([1.0, 100.0, 100.0])  # words are cheap, matches dear
    edges, _, stats = objective.compiled.find(objective._finder, 0, np.zeros(2), background, 1.0)
    assert edges.tolist() == [0] and stats.tolist() == [1, 3, 1]
    at = Passed(np.zeros(2), np.zeros(2), background, 0)
    moved = objective.learn(np.arange(1), 1.0, -free(pool), free(pool), at)
    assert moved.updates == 0


def test_a_derivation_that_is_exponentially_long_is_counted() -> None:
    doubled = [[Edge((), ("a",), {"lm": 1.0})]] + [[Edge((i, i), (-1, -2), {})] for i in range(50)]
    objective = ForestHopeFear.build(pool_of(build_forest(doubled, ["lm"]), ["a a b"]), Bleu())
    assert objective.stats(np.ones(1)).tolist() == [
        [2, 2.0**50, 1, 2.0**50 - 1, 0, 2.0**50 - 2, 0, 2.0**50 - 3, 3]
    ]


@pytest.mark.slow
def test_deep_chains_need_no_recursion() -> None:
    depth = 100_000
    objective = ForestHopeFear.build(pool_of(chain(depth), ["a b b"]), Bleu())
    edges, times, stats = objective._pack(0).best(np.zeros(0), np.ones(5))
    assert edges.tolist() == list(range(depth, -1, -1)) and (times == 1).all()
    assert stats[:4].tolist() == [3, depth + 1, 2, depth]


def test_forests_of_a_file_teach_what_those_in_memory_do(tmp_path: Path) -> None:
    pool = rolled_pool(6, sentences=20)
    with ForestWriter(tmp_path / "forests") as writer:
        for name, forest in zip(pool.ids, pool.forests, strict=True):
            writer.add(forest, name)
    (tmp_path / "en").write_text("".join(f"{text}\n" for text in pool.references[0]))
    ends = []
    for each in (pool, ForestPool.open(tmp_path / "forests", [tmp_path / "en"])):
        objective = ForestHopeFear.build(each, Bleu(), threads=2)
        at = objective.learn(
            np.arange(20), 0.1, -free(each), free(each), objective.begin(np.zeros(len(each.feature_names)))
        )
        ends.append((each.weights(at.weights), objective.loss(at.weights)))
    assert ends[0] == ends[1]


def test_white_space_within_words_separates_words_as_in_references() -> None:
    forest = build_forest([[Edge((), ("10\u00a0000", "\u3000", "", "中", "שלום"), {"lm": 1.0})]])
    objective = ForestHopeFear.build(pool_of(forest, ["10 000 中 שלום"]), Bleu())
    assert objective.stats(np.ones(1)).tolist() == [[4, 4, 3, 3, 2, 2, 1, 1, 4]]


def test_an_objective_survives_pickling() -> None:
    pool = rolled_pool(5)
    objective = ForestHopeFear.build(pool, Bleu(), decay=0.5, oracle="beam", beam=4)
    weights = np.random.default_rng(5).normal(size=len(pool.feature_names))
    loss = objective.loss(weights)
    again = pickle.loads(pickle.dumps(objective))
    assert (again.decay, again.oracle, again.beam) == (0.5, "beam", 4)
    assert again.loss(weights) == loss


def test_what_makes_no_sense_is_refused() -> None:
    pool = rolled_pool(1)
    for metric in ("chrf", "ter", "precision", "0.5*bleu + 0.5*chrf"):
        with pytest.raises(OptionError, match="need bleu, not"):
            ForestHopeFear.build(pool, get_metric(metric))
    with pytest.raises(OptionError, match="words are compared unchanged"):
        ForestHopeFear.build(pool, Bleu(lowercase=True))
    with pytest.raises(OptionError, match="'linear' or 'beam', not 'exact'"):
        ForestHopeFear.build(pool, Bleu(), oracle="exact")
    with pytest.raises(OptionError, match="at least 1, not 0"):
        ForestHopeFear.build(pool, Bleu(), beam=0)
    with pytest.raises(InputError, match="no references"):
        ForestHopeFear.build(ForestPool.of(pool.forests, []), Bleu()).loss(np.ones(5))
    objective = ForestHopeFear.build(pool, Bleu())
    with pytest.raises(InputError, match="expected 5 weights, found 3"):
        objective.loss(np.ones(3))
    with pytest.raises(InputError, match="no finite sum"):
        objective.loss(np.full(5, 1e308))
    with pytest.raises(InputError, match="no such sentence: 99"):
        objective.learn(np.array([99]), 0.1, -free(pool), free(pool), objective.begin(np.zeros(5)))
