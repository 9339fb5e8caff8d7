"""Scores on sentences that were not tuned on: cross-validation, and held-out lists or forests."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import sacrebleu
from tests.random_pools import random_pool
from tests.toy_forests import random_forest_pool

from tunesmith import tune
from tunesmith.candidates import Pool, rerank
from tunesmith.candidates.features import Features
from tunesmith.errors import InputError, OptionError
from tunesmith.forest.viterbi import viterbi
from tunesmith.metrics import evaluate
from tunesmith.metrics.bleu import Bleu
from tunesmith.seeds import stream_seed
from tunesmith.texts import Texts
from tunesmith.tuning import HeldOut

POOL, OTHER = random_pool(1, lists=30, size=8), random_pool(2, lists=25, size=8)
QUICK: dict[str, Any] = {"method": "mira", "epochs": 4}


class Killed(BaseException):
    """Stands for a signal: nothing catches it."""


def check_is_of(texts: list[str], pool: Pool, score: float, interval: Any) -> None:
    """Check that score and interval are those of the texts, by sacrebleu and by `evaluate`."""
    references = list(map(list, pool.references))
    theirs = sacrebleu.corpus_bleu(texts, references, tokenize="none", force=True).score
    assert 100 * score == pytest.approx(theirs, abs=1e-9)
    (ours,) = evaluate("bleu", texts, references)
    assert interval == ours.interval


def first_texts(pool: Pool) -> list[str]:
    assert pool.texts is not None
    return list(pool.texts.take(pool.offsets[:-1]))


def test_each_fold_is_chosen_by_weights_that_were_tuned_on_the_others() -> None:
    found = tune(POOL, seed=3, folds=4, **QUICK).cross_validation
    texts = {}
    for number, (train, held_out) in enumerate(POOL.folds(4, seed=3), 1):
        weights = tune(train, seed=stream_seed(3, "fold", number), **QUICK).weights
        texts |= dict(zip(held_out.ids, rerank(held_out, weights).texts, strict=True))
    assert found is not None
    assert (found.folds, found.sentences) == (4, 30)
    check_is_of([texts[name] for name in POOL.ids], POOL, found.score, found.interval)
    check_is_of(first_texts(POOL), POOL, found.baseline, found.baseline_interval)


def test_cross_validation_changes_nothing_but_what_it_adds_and_depends_on_the_seed_only() -> None:
    plain = tune(POOL, **QUICK)
    runs = [tune(POOL, folds=3, threads=threads, **QUICK) for threads in (1, 2)]
    assert plain.cross_validation is None
    assert "cross_validation" not in plain.to_dict()
    assert runs[0].cross_validation == runs[1].cross_validation
    added = runs[0].to_dict()
    assert added.pop("cross_validation")["folds"] == 3
    assert added == plain.to_dict()
    assert (runs[0].weights, runs[0].history) == (plain.weights, plain.history)
    assert tune(POOL, seed=2, folds=3, **QUICK).cross_validation != runs[0].cross_validation


def test_replicas_and_constraints_apply_to_folds_too() -> None:
    options = {"replicas": 2, "frozen": ["f1"], "start": {"f1": 0.5}, "bounds": {"s*": (-0.1, 0.1)}}
    found = tune(POOL, folds=2, select="metric", **options, **QUICK).cross_validation
    train, held_out = POOL.folds(2, seed=1)[1]
    weights = tune(train, seed=stream_seed(1, "fold", 2), select="metric", **options, **QUICK).weights
    assert weights["f1"] == 0.5
    train, first = POOL.folds(2, seed=1)[0]
    others = tune(train, seed=stream_seed(1, "fold", 1), select="metric", **options, **QUICK).weights
    stats = sum(
        pool.stats(Bleu())[rerank(pool, chosen).rows].sum(axis=0)
        for pool, chosen in ((held_out, weights), (first, others))
    )
    assert found is not None
    assert found.score == float(Bleu().score(stats))


def test_a_fold_from_which_nothing_is_learned_is_scored_with_the_start_weights_and_says_so() -> None:
    # All differences are in the lists of one fold: the others have candidates that are all the same.
    fold_of = [fold for fold, (_, held_out) in enumerate(POOL.folds(3, seed=1)) if "0" in held_out.ids]
    kept = set(POOL.folds(3, seed=1)[fold_of[0]].held_out.ids)
    assert POOL.texts is not None
    texts = [
        POOL.texts[row] if name in kept else POOL.texts[int(POOL.offsets[g])]
        for g, name in enumerate(POOL.ids)
        for row in range(POOL.offsets[g], POOL.offsets[g + 1])
    ]
    pool = dataclasses.replace(POOL, texts=Texts.of(texts), _stats={})
    result = tune(pool, folds=3, **QUICK)
    number = fold_of[0] + 1
    assert any(
        f"fold {number} of 3 is scored with the start weights: nothing to" in w for w in result.warnings
    )
    assert result.cross_validation is not None


def test_a_run_killed_within_a_fold_resumes_to_the_same_numbers(tmp_path) -> None:
    def die(record) -> None:
        if record.get("fold") == 2 and record["iteration"] == 3:
            raise Killed

    whole = tune(POOL, folds=3, history=tmp_path / "whole.jsonl", **QUICK)
    with pytest.raises(Killed):
        tune(POOL, folds=3, history=tmp_path / "run.jsonl", watch=die, **QUICK)
    steps: list[dict[str, Any]] = []
    resumed = tune(POOL, folds=3, history=tmp_path / "run.jsonl", watch=steps.append, **QUICK)
    assert resumed.to_dict() == whole.to_dict()
    assert [(step["fold"], step["iteration"]) for step in steps] == [
        (2, 3),
        (2, 4),
        *((3, n) for n in range(1, 5)),
    ]
    for fold in (1, 2, 3):
        name = f"fold{fold}.jsonl"
        assert (tmp_path / f"run.{name}").read_text() == (tmp_path / f"whole.{name}").read_text()
    assert list(tmp_path.glob("*checkpoint*")) == []


def test_held_out_lists_are_scored_with_the_tuned_weights_and_in_their_own_order() -> None:
    result = tune(POOL, held_out=OTHER, **QUICK)
    found = result.held_out
    assert isinstance(found, HeldOut)
    assert (found.folds, found.sentences) == (None, 25)
    check_is_of(rerank(OTHER, result.weights).texts, OTHER, found.score, found.interval)
    check_is_of(first_texts(OTHER), OTHER, found.baseline, found.baseline_interval)
    assert result.to_dict()["held_out"]["baseline_interval"] == [
        found.baseline_interval.low,
        found.baseline_interval.high,
    ]
    assert result.weights == tune(POOL, **QUICK).weights


def test_held_out_forests_are_scored_with_the_tuned_and_the_start_weights() -> None:
    pool, other = random_forest_pool(11, sentences=10), random_forest_pool(12, sentences=7)
    start = dict.fromkeys(pool.feature_names, 0.1)
    metric = Bleu(order=2)
    result = tune(pool, "forest-mert", metric, held_out=other, start=start, scouts=1, turns=1)
    assert result.held_out is not None
    scores = []
    for weights in (result.weights, start):
        texts = [
            viterbi(each, each.scores(each.weights(weights, missing=0.0))).text for each in other.forests
        ]
        scores.append(evaluate([metric], texts, list(map(list, other.references)))[0].score)
    assert [result.held_out.score, result.held_out.baseline] == pytest.approx(scores)


def test_what_cannot_be_held_out_is_refused_before_tuning() -> None:
    steps: list[Any] = []
    forests = random_forest_pool(11, sentences=5)
    renamed = dataclasses.replace(
        OTHER, features=Features.from_dense(OTHER.features.to_dense()[:, :2], ["f0", "lm"])
    )
    for options, kind, message in [
        ({"held_out": forests}, InputError, "held_out must be lists, as the tuning data, not forests"),
        (
            {"held_out": renamed},
            InputError,
            "other features than the tuning lists: no weight for feature 'lm'",
        ),
        ({"folds": 1}, OptionError, "folds must be at least 2, not 1"),
        ({"folds": 31}, OptionError, "folds must be at most 30, the number of sentences, not 31"),
    ]:
        with pytest.raises(kind, match=message):
            tune(POOL, watch=steps.append, **options, **QUICK)
    assert steps == []
    with pytest.raises(OptionError, match=r"folds needs candidate lists; .* held-out forests \(held_out\)"):
        tune(forests, folds=2)


def test_held_out_lists_that_are_no_new_text_or_have_unknown_features_are_warned_of() -> None:
    assert any("references of the tuning lists" in w for w in tune(POOL, held_out=POOL, **QUICK).warnings)
    names = (*OTHER.feature_names[:-1], "s99")
    features = OTHER.features
    other = dataclasses.replace(
        OTHER, features=Features(names, features.offsets, features.columns, np.array(features.values))
    )
    told = tune(POOL, held_out=other, **QUICK).warnings
    assert told == (
        "1 feature(s) of the held-out lists are not in the tuning lists and count 0, such as 's99'",
    )
