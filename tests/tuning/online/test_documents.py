"""Pseudo-documents with the settings of papers and of the original program, and Boolean features."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tuning.online.test_online_runs import Recording
from tests.tuning.online.toy_online import learned, write_lists

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.metrics import get_metric
from tunesmith.systems.candidates import difference_of
from tunesmith.tuning.online.candidate_view import BooleanCandidates
from tunesmith.tuning.online.documents import open_document
from tunesmith.tuning.online.learner import LearnerOptions
from tunesmith.tuning.online.tasks import LearnTask
from tunesmith.weights import WeightStore

ORIGINAL: dict[str, Any] = {"document": "chiang", "document_decay": 0.95, "document_start": "zero"}


def sentences(seed: int, number: int) -> Iterator[tuple[np.ndarray, int]]:
    """Statistics of BLEU of three candidates, and a number of source words."""
    draw = np.random.default_rng(seed)
    for _ in range(number):
        lengths = draw.integers(4, 12, 3)
        matches = np.sort(draw.integers(1, lengths[:, None] - 2, (3, 4)), axis=1)[:, ::-1]
        totals = lengths[:, None] - np.arange(4)
        references = draw.integers(4, 12, (3, 1))
        pairs = np.stack([matches, totals], axis=2).reshape(3, 8)
        yield np.concatenate([pairs, references], axis=1).astype(float), int(draw.integers(3, 15))


def bleu(stats: np.ndarray) -> float:
    """BLEU of matches and totals by order, and the reference length; 0 without matches."""
    matches, totals, reference = stats[:8:2], stats[1:8:2], stats[8]
    if not matches.all():
        return 0.0
    return float(np.exp(np.log(matches / totals).mean() + min(0.0, 1.0 - reference / totals[0])))


def test_bleu_is_that_of_the_metric() -> None:
    metric = get_metric("bleu")
    assert metric.width == 9
    for stats, _ in sentences(0, 5):
        assert [bleu(row) for row in stats] == pytest.approx(metric.score(stats).tolist())


def test_the_document_of_the_original_program_can_be_had() -> None:
    """B = (O_f + |f|) BLEU(O + c), then O = 0.95 (O + c) of the best candidate, from nothing."""
    document = LearnerOptions(**ORIGINAL).open_document(get_metric("bleu"))
    document.begin(np.full(9, 7.0), 70, 10)  # changes nothing
    summed, source = np.zeros(9), 0.0
    for stats, words in sentences(1, 30):
        expected = [(source + words) * bleu(summed + row) for row in stats]
        assert document.gains(stats, words).tolist() == pytest.approx(expected)
        document.add(best=stats[0], hope=stats[1], words=words)
        summed, source = 0.95 * (summed + stats[0]), 0.95 * (source + words)
    assert document.state == pytest.approx((source, *summed))


@pytest.mark.parametrize(
    ("kind", "decay", "length"),
    [("chiang", None, 9.0), ("chiang", 0.95, 19.0), ("kbmira", 0.5, 2.0), ("kbmira", None, 1000.0)],
)
def test_a_document_that_begins_with_average_sentences_stays_where_it_is(
    kind: Any, decay: float | None, length: float
) -> None:
    document = open_document(kind, get_metric("bleu"), decay=decay, start="average")
    total = np.arange(9.0) + 1
    document.begin(3 * total, 15, 3)
    assert document.length == pytest.approx(length)
    assert document.stats.tolist() == pytest.approx((length * total).tolist())
    document.add(best=total, hope=total, words=5)
    assert document.stats.tolist() == pytest.approx((length * total).tolist())


def test_documents_begin_with_zeros_or_ones_on_request() -> None:
    metric = get_metric("bleu")
    for start, value in (("zero", 0.0), ("ones", 1.0)):
        for kind in ("chiang", "kbmira"):
            document = open_document(kind, metric, start=start)  # type: ignore[arg-type]
            document.begin(np.full(9, 7.0), 70, 10)
            assert document.state == (0.0, *[value] * 9)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "0.5*bleu + 0.5*(1-ter)"])
def test_gains_in_an_empty_document_are_finite_for_empty_translations_too(metric: str) -> None:
    made = get_metric(metric)
    stats = np.stack([np.asarray(made.stats(text, ["das haus"])) for text in ("", "das", "das haus")])
    for kind in ("chiang", "kbmira"):
        gains = open_document(kind, made, start="zero").gains(stats, 3)  # type: ignore[arg-type]
        assert np.isfinite(gains).all()
        assert gains[2] >= gains[0]


@pytest.mark.parametrize("decay", [1.0, -0.1])
def test_a_decay_outside_of_its_range_is_refused(decay: float) -> None:
    with pytest.raises(OptionError, match="document_decay must be"):
        LearnerOptions(document_decay=decay)


@pytest.mark.parametrize("start", ["average", "zero"])
def test_a_document_is_kept_over_iterations_or_begun_anew_in_each(start: str, tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    firsts: dict[bool, list[tuple[float, ...]]] = {}
    for keep in (True, False):
        executor = Recording()
        options = {**ORIGINAL, "document_start": start, "keep_document": keep, "epochs": 3, "shards": 2}
        learned(setup, tmp_path / str(keep), executor=executor, **options)
        tasks = [task for call in executor.calls for task in call if isinstance(task, LearnTask)]
        firsts[keep] = [task.document for task in tasks if task.part.number == 0]
    assert firsts[True][0] == firsts[False][0] == firsts[False][1] == firsts[False][2]
    assert len(set(firsts[True])) == 3
    assert any(firsts[False][0]) == (start == "average")


class Counts:
    """Two candidates with dense features, and sparse ones that are counts or have a sign."""

    scores = np.array([1.0, 2.0])
    stats = np.ones((2, 9))

    def features(self, index: int) -> _native.FeatureVector:
        values = [{"lm": -3.5, "r1": 2.0, "r2": 1.0}, {"lm": -1.0, "r2": 3.0, "real": -0.25, "zero": 0.0}][
            index
        ]
        return _native.FeatureVector.of(list(values), np.array(list(values.values())))

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return difference_of(self, plus, minus)


def test_boolean_features_occur_or_do_not() -> None:
    found = BooleanCandidates(Counts(), frozenset({"lm"}))
    assert found.scores.tolist() == [1.0, 2.0] and found.stats.shape == (2, 9)
    second = found.features(1)
    assert dict(zip(second.names(), second.values, strict=True)) == {
        "lm": -1.0,
        "r2": 1.0,
        "real": -1.0,
        "zero": 0.0,
    }
    difference = found.difference(0, 1)
    assert dict(zip(difference.names(), difference.values, strict=True)) == {
        "lm": -2.5,
        "r1": 1.0,
        "real": 1.0,
    }


def test_sentences_are_taken_in_the_order_of_the_file_on_request(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)

    def found(name: str, **options: Any) -> list[float]:
        store = WeightStore.open(learned(setup, tmp_path / name, **options).weights)
        return store.native.weights().tolist()

    in_order = found("1", shuffle=False, seed=1)
    assert in_order == found("2", shuffle=False, seed=2)
    assert in_order != found("3", seed=1) != found("4", seed=2)


def test_a_run_with_boolean_features_learns_otherwise(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    runs = [learned(setup, tmp_path / str(boolean), boolean=boolean) for boolean in (False, True)]
    first, second = (dict(WeightStore.open(run.weights).items()) for run in runs)
    assert first != second
    assert runs[1].record["score"] > runs[1].history[0]["score"]
