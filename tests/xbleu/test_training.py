"""Compiled lists and the learner, against the template's Python code, numpy and finite differences."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.xbleu.toy_lists import ToyList, toy_lists, write_lists, write_word_lists

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.features import (
    SparseHRM,
    SparseHRMBiPhrases,
    SparseHRMLocal,
    SparseHRMUncommon,
    SparseReordering,
)
from tunesmith.metrics import Bleu

METRIC = Bleu(sentence="gao-he")
SETS = [SparseHRMLocal, SparseHRM, SparseHRMUncommon, SparseHRMBiPhrases]
GAIN, LIKELIHOOD = _native.ListObjective.EXPECTED_GAIN, _native.ListObjective.LIKELIHOOD
GAMMA = 1.7


class Compiled:
    """Lists, and what they were compiled to."""

    def __init__(
        self, lists: list[ToyList], template: SparseReordering, folder: Path, *, equal_gains: bool = False
    ) -> None:
        write_word_lists(folder)
        self.lists = lists
        self.template = template.with_lists(folder)
        self.features = _native.EventFeatures(self.template.twin())
        self.set, nothing = (_native.TrainingSet(str(folder), self.features.is_small, True) for _ in range(2))
        file = write_lists(lists, folder / "lists")
        gains = METRIC.sentence_score(file.statistics()).astype(np.float32) * (not equal_gains)
        marks = np.zeros(len(file), dtype=np.uint8)
        _native.compile_lists(file, gains, marks, self.features, self.set, nothing)
        self.set.seal()
        self.names = self.features.names(0, len(self.features))

    def draw_weights(self, scale: float = 0.3) -> npt.NDArray[np.float32]:
        return np.random.default_rng(5).normal(0, scale, len(self.names)).astype(np.float32)

    def learner(self, gamma: float = GAMMA, rate: float = 0.1, **options: Any) -> _native.ReorderingLearner:
        chosen = {"objective": GAIN, **options}
        return _native.ReorderingLearner(len(self.names), gamma=gamma, rate=rate, **chosen)

    def posteriors(self, each: ToyList, weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Return p(e), computed in Python from names."""
        of = dict(zip(self.names, weights.tolist(), strict=True))
        scores = np.array(each.scores) + [
            sum(count * of[name] for name, count in found.items()) for found in each.features(self.template)
        ]
        powers = np.exp(GAMMA * (scores - scores.max()))
        return powers / powers.sum()


@pytest.fixture
def local(tmp_path: Path) -> Compiled:
    return Compiled(toy_lists(30), SparseHRMLocal(), tmp_path)


@pytest.mark.parametrize("orientations", ["mslrg", "mslr", "msd"])
@pytest.mark.parametrize("kind", SETS)
def test_compiled_lists_have_the_features_of_the_template(
    kind: type[SparseReordering], orientations: Any, tmp_path: Path
) -> None:
    made = Compiled(toy_lists(40, seed=3), kind(orientations=orientations), tmp_path)
    weights = made.draw_weights()
    gain, gradient = 0.0, Counter[str]()
    for each in made.lists:
        p, gains = made.posteriors(each, weights), each.gains(METRIC)
        gain += p @ gains / len(made.lists)
        for slope, found in zip(GAMMA * p * (gains - p @ gains), each.features(made.template), strict=True):
            for name, count in found.items():
                gradient[name] += slope * count / len(made.lists)
    value, native = _native.list_gradient(made.set, weights, GAIN, GAMMA)
    assert value == pytest.approx(gain, abs=1e-6)
    assert set(made.names) == set(gradient)
    np.testing.assert_allclose(native, [gradient[name] for name in made.names], atol=1e-6)


@pytest.mark.parametrize("objective", [GAIN, LIKELIHOOD])
@pytest.mark.parametrize("kind", [SparseHRMLocal, SparseHRMBiPhrases])
def test_the_gradient_equals_finite_differences(kind: Any, objective: Any, tmp_path: Path) -> None:
    made = Compiled(toy_lists(12, seed=4), kind(), tmp_path)
    weights = np.round(made.draw_weights() * 256) / np.float32(256)  # steps of 1/256 are exact
    _, gradient = _native.list_gradient(made.set, weights, objective, GAMMA)
    assert np.abs(gradient).max() > 0.001
    for feature in np.random.default_rng(1).choice(len(weights), 60, replace=False):
        values = []
        for step in (-1 / 256, 1 / 256):
            moved = weights.copy()
            moved[feature] += np.float32(step)
            values.append(_native.list_gradient(made.set, moved, objective, GAMMA)[0])
        assert (values[1] - values[0]) * 128 == pytest.approx(
            gradient[feature], abs=2e-4 * abs(gradient).max()
        )


