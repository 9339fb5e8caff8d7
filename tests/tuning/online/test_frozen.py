"""Frozen features: no update, penalty, mean or selection changes their weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.random_pools import random_pool
from tests.tuning.online.toy_online import learned, write_lists

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.tuning.online import frozen as frozen_module
from tunesmith.tuning.online.candidate_view import FreeCandidates
from tunesmith.tuning.online.frozen import Frozen
from tunesmith.tuning.online.learner import LearnerOptions
from tunesmith.tuning.online.updates.base import UPDATES, Example, Step
from tunesmith.weights import WeightStore
from tunesmith.weights.name_patterns import name_matcher

HELD = {"f0": 0.3, "f1": 0.1 + 0.2, "s1": -0.7}
START = {**HELD, "f2": 0.1, "s0": 0.2, "s2": 0.05}


def strong(update: str) -> dict[str, Any]:
    """Options with which penalties and steps are large."""
    return {"adagrad": {"l1": 0.01}, "rampion": {"rate": 0.01, "l2": 5.0}}.get(update, {})


@pytest.mark.parametrize("update", sorted(UPDATES))
@pytest.mark.parametrize(
    "options",
    [
        {"average": "steps"},
        {"average": "epochs", "top_k": 1, "keep_rates": True},
        {"mix": "changed", "average": "steps", "rates_start": 0.0, "least_shards": 4},
    ],
)
def test_frozen_weights_stay_to_the_bit(update: str, options: dict[str, Any], tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    given = {"start": START, "start_scale": 1.0, "update": update, "frozen": ("f[01]", "s1"), "shards": 3}
    result = learned(setup, tmp_path / "run", **given, **strong(update), **options)
    weights = WeightStore.open(result.weights)
    assert {name: weights[name] for name in HELD} == HELD
    assert weights["f2"] != START["f2"]
    assert all(name in WeightStore.open(tmp_path / "run/iterations/3.weights") for name in HELD)
    free = learned(setup, tmp_path / "free", **(given | {"frozen": ()}), **strong(update), **options)
    assert WeightStore.open(free.weights)["f0"] != HELD["f0"]


def test_dense_weights_are_frozen_as_one(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    start = dict.fromkeys(("f0", "f1", "f2"), 0.1)
    result = learned(setup, tmp_path / "run", start=start, start_scale=1.0, freeze_dense=True)
    weights = WeightStore.open(result.weights)
    dense = json.loads((tmp_path / "run" / "run.json").read_text())["dense"]
    assert dense
    assert all(weights.get(name, 0.0) == start.get(name, 0.0) for name in dense)
    assert any(weights[name] for name in weights if name not in dense)


def test_a_margin_is_satisfied_by_free_weights_alone() -> None:
    """The norm of a step is that of the free features: a long step reaches the margin exactly."""

    class Two:
        scores, stats = np.array([1.0, 2.0]), np.zeros((2, 1))

        def features(self, index: int) -> _native.FeatureVector:
            values = [[3.0, 1.0, 0.0], [0.0, 0.0, 2.0]][index]
            return _native.FeatureVector.of(["held", "a", "b"], np.array(values))

        def difference(self, plus: int, minus: int) -> _native.FeatureVector:
            found = self.features(plus).copy()
            found.add(self.features(minus), -1.0)
            return found

    for update, options in (("passive-aggressive", {"c": 100.0}), ("cutting-plane", {"c": 100.0})):
        store = WeightStore.of({"held": 1.0})
        candidates = FreeCandidates(Two(), Frozen(["hel*"]))  # type: ignore[arg-type]
        example = Example.of(candidates, np.array([4.0, 0.0]))
        assert UPDATES[update].configure(options).learn(example, Step(store.native, 0)) is not None
        d = dict(zip(["a", "b"], [1.0, -2.0], strict=True))
        assert dict(store.items()) == pytest.approx({"held": 1.0, **{n: v * 5.0 / 5.0 for n, v in d.items()}})
        assert sum(store[name] * value for name, value in d.items()) == pytest.approx(example.loss)


@pytest.mark.parametrize("update", sorted(UPDATES))
def test_nothing_changes_where_hope_and_fear_differ_in_frozen_features_only(update: str) -> None:
    class Two:
        scores, stats = np.array([1.0, 2.0]), np.zeros((2, 1))

        def features(self, index: int) -> _native.FeatureVector:
            return _native.FeatureVector.of(["held"], np.array([float(index)]))

        def difference(self, plus: int, minus: int) -> _native.FeatureVector:
            return _native.FeatureVector.of(["held"], np.array([float(plus - minus)]))

    store = WeightStore.of({"held": 1.0})
    example = Example.of(FreeCandidates(Two(), Frozen(["held"])), np.array([4.0, 0.0]))  # type: ignore[arg-type]
    assert UPDATES[update]().learn(example, Step(store.native, 0, 1.0, 0.01)) is None
    assert dict(store.items()) == {"held": 1.0}


def test_start_weights_are_read_once_more_for_frozen_features_whatever_the_number_of_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be millions, of which patterns freeze a few."""
    setup, opened, read = write_lists(tmp_path), [], WeightStore.open

    def counting(path: Path, **options: Any) -> WeightStore:
        opened.append(Path(path).name)
        return read(path, **options)

    monkeypatch.setattr(WeightStore, "open", counting)
    times = []
    for number, frozen in enumerate(((), ("f0",))):
        given = {"start": START, "start_scale": 1.0, "average": "epochs", "epochs": 1, "frozen": frozen}
        learned(setup, tmp_path / f"run.{number}", **given)
        times.append(opened.count("0.weights"))
        opened.clear()
    assert times[1] == times[0] + 1


