"""Sentences that the decoder fails on: named, counted, not learned from; or the end of the run."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.tuning.online.toy_online import learned, write_lists

from tunesmith.errors import IgnoredInputWarning, InputError
from tunesmith.systems.lists import ListSetup, ListSystem
from tunesmith.tuning.online.failures import Failures
from tunesmith.weights import WeightStore


class Failing(ListSystem):
    """Lists of which some raise an error when they are asked for."""

    error: Exception | None
    failing: tuple[int, ...]

    def candidates(self, sentence: int, *how: Any) -> Any:
        if sentence in self.failing:
            raise self.error or KeyError
        return super().candidates(sentence, *how)


@dataclass(frozen=True)
class FailingSetup(ListSetup):
    """Opens such lists."""

    failing: tuple[int, ...] = ()
    error: Exception | None = None

    def open(self, size: int | None = None, fold: int | None = None) -> ListSystem:
        system = Failing(super().open(size).pool)
        system.error, system.failing = self.error, self.failing
        return system


def failing(
    folder: Path, *sentences: int, error: Exception | None = None, write: bool = True
) -> FailingSetup:
    lists = (
        write_lists(folder)
        if write
        else ListSetup((f"{folder}/lists.nbest",), (f"{folder}/lists.ref",), "cdec")
    )
    return FailingSetup(lists.lists, lists.references, lists.format, sentences, error or KeyError("oops"))


def test_failed_sentences_are_named_and_counted_in_learning_and_in_scores(tmp_path: Path) -> None:
    setup = failing(tmp_path, 3, 17)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = learned(setup, tmp_path / "run", epochs=2)
    shown = [str(each.message) for each in caught if each.category is IgnoredInputWarning]
    assert shown == [
        f"sentence {number}: the decoder failed; the sentence is not learned from, and scored as an empty"
        " translation: KeyError: 'oops'"
        for number in (4, 18)
    ]
    records = [json.loads(line) for line in (tmp_path / "run" / "history.jsonl").read_text().splitlines()]
    assert [record.get("failed") for record in records] == [None, 2, 2]
    assert [record["score_failed"] for record in records] == [2, 2, 2]
    assert sum(records[1]["by_shard"]["failed"]) == 2
    assert sum(records[1]["by_shard"]["sentences"]) == 24
    assert sum(records[1]["by_shard"]["updates"]) == records[1]["updates"] == result.history[1]["updates"]
    assert len(records[1]["seconds_by_shard"]) == 4


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_failed_sentences_are_scored_as_empty_translations(metric: str, tmp_path: Path) -> None:
    setup = failing(tmp_path, 23, error=InputError("too long", line=24))
    options: dict[str, Any] = {"shards": 1, "epochs": 1, "metric": metric}
    with pytest.warns(IgnoredInputWarning, match="line 24: too long"):
        failed = learned(setup, tmp_path / "failing", **options)
    lists = Path(setup.lists[0]).read_text().splitlines()
    kept = [line for line in lists if not line.startswith("23 ")]
    alike = next(line for line in lists if line.startswith("23 ")).split(" ||| ")
    Path(setup.lists[0]).write_text("\n".join([*kept, " ||| ".join([alike[0], "", *alike[2:]])]) + "\n")
    empty = learned(failing(tmp_path, write=False), tmp_path / "empty", **options)
    assert failed.history[0]["score"] == empty.history[0]["score"]


def test_a_set_that_fails_as_a_whole_has_no_score(tmp_path: Path) -> None:
    select = failing(tmp_path / "select", *range(24))
    options: dict[str, Any] = {"metric": "ter", "shards": 6, "select": select}
    with pytest.raises(InputError, match="failed on all sentences of the select set; sentence 1: KeyError"):
        learned(write_lists(tmp_path), tmp_path / "run", **options)


def test_a_decoder_that_fails_on_the_first_sentences_of_a_shard_is_not_asked_for_all() -> None:
    asked = list[int]()

    def translate(sentence: int, works: bool) -> int:
        asked.append(sentence)
        if not works:
            raise InputError("cannot run it")
        return sentence

    failures = Failures()
    with pytest.raises(InputError, match=r"the first 5 sentences of a shard; .* sentence 5: cannot run it"):
        for sentence in range(9):
            failures.attempt(sentence, partial(translate, sentence, works=False))
    assert asked == [0, 1, 2, 3, 4]
    failures = Failures()
    for sentence in range(9):
        failures.attempt(sentence, partial(translate, sentence, works=sentence == 3))
    assert len(failures) == 8


def test_the_run_ends_if_asked_for_or_if_nothing_is_left(tmp_path: Path) -> None:
    setup = failing(tmp_path, 5)
    with pytest.raises(InputError, match=r"sentence 6 failed: KeyError: 'oops' \(shard \d\)"):
        learned(setup, tmp_path / "run", fail_fast=True)
    with pytest.raises(InputError, match="under the start weights; sentence 1: KeyError"):
        learned(failing(tmp_path, *range(24)), tmp_path / "none", shards=6)
    with pytest.raises(RuntimeError, match="MemoryError"):
        learned(failing(tmp_path, 5, error=MemoryError()), tmp_path / "memory")


def test_without_failures_nothing_of_it_is_recorded(tmp_path: Path) -> None:
    result = learned(failing(tmp_path), tmp_path / "run", epochs=1)
    same = learned(write_lists(tmp_path), tmp_path / "same", epochs=1, fail_fast=True)
    assert "failed" not in result.record
    assert result.weights.read_bytes() == same.weights.read_bytes()
    assert len(WeightStore.open(result.weights)) > 0