def test_evaluation_reports_expected_and_best_candidates(local: Compiled) -> None:
    weights = local.draw_weights()
    found = _native.evaluate_lists(local.set, weights, GAMMA)
    expected, best = np.zeros(9), np.zeros(9)
    entropies, likelihoods, best_gains, oracles = [], [], [], []
    for each in local.lists:
        p, gains, stats = local.posteriors(each, weights), each.gains(METRIC), each.statistics()
        expected += p @ stats
        best += stats[p.argmax()]
        entropies.append(-(p * np.log(p)).sum() / np.log(len(p)))
        likelihoods.append(np.log(p[gains.argmax()]))
        best_gains.append(gains[p.argmax()])
        oracles.append(gains.max())
    assert found.lists == len(local.lists)
    np.testing.assert_allclose(found.expected, expected, rtol=1e-5)
    np.testing.assert_array_equal(found.best, best)
    for name, values in (
        ("entropy", entropies),
        ("likelihood", likelihoods),
        ("best_gain", best_gains),
        ("oracle_gain", oracles),
    ):
        assert getattr(found, name) == pytest.approx(np.mean(values), abs=1e-5), name


def test_a_step_of_a_batch_follows_its_mean_gradient(local: Compiled) -> None:
    _, gradient = _native.list_gradient(local.set, np.zeros(len(local.names), dtype=np.float32), GAIN, GAMMA)
    learner = local.learner(batch=len(local.lists))
    assert learner.learn(local.set, 1, 1)[0] == len(local.lists)
    np.testing.assert_allclose(learner.weights(), 0.1 * gradient, atol=1e-7)
    assert np.abs(gradient).max() > 1e-3


def test_decay_shrinks_the_weights_before_the_step(local: Compiled) -> None:
    weights, nothing = local.draw_weights(), np.zeros(0, dtype=np.float32)
    _, gradient = _native.list_gradient(local.set, weights, GAIN, GAMMA)
    learner = local.learner(batch=len(local.lists), l2=2.5)
    learner.set_state(weights, nothing)
    learner.learn(local.set, 1, 1)
    np.testing.assert_allclose(learner.weights(), 0.75 * weights + 0.1 * gradient, atol=1e-6)


def test_decay_over_many_steps_is_that_of_single_steps(local: Compiled) -> None:
    """The common factor of the weights falls below 1e-3 on the way, and is multiplied in."""
    learner, single = local.learner(l2=3.0), local.learner(l2=3.0)
    for each in (learner, single):
        each.set_state(local.draw_weights(), np.zeros(0, dtype=np.float32))
    learner.learn(local.set, 1, 1)
    for epoch in range(2, 6):
        learner.learn(local.set, 1, epoch)
    for epoch in range(1, 6):
        single.learn(local.set, 1, epoch)
        single.set_state(single.weights(), np.zeros(0, dtype=np.float32))  # the factor is 1 again
    np.testing.assert_allclose(learner.weights(), single.weights(), atol=1e-6)
    assert np.abs(learner.weights()).max() < 0.1


def test_adagrad_divides_by_the_root_of_summed_squares(local: Compiled) -> None:
    learner = local.learner(batch=len(local.lists), adagrad=True)
    weights = squares = np.zeros(len(local.names))
    for epoch in (1, 2):
        _, gradient = _native.list_gradient(local.set, weights.astype(np.float32), GAIN, GAMMA)
        squares = squares + gradient**2
        with np.errstate(invalid="ignore"):
            weights = weights + np.where(np.abs(gradient) > 0, 0.1 * gradient / np.sqrt(squares), 0)
        learner.learn(local.set, 1, epoch)
    sure = np.abs(gradient) > 1e-6  # the sign of others is noise
    np.testing.assert_allclose(learner.weights()[sure], weights[sure], atol=1e-6)
    assert sure.sum() > 100


@pytest.mark.parametrize("options", [{}, {"l2": 0.5}, {"l2": 9.0}, {"adagrad": True}, {"batch": 4}])
def test_the_average_is_the_mean_of_the_weights_after_each_step(local: Compiled, options: Any) -> None:
    batch = options.get("batch", 1)
    after_steps = []
    for lists in (*range(batch, len(local.lists), batch), len(local.lists)):
        learner = local.learner(**options)
        learner.learn(local.set, 7, 1, lists)
        after_steps.append(learner.weights())
    averaging = local.learner(average=True, **options)
    averaging.learn(local.set, 7, 1)
    np.testing.assert_array_equal(averaging.weights(), after_steps[-1])
    np.testing.assert_allclose(averaging.averages(), np.mean(after_steps, axis=0), atol=1e-6)


@pytest.mark.parametrize("objective", [GAIN, LIKELIHOOD])
def test_the_objective_rises(local: Compiled, objective: Any) -> None:
    learner = local.learner(objective=objective, rate=0.02)
    values = [_native.list_gradient(local.set, learner.weights(), objective, GAMMA)[0]]
    for epoch in range(1, 6):
        learner.learn(local.set, 1, epoch)
        values.append(_native.list_gradient(local.set, learner.weights(), objective, GAMMA)[0])
    assert values == sorted(values)
    assert values[-1] > values[0] + 0.02