def test_patterns_become_one_expression_per_shard_and_one_per_mixing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup, made = write_lists(tmp_path), []
    monkeypatch.setattr(
        frozen_module, "name_matcher", lambda patterns: made.append(patterns) or name_matcher(patterns)
    )
    learned(setup, tmp_path / "run", epochs=1, shards=3, frozen=("f0", "s*"))
    made.clear()
    learned(setup, tmp_path / "run", epochs=2, shards=3, frozen=("f0", "s*"))
    of_check = [["f0"], ["s*"], ("f0", "s*")]
    assert made == of_check + [("f0", "s*")] * (3 + 1)


def test_patterns_that_match_nothing_and_those_that_match_all_are_refused(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    with pytest.raises(OptionError, match=r"frozen: no feature .* matches 'g\*'; choose from f0"):
        learned(setup, tmp_path / "run", frozen=("f0", "g*"))
    with pytest.raises(OptionError, match="all features are frozen: nothing is left to learn"):
        learned(setup, tmp_path / "run", frozen=("*",))
    assert not (tmp_path / "run").exists()


def test_lists_whose_features_are_all_dense_leave_nothing_to_learn_beside_them(tmp_path: Path) -> None:
    dense = write_lists(tmp_path / "dense", random_pool(3, lists=6, sparse=0))
    for start in ({"f0": 0.3}, None):
        with pytest.raises(OptionError, match="all features are frozen: nothing is left to learn"):
            learned(dense, tmp_path / "run", start=start, freeze_dense=True)
    assert not (tmp_path / "run").exists()
    sparse = write_lists(tmp_path)
    with pytest.raises(OptionError, match="all features are frozen: nothing is left to learn"):
        learned(sparse, tmp_path / "run", freeze_dense=True, frozen=("s*",))
    learned(sparse, tmp_path / "run", freeze_dense=True, frozen=("s1",), epochs=1)


def test_features_of_lists_need_no_start_weight_to_be_frozen_or_left_to_learn(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    result = learned(setup, tmp_path / "run", start={"f0": 0.3}, start_scale=1.0, frozen=("f0", "f1"))
    weights = WeightStore.open(result.weights)
    assert (weights["f0"], weights.get("f1", 0.0)) == (0.3, 0.0)
    assert weights["f2"]


def test_patterns_and_the_start_of_rates_belong_to_a_run(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    learned(setup, tmp_path / "run", epochs=1, frozen=("f0",))
    with pytest.raises(OptionError, match=r"contains a run with frozen f0, not none"):
        learned(setup, tmp_path / "run", epochs=2)
    assert learned(setup, tmp_path / "run", epochs=2, frozen=("f0",)).resumed_after == 1
    options = LearnerOptions(frozen=("LM*",), freeze_dense=True)
    frozen = Frozen.of(options, ["Distortion0"])
    store = WeightStore.of(dict.fromkeys(["RI_x", "LM0", "Distortion0", "LM1"], 0.5))
    assert frozen.weights_of(store) == dict.fromkeys(["LM0", "Distortion0", "LM1"], 0.5)
    assert Frozen((), ["LM1", "absent"]).weights_of(store) == {"LM1": 0.5}


def test_a_run_that_did_not_record_the_start_of_rates_goes_on_with_1(tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    whole = learned(setup, tmp_path / "whole", epochs=2, rates_start=1.0)
    learned(setup, tmp_path / "run", epochs=1, rates_start=1.0)
    path = tmp_path / "run" / "run.json"
    record = json.loads(path.read_text())
    for name in ("rates_start", "frozen", "freeze_dense"):
        del record["settings"][name]
    path.write_text(json.dumps(record))
    with pytest.raises(OptionError, match=r"contains a run with rates_start 1\.0, not 0\.0"):
        learned(setup, tmp_path / "run", epochs=2, rates_start=0.0)
    with pytest.raises(OptionError, match="freeze_dense"):
        learned(setup, tmp_path / "run", epochs=2, rates_start=1.0, freeze_dense=True)
    resumed = learned(setup, tmp_path / "run", epochs=2, rates_start=1.0)
    assert resumed.resumed_after == 1
    assert resumed.weights.read_bytes() == whole.weights.read_bytes()
