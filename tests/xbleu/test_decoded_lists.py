"""Training on lists of a decoder, whose own sparse features say what the events must give."""

from __future__ import annotations

import shutil
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.xbleu.attached import write_classes
from tests.xbleu.made_lists import made_lists

from tunesmith import _native
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.features import (
    SparseHRM,
    SparseHRMBiPhrases,
    SparseHRMLocal,
    SparseHRMUncommon,
    SparseReordering,
)
from tunesmith.metrics import Bleu
from tunesmith.model import Model
from tunesmith.xbleu.list_file import ListFile
from tunesmith.xbleu.word_lists import provide_lists

METRIC = Bleu(sentence="gao-he")
GAMMA, CANDIDATES, CLASSES = 0.8, 25, (4, 7)
GAIN = _native.ListObjective.EXPECTED_GAIN


def compiled(
    file: ListFile, template: SparseReordering, folder: Path
) -> tuple[_native.EventFeatures, _native.TrainingSet]:
    """Compile all lists of a file for training."""
    features = _native.EventFeatures(template.twin())
    dense = len(file.dense_names)
    lists, nothing = (_native.TrainingSet(str(folder), features.is_small, True, dense) for _ in range(2))
    gains = METRIC.sentence_score(file.statistics).astype(np.float32)
    marks = np.zeros(len(file), dtype=np.uint8)
    _native.compile_lists(file.native, gains, marks, features, lists, nothing)
    lists.seal()
    return features, lists