def test_the_same_seed_gives_the_same_bits_and_another_order_others(local: Compiled) -> None:
    def trained(seed: int) -> npt.NDArray[np.float32]:
        learner = local.learner()
        for epoch in (1, 2):
            learner.learn(local.set, seed, epoch)
        return learner.weights()

    np.testing.assert_array_equal(trained(1), trained(1))
    assert (trained(1) != trained(2)).any()


def test_an_epoch_visits_each_list_once_across_blocks(tmp_path: Path) -> None:
    """With a rate of almost nothing, the mean objective of a pass is that of the lists."""
    made = Compiled(toy_lists(2300, candidates=3, longest=4), SparseHRMLocal(), tmp_path)
    learner = made.learner(rate=1e-12)
    value, _ = _native.list_gradient(made.set, learner.weights(), GAIN, GAMMA)
    for epoch in (1, 2):
        assert learner.learn(made.set, 1, epoch) == (2300, pytest.approx(value, abs=1e-9))
    lists, part = learner.learn(made.set, 1, 3, 1200)
    assert lists == 1200
    assert part != pytest.approx(value, abs=1e-6)


def test_what_all_candidates_share_is_seen_but_has_no_gradient(tmp_path: Path) -> None:
    (each,) = toy_lists(1, seed=2)
    each.derivations[1:] = [each.derivations[0]] * (len(each.derivations) - 1)
    made = Compiled([each], SparseHRM(), tmp_path)
    assert made.set.uses == 0
    assert len(made.names) == sum(made.features.seen) > 0
    _, gradient = _native.list_gradient(made.set, made.draw_weights(), GAIN, GAMMA)
    assert not gradient.any()


@pytest.mark.parametrize(("kind", "possible"), [(SparseHRMLocal, 4600), (SparseHRM, 9660)])
def test_possible_types_are_those_of_the_paper(kind: Any, possible: int, tmp_path: Path) -> None:
    """Four slots of 80 words and 150 classes in five orientations; words between in two."""
    for side in ("source", "target"):
        (tmp_path / f"frequent.{side}.txt").write_text("".join(f"w{i}\t1\n" for i in range(100)))
        for count in (20, 50, 80):
            lines = "".join(f"w{i}\t{i % count}\n" for i in range(500))
            (tmp_path / f"classes.{side}.{count}.txt").write_text(lines)
    features = _native.EventFeatures(kind().with_lists(tmp_path).twin())
    assert sum(features.possible) == possible
    assert features.is_small


def test_weights_are_stored_by_name_without_zeros(local: Compiled) -> None:
    weights = local.draw_weights()
    weights[::2] = 0
    store = local.features.weighted(weights)
    assert len(store) == len(weights) // 2
    names = [name for number, name in enumerate(local.names) if number % 2]
    assert store.names(0, len(store)) == names
    np.testing.assert_array_equal(store.weights().astype(np.float32), weights[1::2])


def test_templates_that_compare_with_the_previous_phrase_are_refused(tmp_path: Path) -> None:
    for template, why in (
        (SparseReordering(), "stack=block"),
        (SparseReordering(stack="none"), "without between"),
        (SparseReordering(model="phrase", stack="none", between=False), "model=hier"),
    ):
        write_word_lists(tmp_path)
        with pytest.raises(InputError, match=why):
            _native.EventFeatures(template.with_lists(tmp_path).twin())


def test_lists_of_equal_gains_have_no_likelihood(tmp_path: Path) -> None:
    """Their first candidate is not better than the others."""
    made = Compiled(toy_lists(20, seed=5), SparseHRMLocal(), tmp_path, equal_gains=True)
    value, gradient = _native.list_gradient(made.set, made.draw_weights(), LIKELIHOOD, GAMMA)
    assert value == 0.0
    assert not gradient.any()
    assert _native.evaluate_lists(made.set, made.draw_weights(), GAMMA).likelihood == 0.0


def test_numbers_that_do_not_fit_are_refused(local: Compiled, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="3 weights"):
        local.features.weighted(np.zeros(3, dtype=np.float32))
    with pytest.raises(InputError, match="state has 2 weights"):
        local.learner().set_state(np.zeros(2, dtype=np.float32), np.zeros(0, dtype=np.float32))
    few = np.zeros(3, dtype=np.float32)
    for call in (
        lambda: _native.evaluate_lists(local.set, few, GAMMA),
        lambda: _native.list_gradient(local.set, few, GAIN, GAMMA),
        lambda: _native.ReorderingLearner(3, objective=GAIN, gamma=1.0, rate=0.1).learn(local.set, 1, 1),
    ):
        with pytest.raises(InputError, match="but there are 3 weights"):
            call()
    with pytest.raises(InputError, match="not sealed"):
        _native.evaluate_lists(_native.TrainingSet(str(tmp_path), True, True), few, GAMMA)
    file = write_lists(local.lists, tmp_path / "again")
    with pytest.raises(InputError, match="1 gains"):
        nothing = np.zeros(1, dtype=np.float32)
        marks = np.zeros(len(file), dtype=np.uint8)
        _native.compile_lists(file, nothing, marks, local.features, local.set, local.set)
