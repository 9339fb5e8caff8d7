"""When the loop ends, and when it goes on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.tuning.toy_loops import loop, round_of, score
from tests.tuning.toy_systems import ToyForestMert, ToySystem

from tunesmith.candidates import Pool
from tunesmith.errors import OptionError
from tunesmith.forest.pool import ForestPool
from tunesmith.systems.base import System
from tunesmith.tuning.loop.loop import GOOD
from tunesmith.tuning.methods.mira import Mira
from tunesmith.tuning.run import Run, Solution
from tunesmith.tuning.warn import HARDLY_COUNT, other_method
from tunesmith.weights import Weights


@pytest.fixture
def toy() -> ToySystem:
    return ToySystem()


def test_a_round_without_new_candidates_ends_the_loop(toy, tmp_path: Path) -> None:
    result = loop(toy, tmp_path, iterations=10, nbest=100)
    assert result.stopped == "no new candidates came up"
    assert (result.iterations, result.history[-1]["new"]) == (1, 0)
    assert result.weights == Weights.read(tmp_path / "tuned" / "rounds" / "1.weights.json")


def test_a_method_that_finds_nothing_better_ends_the_loop_with_the_weights_it_had(
    toy, tmp_path: Path
) -> None:
    @dataclass(frozen=True)
    class Idle(ToyForestMert):
        def learn(self, run: Run[ForestPool]) -> Solution:
            return Solution(-run.space.start, 1.0, 1.0)

    result = loop(toy, tmp_path, Idle())
    assert result.stopped == "the method did not improve its own objective"
    assert (result.iterations, result.weights) == (1, toy.start)
    assert toy.asked == ["forests 2", "translations"]  # and not once more: these weights have a score


def test_weights_that_hardly_move_end_the_loop(toy, tmp_path: Path) -> None:
    result = loop(toy, tmp_path, "mira", iterations=10, tolerance=1.0)
    assert (result.iterations, result.stopped) == (1, "no weight moved by more than 1")
    assert 0 < result.history[0]["moved"] <= 1


def test_a_small_improvement_of_the_objective_ends_the_loop(toy, tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Creeping(ToyForestMert):
        least_improvement = 1e-3

        def learn(self, run: Run[ForestPool]) -> Solution:
            gain = 1.0 if round_of(run) < 3 else 1e-3
            return Solution(np.array([1.0, 0.1 * round_of(run), 0.0]), -2.0, -2.0 + gain)

    result = loop(toy, tmp_path / "own", Creeping(), iterations=10)
    assert result.stopped == "the method improved its own objective by no more than 0.001 of it"
    assert result.iterations == 3
    assert loop(toy, tmp_path / "less", Creeping(), iterations=4, least_improvement=1e-4).iterations == 4
    assert loop(toy, tmp_path / "none", Creeping(), iterations=4, least_improvement=0.0).iterations == 4
    assert loop(toy, tmp_path / "more", Creeping(), iterations=4, least_improvement=0.5).iterations == 1
    with pytest.raises(OptionError, match="least_improvement must be at least 0"):
        loop(toy, tmp_path / "bad", Creeping(), least_improvement=-1.0)


def test_patience_ends_the_loop_after_rounds_without_a_better_score(toy, tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Spoiling(ToyForestMert):
        def learn(self, run: Run[ForestPool]) -> Solution:
            worse = np.array([-1.0, round_of(run), 0.0])  # f0 goes with the quality of candidates
            return Solution(worse, 0.0, 1.0)

    result = loop(
        toy, tmp_path, Spoiling(), start={"f0": 1.0, "f1": 0.0, "f2": 0.0}, iterations=9, patience=2
    )
    assert result.stopped == "no better score for 2 iterations"
    assert len(result.scores) == 3
    assert result.scores[0] > max(result.scores[1:])
    assert any("got worse" in told and "try to select by metric, more" in told for told in result.warnings)
    assert any("though the method's objective improved; try" in told for told in result.warnings)
    assert (result.best, result.better) == (0, 0)
    spoiled = Weights.read(tmp_path / "tuned" / "rounds" / "2.weights.json")
    assert (result.chosen, result.weights) == (2, spoiled)


def test_weights_that_no_round_could_improve_are_written_with_their_score(toy, tmp_path: Path) -> None:
    result = loop(toy, tmp_path, "mira", iterations=20, standardize=False)
    assert result.stopped == "the method did not improve its own objective"
    written = json.loads((tmp_path / "tuned" / "weights.json").read_text())
    assert written["score"] == result.history[-1]["score"] == result.score


@dataclass(frozen=True)
class Astray(Mira):
    """MIRA whose loop goes on with weights that get worse."""

    def learn(self, run: Run[Pool]) -> Solution:
        run.lowest = Solution(np.array([-1.0, round_of(run), 0.0]), 1.0, 1.0)
        return Solution(run.space.start, 1.0, 1.0)


def test_a_drop_without_a_better_objective_names_neither_it_nor_the_method_in_use(
    toy, tmp_path: Path
) -> None:
    start = {"f0": 1.0, "f1": 0.0, "f2": 0.0}
    result = loop(toy, tmp_path, Astray(), start=start, nbest=2, iterations=2)
    assert result.history[0]["went_on"] and result.score < result.baseline
    (told,) = (text for text in result.warnings if "got worse" in text)
    assert "objective improved" not in told
    assert told.endswith("or another method, such as forest-mert")


def test_no_method_over_forests_is_advised_for_a_decoder_without_any(tmp_path: Path) -> None:
    class ListsOnly(ToySystem):
        forests = System.forests

    start = {"f0": 1.0, "f1": 0.0, "f2": 0.0}
    result = loop(ListsOnly(), tmp_path, Astray(), start=start, nbest=2, iterations=2)
    (told,) = (text for text in result.warnings if "got worse" in text)
    assert told.endswith("or another method, such as mert")


@pytest.mark.parametrize(
    ("method", "advice"),
    [
        ("mira", "such as forest-mert"),
        ("forest-mira", "such as forest-mert"),
        ("mert", "such as mira"),
        ("forest-mert", "such as mira"),
        ("pro", "such as mira or forest-mert"),
    ],
)
def test_the_same_method_over_lists_or_forests_is_not_another_one(method: str, advice: str) -> None:
    assert other_method(method, GOOD) == f"another method, {advice}"
    assert other_method(method) == "another method"


@dataclass(frozen=True)
class Stuck(Mira):
    """MIRA whose passes are never better than where they start."""

    def learn(self, run: Run[Pool]) -> Solution:
        found = super().learn(run)
        return Solution(run.space.start, found.start_loss, found.start_loss)


def test_a_loop_that_goes_on_does_not_end_for_a_small_improvement(toy, tmp_path: Path) -> None:
    result = loop(toy, tmp_path, Stuck(epochs=5), nbest=2, iterations=20, least_improvement=0.5)
    assert result.history[0]["went_on"] and len(result.history) > 2


def test_a_loop_of_mira_goes_on_with_the_best_pass_while_many_candidates_are_new(toy, tmp_path: Path) -> None:
    lowest: list[float] = []

    @dataclass(frozen=True)
    class Noting(Stuck):
        def learn(self, run: Run[Pool]) -> Solution:
            solution = super().learn(run)
            lowest.append(min(record["loss"] for record in run.history.records))
            return solution

    lines: list[str] = []
    result = loop(toy, tmp_path, Noting(epochs=3), nbest=3, iterations=20, progress=lines.append)
    learned = [record for record in result.history if "loss" in record]
    assert len(learned) > 1
    for record in learned:
        assert record.get("went_on", False) == (record["new"] > 0.1 * record["candidates"])
    assert [record["loss"] for record in learned if "went_on" in record] == lowest[: len(learned) - 1]
    assert result.stopped in ("the method did not improve its own objective", "no new candidates came up")
    assert sum("goes on because many candidates are new" in line for line in lines) == len(learned) - (
        "went_on" not in learned[-1]
    )
    for number, record in enumerate(result.history):
        weights = Weights.read(tmp_path / "tuned" / "rounds" / f"{number}.weights.json")
        assert score(toy, weights) == pytest.approx(record["score"], abs=1e-12)


def test_a_method_whose_steps_follow_its_loss_ends_the_loop_where_it_finds_nothing_better(
    toy, tmp_path: Path
) -> None:
    @dataclass(frozen=True)
    class Following(Stuck):
        follows_loss = True

    result = loop(toy, tmp_path, Following(epochs=3), nbest=3, iterations=20)
    assert (result.iterations, result.stopped) == (1, "the method did not improve its own objective")
    assert result.weights == toy.start


@dataclass(frozen=True)
class Limited(ToyForestMert):
    """Ends each round by a limit while it improves, except for one."""

    finished: int = 0

    def learn(self, run: Run[ForestPool]) -> Solution:
        limit = None if round_of(run) == self.finished else "iterations"
        return Solution(np.array([1.0, 0.1 * round_of(run), 0.0]), -1.0, 1.0, unfinished=limit)


def test_a_method_that_still_improves_in_the_last_round_says_so(toy, tmp_path: Path) -> None:
    told = (
        "toy-forest-mert still improved its own objective when the last round ended; raise the method's"
        " iterations"
    )
    for number, expected in ((0, True), (1, True), (2, False)):
        limited = loop(toy, tmp_path / str(number), Limited(finished=number), iterations=2)
        assert (told in limited.warnings) is expected
        assert told in loop(toy, tmp_path / str(number), Limited(finished=number), iterations=3).warnings


def test_frozen_weights_at_their_least_size_are_told_of_the_chosen_round(toy, tmp_path: Path) -> None:
    wrong: dict[str, Any] = {"start": {"f0": -1.0, "f1": 0.0, "f2": 0.0}, "frozen": ["f0"], "iterations": 1}
    found = loop(toy, tmp_path / "wrong", "corpus-risk", **wrong)
    assert HARDLY_COUNT in found.warnings
    right = wrong | {"start": {"f0": 1.0, "f1": 0.0, "f2": 0.0}}
    assert HARDLY_COUNT not in loop(toy, tmp_path / "right", "corpus-risk", **right).warnings
