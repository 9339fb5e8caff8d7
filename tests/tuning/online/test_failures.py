"""Sentences that the decoder fails on: named, counted, not learned from; or the end of the run."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.tuning.online.toy_online import learned, write_lists

from tunesmith.errors import IgnoredInputWarning, InputError
from tunesmith.metrics import get_metric
from tunesmith.metrics.base import Metric
from tunesmith.systems.external.mira_lines import MiraCandidate, MiraSentence
from tunesmith.texts import Texts
from tunesmith.tuning.online import mira_process
from tunesmith.tuning.online.command_lists import CommandLists
from tunesmith.tuning.online.failures import Failures
from tunesmith.tuning.online.fixed_lists import FixedLists
from tunesmith.tuning.online.setup import ListSetup, OnlineDecoder
from tunesmith.weights import WeightStore


class Failing(FixedLists):
    """Lists of which some raise an error when they are asked for."""

    error: Exception | None
    failing: tuple[int, ...]

    def candidates(self, sentence: int) -> Any:
        if sentence in self.failing:
            raise self.error or KeyError
        return super().candidates(sentence)


@dataclass(frozen=True)
class FailingSetup(ListSetup):
    """Opens such lists."""

    failing: tuple[int, ...] = ()
    error: Exception | None = None

    def open(self, metric: Metric, nbest: int, fold: int) -> OnlineDecoder:
        decoder = Failing(self._pool.head(nbest), metric)
        decoder.error, decoder.failing = self.error, self.failing
        return decoder


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


class Process:
    """An external decoder as the protocol sees it: weights are 0 when it starts."""

    started: ClassVar[list[Process]] = []

    def __init__(self, command: str) -> None:
        self.weights: dict[str, float] = {}
        self.started.append(self)

    def kill(self) -> None:
        self.weights = {"dead": 1.0}


def answer(
    process: Process, sentence: MiraSentence, changes: Mapping[str, float], weights: Mapping[str, float]
) -> list[MiraCandidate]:
    for name, change in changes.items():
        process.weights[name] = process.weights.get(name, 0.0) + change
    if sentence.text == "bad":
        raise InputError("the decoder ended")
    return [MiraCandidate(sentence.id, 1, "text", {"a": 1.0}, 0.0)]


def test_an_external_decoder_that_ended_gets_all_weights_when_it_starts_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mira_process, "Dialogue", Process)
    monkeypatch.setattr(mira_process, "ask_mira", answer)
    sentences = [MiraSentence(str(number), "", text) for number, text in enumerate(["x", "bad", "y"])]
    metric = get_metric("bleu")
    decoder = mira_process.MiraProcess("command", sentences, (Texts.of("rrr"),), ["a", "b"], metric, 5)
    store = WeightStore.of({"a": 0.5, "b": 0.1})
    decoder.use(store, [0, 1, 2])
    failures = Failures()
    for sentence in range(3):
        failures.attempt(sentence, partial(decoder.candidates, sentence))
    assert [failure.sentence for failure in failures] == [1]
    assert len(Process.started) == 2
    assert Process.started[1].weights == {"a": 0.5, "b": 0.1}


def test_source_words_are_those_that_the_decoder_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mira_process, "Dialogue", Process)
    monkeypatch.setattr(mira_process, "ask_mira", answer)
    sentences = [MiraSentence("0", "", "((('a',1,1),('b',1,1),),)  as two words")]
    decoder = mira_process.MiraProcess("command", sentences, (Texts.of("r"),), ["a"], get_metric("bleu"), 5)
    decoder.use(WeightStore.of({"a": 0.5}), [0])
    assert decoder.source_words(0) == 4  # before it answered
    decoder.candidates(0)
    assert decoder.source_words(0) == 1


def test_source_words_of_a_command_are_those_within_tags_and_the_columns_of_lattices() -> None:
    lines = [
        "das haus ist",
        '<seg id="1" grammar="file">das haus</seg>',
        "((('das',0.5,1),('ein',0.5,1),),(('haus',1,1),),)",
        "<seg>text without an end",
        '<seg id="4">das haus</seg>\tthe house in a reference',
    ]
    decoder = CommandLists("cat {weights}", lines, (), [], get_metric("bleu"), 5)
    assert [decoder.source_words(number) for number in range(5)] == [3, 2, 2, 4, 2]
    decoder.close()
