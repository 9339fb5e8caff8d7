"""The tables of the experiments about methods and stopping, from files made up here; nothing is tuned."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from experiments.methods import loops, parts, tables
from experiments.multi30k import stopping

from tunesmith.options import option_types
from tunesmith.tuning.method import METHODS


def learned(iteration: int, loss: float, new: int, score: float) -> dict[str, float]:
    facts = {"new": new, "candidates": 1000, "dev_score": score}
    return {"iteration": iteration, "start_loss": 0.0, "loss": loss, **facts}


def test_a_stop_rule_ends_at_the_first_round_without_improvement_and_with_few_new_candidates(
    tmp_path: Path,
) -> None:
    records = [
        learned(1, -1.0, 1000, 0.10),
        learned(2, 0.5, 400, 0.20),
        learned(3, 0.5, 50, 0.30),
        learned(4, -1.0, 5, 0.40),
        {"iteration": 5, "last": True, "dev_score": 0.5},
    ]
    assert [stopping.last(records, share)["iteration"] for share in (1.0, 0.1, 0.01)] == [2, 3, 5]
    (tmp_path / "first-1").mkdir()
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "first-1" / "history.jsonl").write_text(lines)
    row = stopping.table(tmp_path, ["first-1"]).splitlines()[2]
    assert (
        row == "| first half, 1 | 20.00 (round 2, 40.0% new) | 30.00 (round 3, 5.0% new) | 50.00 (round 5) |"
    )
    (many, few) = stopping.changes(tmp_path, ["first-1"]).splitlines()[2:]
    assert many.startswith("| more than 10% | 1 | +10.00 |")
    assert few.startswith("| at most 10% | 2 | +10.00 | 0.00 |")


def test_the_table_of_methods_has_what_was_run(tmp_path: Path) -> None:
    found = {"score": 0.4, "baseline": 0.3, "baseline_interval": [0.25, 0.35]}
    (tmp_path / "enja.pl.json").write_text(json.dumps({"cross_validation": found}))
    setting = tables.Setting(tmp_path, tmp_path, 1)
    rows = tables.table(setting, ["moses-mert", "enja"], ["mira", "pl"]).splitlines()
    assert rows == [
        "| lists | first candidates | mira | pl |",
        "|---|---|---|---|",
        "| enja | 30.00 (25.0 to 35.0) |  | 40.00 |",
    ]


def test_means_are_of_methods_that_all_sets_of_a_kind_have(tmp_path: Path) -> None:
    for name, score in (("enja.pl", 0.4), ("enja.mira", 0.2), ("moses-mert.pl", 0.5)):
        found = {"score": score, "baseline": 0.3, "baseline_interval": [0.25, 0.35]}
        (tmp_path / f"{name}.json").write_text(json.dumps({"cross_validation": found}))
    setting = tables.Setting(tmp_path, tmp_path, 1)
    rows = tables.table(setting, ["moses-mert", "enja"], ["mira", "pl"]).splitlines()
    assert rows[-1] == "| mean, dense features | |  | 45.00 |"


def test_the_row_of_a_loop_has_the_last_weights_and_the_best_round_on_the_tuning_set() -> None:
    records = [
        {"score": score, "dev_score": select, "dev_components": {"length_ratio": length}}
        for score, select, length in [(0.2, 0.1, 0.9), (0.4, 0.25, 1.0), (0.3, 0.3, 1.1)]
    ]
    expected = "| de-en | mira | 30.00 | 30.00 (1.100) | 25.00 (1.000) | 10.0 25.0 30.0 |"
    assert loops.row("de-en", "mira", records) == expected


@pytest.mark.parametrize("name", [*parts.OPTIONS])
def test_options_of_lists_are_those_of_the_methods(name: str) -> None:
    method, options = parts.OPTIONS[name]
    METHODS[method].configure({key: value for key, value in options.items() if key != "standardize"})


def test_options_of_loops_are_those_of_the_methods() -> None:
    for method, *options in (words[1:] for words in loops.METHODS.values()):
        flags = [str(word) for word in options if str(word).startswith("--")]
        names = {flag.removeprefix("--").removeprefix("no-").replace("-", "_") for flag in flags}
        assert names <= {*option_types(METHODS[str(method)]), "standardize"}
