"""Loops that learn from standardized features: what comes out does not depend on the scale of features."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tuning.toy_systems import ToyForestMert, ToySystem

from tunesmith.candidates.features import Features
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.tuning import METHODS, LoopResult, tune_model
from tunesmith.weights import Weights

FACTORS = {"f0": 1.0, "f1": 1024.0, "f2": 1 / 64}
"""Powers of two, so that nothing is rounded."""


class ScaledSystem(ToySystem):
    """The same decoder with features of another scale, and weights that rank as before."""

    def __init__(self, seed: int = 1, given: Mapping[str, float] = FACTORS) -> None:
        super().__init__(seed, sentences=12)
        self.factors, rows = given, self.pool.features
        factors = np.array([given.get(name, 1.0) for name in rows.names])
        scaled = Features(rows.names, rows.offsets, rows.columns, rows.values * factors[rows.columns])
        self.pool = dataclasses.replace(self.pool, features=scaled)

    @property
    def start(self) -> Weights:
        return Weights({name: weight / self.factors.get(name, 1.0) for name, weight in super().start.items()})


def loop(folder: Path, toy: ToySystem, method: Any = "mira", **options: Any) -> LoopResult:
    folder.mkdir(exist_ok=True)
    references = toy.write_references(folder / "references")
    lists = {"nbest": 5} if isinstance(method, str) else {}
    given = {"iterations": 3, "threads": 1, "tolerance": 0.0, "standardize": True} | lists | options
    return tune_model(toy, None, references, method, output=folder / "tuned", **given)


@pytest.mark.parametrize("method", ["mira", "pl", "mert"])
def test_a_standardized_loop_ranks_the_same_whatever_the_scale_of_features(method, tmp_path: Path) -> None:
    plain = loop(tmp_path / "plain", ToySystem(sentences=12), method)
    scaled = loop(tmp_path / "scaled", ScaledSystem(), method)
    assert scaled.scores == pytest.approx(plain.scores, abs=1e-9)
    assert [each["loss"] for each in scaled.history if "loss" in each] == pytest.approx(
        [each["loss"] for each in plain.history if "loss" in each], rel=1e-6
    )
    for name, weight in plain.weights.items():
        assert scaled.weights[name] * FACTORS.get(name, 1.0) == pytest.approx(weight, rel=1e-4, abs=1e-6)


def test_bounds_and_frozen_weights_are_of_the_original_features(tmp_path: Path) -> None:
    toy = ScaledSystem()
    result = loop(tmp_path, toy, bounds={"f2": (18.0, 20.0)}, frozen=["f1"])
    assert 18.0 <= result.weights["f2"] <= 20.0
    assert result.weights["f1"] == toy.start["f1"]


def test_unlike_scales_are_warned_of_in_the_first_round(tmp_path: Path) -> None:
    with pytest.warns(TunesmithWarning, match=r"^'f1' varies .* as 'f2' .*; try standardize dense$") as told:
        loop(tmp_path, ScaledSystem(), standardize=False)
    assert sum("varies" in str(each.message) for each in told) == 1
    loop(tmp_path / "standardized", ScaledSystem())  # warnings are errors in tests
    loop(tmp_path / "scale-free", ScaledSystem(), "mert", standardize=False)


def test_a_standardized_run_resumes_but_not_as_a_plain_one(tmp_path: Path) -> None:
    toy = ToySystem(sentences=12)
    whole = loop(tmp_path / "whole", toy)
    loop(tmp_path / "part", toy, iterations=1)
    assert loop(tmp_path / "part", toy).weights == whole.weights
    with pytest.raises(OptionError, match="a run with standardize true, not none"):
        loop(tmp_path / "part", toy, standardize=False)
    loop(tmp_path / "plain", toy, standardize=False, iterations=1)
    settings = json.loads((tmp_path / "plain" / "tuned" / "run.json").read_text())["settings"]
    assert "standardize" not in settings  # so that runs of earlier versions go on


def test_forests_are_not_standardized(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="standardize is for methods of candidate lists; toy-forest-mert"):
        loop(tmp_path, ToySystem(sentences=12), ToyForestMert())


def test_the_mean_is_of_weights_whose_scores_deviate_equally_within_lists(tmp_path: Path) -> None:
    toy = ScaledSystem(given={"f1": 4.0})
    parts = {
        way: loop(tmp_path / way, toy, iterations=1, standardize=way).weights for way in ("dense", "none")
    }
    found = loop(tmp_path / "mean", toy, iterations=1, standardize="mean").weights
    lists = toy.use(toy.start).nbest(5)
    names = lists.feature_names

    def sized(weights: Weights) -> Any:
        values = np.array([weights[name] for name in names])
        scores, ends = lists.features.to_dense() @ values, lists.offsets[1:-1]
        return values / np.mean([part.std() for part in np.split(scores, ends)])

    expected = 0.5 * (sized(parts["dense"]) + sized(parts["none"]))
    values = np.array([found[name] for name in names])
    assert values / np.linalg.norm(values) == pytest.approx(expected / np.linalg.norm(expected))
    assert not np.allclose(sized(parts["dense"]), sized(parts["none"]), rtol=1e-3)


def test_the_mean_keeps_bounds_and_frozen_weights_and_is_resumed(tmp_path: Path) -> None:
    toy = ToySystem(sentences=12)
    limits: dict[str, Any] = {"bounds": {"f2": (0.28, 0.32)}, "frozen": ["f1"], "standardize": "mean"}
    whole = loop(tmp_path / "whole", toy, **limits)
    assert 0.28 <= whole.weights["f2"] <= 0.32
    assert whole.weights["f1"] == toy.start["f1"]
    loop(tmp_path / "part", toy, iterations=1, **limits)
    assert loop(tmp_path / "part", toy, **limits).weights == whole.weights
    assert all(record["steps"] > 60 for record in whole.history if "steps" in record)  # of both


def test_features_of_unlike_scale_are_only_learned_standardized_which_the_run_says(tmp_path: Path) -> None:
    toy = ScaledSystem()
    found = {way: loop(tmp_path / way, toy, standardize=way) for way in ("dense", "mean")}
    assert found["mean"].weights == found["dense"].weights
    rounds = [record for record in found["mean"].history if "loss" in record]
    assert [record["standardized"] for record in rounds] == ["dense"] * len(rounds)
    said = f"in {len(rounds)} of {len(rounds)} iterations standardize was dense instead of mean"
    for result in (found["mean"], loop(tmp_path / "mean", toy, standardize="mean")):  # finished
        assert [text.partition(":")[0] for text in result.warnings if "instead of" in text] == [said]
    path = tmp_path / "mean" / "tuned" / "run.json"
    path.write_text(path.read_text().replace('"standardized": "dense"', '"standardized": 3', 1))
    with pytest.raises(InputError, match=r"run\.json: is damaged"):
        loop(tmp_path / "mean", toy, standardize="mean")


def test_a_mean_that_was_taken_in_all_rounds_is_not_warned_of(tmp_path: Path) -> None:
    found = loop(tmp_path, ToySystem(sentences=12), standardize="mean")
    assert not any("standardized" in record for record in found.history)
    assert not any("instead of mean" in text for text in found.warnings)


@pytest.mark.parametrize("penalty", [{"l1": 0.1}, {"l2": 5.0}, {}])
def test_a_mean_with_a_penalty_is_refused_before_anything_is_decoded(
    penalty: dict[str, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not penalty:
        monkeypatch.setattr(METHODS["mira"], "l2", 0.1)  # a default of the method's
    toy = ToySystem(sentences=12)
    monkeypatch.setattr(toy, "translations", None)
    monkeypatch.setattr(toy, "nbest", None)
    with pytest.raises(OptionError, match=r"standardize cannot be 'mean' with a penalty, .* give 'dense'"):
        loop(tmp_path, toy, standardize="mean", **penalty)
    assert not (tmp_path / "tuned").exists()


def test_a_mean_takes_strengths_of_zero(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(METHODS["mira"], "l2", 0.1)
    loop(tmp_path, ToySystem(sentences=12), iterations=1, standardize="mean", l1=0.0, l2=0.0)


def test_an_unknown_way_to_standardize_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="tune: standardize cannot be 'dens'; did you mean 'dense'"):
        loop(tmp_path, ToySystem(sentences=12), standardize="dens")


@pytest.mark.parametrize(("seed", "best"), [(59, "dense"), (24, "dense"), (60, "none")])
def test_the_better_lesson_is_taken_where_the_mean_of_both_is_worse_than_the_start(
    seed: int, best: str, tmp_path: Path
) -> None:
    toy = ScaledSystem(seed, {"f1": 4.0, "f2": 0.3})
    found = {
        way: loop(tmp_path / way, toy, iterations=1, standardize=way) for way in ("dense", "none", "mean")
    }
    first = {way: result.history[0] for way, result in found.items()}
    assert min(("dense", "none"), key=lambda way: first[way]["loss"]) == best
    assert first[best]["loss"] < first[best]["start_loss"]
    assert first["mean"]["loss"] == pytest.approx(first[best]["loss"])
    weights = [found[way].weights for way in ("mean", best)]
    ratios = [weights[0][name] / weights[1][name] for name in weights[0]]
    assert ratios == pytest.approx([ratios[0]] * len(ratios))