@pytest.fixture(scope="module")
def model(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model, with word lists and classes."""
    folder = tmp_path_factory.mktemp("classes") / "model"
    shutil.copytree(small_model, folder)
    write_classes(folder, CLASSES)
    for kind in (SparseHRM, SparseHRMUncommon):
        provide_lists(kind(classes=CLASSES), folder, folder)
    return folder


def weight_of(name: str) -> float:
    """Return a weight of eighths that depends on the name only."""
    return (zlib.crc32(name.encode()) % 17 - 8) / 8


@pytest.mark.parametrize("orientations", ["mslrg", "msd"])
@pytest.mark.parametrize("kind", [SparseHRMLocal, SparseHRM, SparseHRMUncommon, SparseHRMBiPhrases])
def test_events_have_the_features_that_the_decoder_gives(
    kind: Any, orientations: Any, model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    """The lists' scores contain the features; weights of the opposite sign take them out again."""
    template = kind(classes=CLASSES, orientations=orientations).with_lists(model)
    sources, targets = ((small_corpus / side).read_text().splitlines()[:8] for side in ("de", "en"))
    sources[0] += " neverseen"
    decoder = PhraseDecoder(Model.open(model), None, None, [template])
    forests = [each.forest for each in decoder.translate_all(sources, forest=True)]
    names = {name for forest in forests for name in forest.feature_names if template.owns(name)}
    decoder.weights = {**decoder.weights, **{name: weight_of(name) for name in sorted(names)}}

    file, _ = made_lists(decoder, sources, targets, tmp_path / "lists", nbest=CANDIDATES)
    features, lists = compiled(file, template, tmp_path)
    known = features.names(0, len(features))

    gain, gradient = 0.0, Counter[str]()
    for source, target in zip(sources, targets, strict=True):
        best = decoder.kbest(source, CANDIDATES)
        rows = [best.features(number) for number in range(len(best))]
        fired = [dict(zip(row.names(), row.values.tolist(), strict=True)) for row in rows]
        sparse = [{name: row[name] for name in row if template.owns(name)} for row in fired]
        scores = np.array(best.scores) - [sum(weight_of(n) * v for n, v in row.items()) for row in sparse]
        stats = np.array([METRIC.stats(text, [target]) for text in best.texts])
        own = METRIC.sentence_score(stats)
        p = np.exp(GAMMA * (scores - scores.max()))
        p /= p.sum()
        gain += p @ own / len(sources)
        for slope, row in zip(GAMMA * p * (own - p @ own), sparse, strict=True):
            for name, value in row.items():
                gradient[name] += slope * value / len(sources)

    opposite = np.array([-weight_of(name) for name in known], dtype=np.float32)
    value, native = _native.list_gradient(lists, opposite, GAIN, GAMMA)
    assert value == pytest.approx(gain, abs=1e-5)
    assert set(known) == set(gradient)
    np.testing.assert_allclose(native, [gradient[name] for name in known], atol=2e-5)
    assert np.abs(native).max() > 1e-3
    assert len({name.rpartition("_")[2] for name in known}) >= 2


@pytest.mark.parametrize("objective", [GAIN, _native.ListObjective.LIKELIHOOD])
def test_the_gradient_on_decoded_lists_equals_finite_differences(
    objective: Any, model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    template = SparseHRMBiPhrases(classes=CLASSES).with_lists(model)
    sources, targets = ((small_corpus / side).read_text().splitlines()[:10] for side in ("de", "en"))
    decoder = PhraseDecoder(Model.open(model))
    file, _ = made_lists(decoder, sources, targets, tmp_path / "lists", nbest=CANDIDATES)
    features, lists = compiled(file, template, tmp_path)
    weights = np.array([weight_of(name) / 4 for name in features.names(0, len(features))], dtype=np.float32)
    _, gradient = _native.list_gradient(lists, weights, objective, GAMMA)
    for feature in np.argsort(-np.abs(gradient))[:40]:
        values = []
        for step in (-1 / 256, 1 / 256):
            moved = weights.copy()
            moved[feature] += np.float32(step)
            values.append(_native.list_gradient(lists, moved, objective, GAMMA)[0])
        assert (values[1] - values[0]) * 128 == pytest.approx(gradient[feature], rel=1e-4, abs=1e-7)


def test_stored_values_of_dense_features_are_those_of_the_decoder(
    model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    """Times the weights they are the scores, up to the rounding of 32-bit sums."""
    sources, targets = ((small_corpus / side).read_text().splitlines()[:8] for side in ("de", "en"))
    sources[0] += " neverseen"
    decoder = PhraseDecoder(Model.open(model))
    plain, _ = made_lists(decoder, sources, targets, tmp_path / "plain", nbest=CANDIDATES)
    file, _ = made_lists(decoder, sources, targets, tmp_path / "lists", nbest=CANDIDATES, dense=True)
    names = decoder.feature_names
    assert (plain.dense_names, plain.dense.shape[1]) == ((), 0)
    assert file.dense_names == names
    offsets, scores = file.scores
    np.testing.assert_array_equal(scores, plain.scores[1])
    assert file.native.candidate_bytes == plain.native.candidate_bytes
    weights = np.array([decoder.weights[name] for name in names])
    varying = np.zeros(len(names), dtype=bool)
    for source, begin, end in zip(sources, offsets[:-1], offsets[1:], strict=True):
        best = decoder.kbest(source, CANDIDATES)
        rows = [best.features(number) for number in range(len(best))]
        fired = [dict(zip(row.names(), row.values.tolist(), strict=True)) for row in rows]
        expected = np.array([[row.get(name, 0.0) for name in names] for row in fired])
        values = file.dense[begin:end]
        np.testing.assert_allclose(values, expected - expected[0], atol=1e-4)
        np.testing.assert_allclose(values @ weights, scores[begin:end] - scores[begin], atol=1e-4)
        varying |= (values != 0).any(axis=0)
    assert varying.sum() >= 8


def test_joint_gradients_on_decoded_lists_equal_finite_differences(
    model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    template = SparseHRM(classes=CLASSES).with_lists(model)
    sources, targets = ((small_corpus / side).read_text().splitlines()[:10] for side in ("de", "en"))
    decoder = PhraseDecoder(Model.open(model))
    file, _ = made_lists(decoder, sources, targets, tmp_path / "lists", nbest=CANDIDATES, dense=True)
    features, lists = compiled(file, template, tmp_path)
    weights = np.array([weight_of(name) / 4 for name in features.names(0, len(features))], dtype=np.float32)
    changes = np.random.default_rng(1).normal(0, 0.05, len(decoder.feature_names))

    def value(own: Any, decoders: Any) -> float:
        return _native.joint_gradient(lists, own, decoders.tolist(), GAIN, GAMMA)[0]

    _, phi, theta = _native.joint_gradient(lists, weights, changes.tolist(), GAIN, GAMMA)
    assert (np.abs(theta) > 1e-4).sum() >= 8
    for feature, slope in enumerate(theta):
        step = 1e-4 * np.eye(len(changes))[feature]
        found = (value(weights, changes + step) - value(weights, changes - step)) / 2e-4
        assert found == pytest.approx(slope, rel=1e-3, abs=1e-8)
    for feature in np.argsort(-np.abs(phi))[:20]:
        step = np.zeros_like(weights)
        step[feature] = 1 / 256
        found = (value(weights + step, changes) - value(weights - step, changes)) * 128
        assert found == pytest.approx(phi[feature], rel=1e-3, abs=1e-7)
