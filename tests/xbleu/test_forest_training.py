"""Compiled forests and the learner on them, against lists of all their derivations and finite differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.decode import tiny
from tests.xbleu.attached import write_lists
from tests.xbleu.made_forests import ForestDerivation, derivations_of, made_forests

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import SearchOptions
from tunesmith.errors import InputError
from tunesmith.features import SparseHRM, SparseHRMBiPhrases, SparseHRMLocal, SparseReordering
from tunesmith.metrics import Bleu
from tunesmith.model import Model
from tunesmith.xbleu.forest_counts import ForestCounts
from tunesmith.xbleu.linear_bleu import LinearBleu

GAIN, LIKELIHOOD = _native.ListObjective.EXPECTED_GAIN, _native.ListObjective.LIKELIHOOD
GAMMA = 1.3
SENTENCES = ["a b c d", "b a d", "a b", "c unseen a", "d d"]
REFERENCES = ["X Y W X", "Y W", "Z X W Z", "W unseen Y X", "d W d"]
LINEAR = LinearBleu(0.3, -0.1, (0.1, 0.2, 0.3, 0.4))
SETS = [SparseHRMLocal, SparseHRM, SparseHRMBiPhrases]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tiny.write_model(tmp_path_factory.mktemp("forests") / "moses", seed=9)
    write_lists(folder)
    return Model.open(folder)


class Compiled:
    """Forests of a decoder, and lists of all their derivations; both compiled for a template."""

    def __init__(self, model: Model, kind: type[SparseReordering], folder: Path) -> None:
        template = kind(classes=(2, 3)).with_lists(model.directory)
        decoder = PhraseDecoder(model, None, SearchOptions(distortion_limit=-1))
        file, _ = made_forests(decoder, SENTENCES, REFERENCES, folder / "forests", density=12)
        self.every = [derivations_of(file, number) for number in range(len(file))]
        self.gains = [
            np.array([gain_of(each, reference) for each in every], dtype=np.float32)
            for every, reference in zip(self.every, REFERENCES, strict=True)
        ]
        twin = template.twin()
        self.features = _native.EventFeatures(twin)
        marks = np.zeros(len(file), dtype=np.uint8)
        small = self.features.is_small
        self.forests, nothing = (_native.ForestSet(str(folder), small, True) for _ in range(2))
        _native.compile_forests(
            file, LINEAR.constant, LINEAR.words, LINEAR.matches, marks, self.features, self.forests, nothing
        )
        self.forests.seal()
        self.lists, no_lists = (_native.TrainingSet(str(folder), small, True) for _ in range(2))
        listed = self._write_lists(folder / "lists")
        numbers = _native.EventFeatures(twin)
        _native.compile_lists(listed, np.concatenate(self.gains), marks, numbers, self.lists, no_lists)
        self.lists.seal()
        self.names, names = (each.names(0, len(each)) for each in (self.features, numbers))
        assert set(self.names) == set(names)
        self.of_lists = np.array([self.names.index(name) for name in names])
        """The number in the forests of each feature of the lists."""

    def _write_lists(self, path: Path) -> _native.ListFile:
        writer = _native.ListWriter()
        for number, (every, reference) in enumerate(zip(self.every, REFERENCES, strict=True)):
            known: dict[object, int] = {}
            uses = [[known.setdefault(event, len(known)) for event in each.events] for each in every]
            statistics = [Bleu().stats(" ".join(each.words), [reference]) for each in every]
            _native.add_list(
                writer,
                number,
                len(reference.split()),
                SENTENCES[number].split(),
                [each.score for each in every],
                [[int(row[1]), *map(int, row[:8:2])] for row in statistics],
                [
                    (
                        list(e.target),
                        (e.begin, e.end),
                        e.block,
                        (e.block_first, e.block_last),
                        e.orientation,
                        e.is_unknown,
                    )
                    for e in known
                ],
                [],
                uses,
            )
        writer.write(str(path))
        return _native.ListFile(str(path))

    def draw_weights(self) -> npt.NDArray[np.float32]:
        """Return multiples of 1/64, so that steps of 1/256 are exact."""
        drawn = np.random.default_rng(5).normal(0, 0.4, len(self.names))
        return (np.round(drawn * 64) / 64).astype(np.float32)

    def learner(self, **options: Any) -> _native.ReorderingLearner:
        chosen = {"objective": GAIN, "gamma": GAMMA, "rate": 0.3, **options}
        return _native.ReorderingLearner(len(self.names), **chosen)


def gain_of(derivation: ForestDerivation, reference: str) -> float:
    """Return the linear BLEU of a derivation, without the constant: in lists, it would cost precision."""
    matches = sum(a * b for a, b in zip(LINEAR.matches, derivation.matches, strict=True))
    return (LINEAR.words * len(derivation.words) + matches) / len(reference.split())


@pytest.fixture(scope="module", params=SETS)
def compiled(request: Any, model: Model, tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    return Compiled(model, request.param, tmp_path_factory.mktemp("compiled"))


def test_expected_gain_and_gradient_equal_those_of_lists_of_all_derivations(compiled: Compiled) -> None:
    weights = compiled.draw_weights()
    value, gradient = _native.list_gradient(compiled.forests, weights, GAIN, GAMMA)
    expected, slopes = _native.list_gradient(compiled.lists, weights[compiled.of_lists], GAIN, GAMMA)
    assert value == pytest.approx(LINEAR.constant + expected, abs=1e-6)
    np.testing.assert_allclose(gradient[compiled.of_lists], slopes, atol=2e-6)
    assert np.abs(gradient).max() > 1e-3


@pytest.mark.parametrize("objective", [GAIN, LIKELIHOOD])
def test_the_gradient_on_forests_equals_finite_differences(objective: Any, compiled: Compiled) -> None:
    weights = compiled.draw_weights()
    _, gradient = _native.list_gradient(compiled.forests, weights, objective, GAMMA)
    for feature in np.argsort(-np.abs(gradient))[:25]:
        values = []
        for step in (-1 / 256, 1 / 256):
            moved = weights.copy()
            moved[feature] += np.float32(step)
            values.append(_native.list_gradient(compiled.forests, moved, objective, GAMMA)[0])
        assert (values[1] - values[0]) * 128 == pytest.approx(gradient[feature], rel=1e-3, abs=1e-6)


def test_evaluation_reports_what_enumeration_finds(compiled: Compiled) -> None:
    weights = compiled.draw_weights()
    found = _native.evaluate_lists(compiled.forests, weights, GAMMA)
    listed = _native.evaluate_lists(compiled.lists, weights[compiled.of_lists], GAMMA)
    assert found.lists == len(SENTENCES)
    for name in ("gain", "best_gain", "oracle_gain"):
        assert getattr(found, name) == pytest.approx(LINEAR.constant + getattr(listed, name), abs=2e-6), name
    assert found.entropy == pytest.approx(listed.entropy, abs=2e-6)
    np.testing.assert_allclose(found.best, listed.best)
    assert found.expected[1] == pytest.approx(listed.expected[1], rel=1e-6)  # words
    assert found.expected[0] >= listed.expected[0] - 1e-6  # matches are not clipped
    oracles = [gains.max() for gains in compiled.gains]
    assert found.oracle_gain == pytest.approx(LINEAR.constant + np.mean(oracles), abs=1e-6)


def test_the_likelihood_is_that_of_the_best_derivation_with_the_largest_gain(
    model: Model, tmp_path: Path
) -> None:
    """Forests in which all gains are equal do not count, as lists."""
    made = Compiled(model, SparseHRMLocal, tmp_path)
    nothing = np.zeros(len(made.names), dtype=np.float32)
    value, _ = _native.list_gradient(made.forests, nothing, LIKELIHOOD, GAMMA)
    logs = []
    for every, gains in zip(made.every, made.gains, strict=True):
        scores = GAMMA * np.array([each.score for each in every])
        best = scores[gains > gains.max() - 1e-6].max()
        logs.append(best - np.logaddexp.reduce(scores) if np.ptp(gains) > 1e-6 else 0.0)
    assert value == pytest.approx(np.mean(logs), abs=1e-5)


@pytest.mark.parametrize(
    "options", [{}, {"l2": 0.05}, {"batch": 2}, {"adagrad": True}, {"average": True, "l2": 0.05}]
)
def test_the_learner_takes_the_same_steps_on_forests_as_on_lists(options: Any, compiled: Compiled) -> None:
    forests, lists = (compiled.learner(**options) for _ in range(2))
    for epoch in (1, 2, 3):
        done, objective = forests.learn(compiled.forests, 1, epoch)
        expected = lists.learn(compiled.lists, 1, epoch)
        assert (done, objective) == (expected[0], pytest.approx(LINEAR.constant + expected[1], abs=1e-5))
    for of in ("weights", "averages"):
        found, wanted = getattr(forests, of)(), getattr(lists, of)()
        np.testing.assert_allclose(found[compiled.of_lists], wanted, atol=2e-4 * np.abs(wanted).max())
        assert np.abs(wanted).max() > 0.01


def test_sets_that_are_not_ready_are_refused(compiled: Compiled, tmp_path: Path) -> None:
    weights = compiled.draw_weights()
    with pytest.raises(InputError, match="there are 1 weights"):
        _native.evaluate_lists(compiled.forests, weights[:1], GAMMA)
    empty = _native.ForestSet(str(tmp_path), True, False)
    with pytest.raises(InputError, match="not sealed"):
        _native.evaluate_lists(empty, weights, GAMMA)
    empty.seal()
    with pytest.raises(InputError, match="compiled for training"):
        _native.evaluate_lists(empty, weights, GAMMA)


@pytest.mark.parametrize("given", [{"threads": 2}, {"dense_rates": [0.1]}])
def test_several_threads_and_the_decoders_weights_are_refused(given: Any, compiled: Compiled) -> None:
    with pytest.raises(InputError, match="by one thread, without the decoder's weights"):
        compiled.learner(**given).learn(compiled.forests, 1, 1)


def test_marks_say_in_which_set_a_forest_is(model: Model, tmp_path: Path) -> None:
    file, _ = made_forests(PhraseDecoder(model), SENTENCES, REFERENCES, tmp_path / "forests", density=4)
    features = _native.EventFeatures(SparseHRMLocal(classes=(2, 3)).with_lists(model.directory).twin())
    training, evaluation = (_native.ForestSet(str(tmp_path), features.is_small, True) for _ in range(2))
    marks = np.array([0, 2, 1, 2, 0], dtype=np.uint8)
    factors = LINEAR.constant, LINEAR.words, LINEAR.matches
    _native.compile_forests(file, *factors, marks, features, training, evaluation)
    assert (len(training), len(evaluation)) == (2, 1)


@pytest.mark.parametrize("reference", [52e3, 40e3])
def test_linear_bleu_has_the_value_and_the_slopes_of_bleu(reference: float) -> None:
    """With the number of n-grams of each order taken for that of words."""
    words, matches, step = 48e3, np.array([30e3, 17e3, 9e3, 5e3]), 1e-2

    def bleu(matches: npt.NDArray[np.float64], words: float) -> float:
        return float(np.exp(np.log(matches / words).mean() + min(0, 1 - reference / words)))

    counts = ForestCounts(
        sentences=1,
        **{f"matches_{n}": count for n, count in enumerate(matches.tolist(), 1)},
        **{f"words_{n}": words for n in range(1, 5)},
        reference_words=reference,
        brevity=reference / words if words < reference else 0.0,
    )
    found = LinearBleu.around(counts)
    value = found.constant + (found.words * words + np.dot(found.matches, matches)) / reference
    assert value == pytest.approx(bleu(matches, words), rel=1e-3)
    for n in range(4):
        slope = (bleu(matches + step * np.eye(4)[n], words) - bleu(matches, words)) / step
        assert found.matches[n] / reference == pytest.approx(slope, rel=1e-3)
    slope = (bleu(matches, words + step) - bleu(matches, words)) / step
    assert found.words / reference == pytest.approx(slope, rel=1e-3)
