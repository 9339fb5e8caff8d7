"""Runs that an earlier build has begun go on, with a warning; options that are newer have defaults."""

from __future__ import annotations

import dataclasses
import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tuning.online.test_remote_checkpoints import FolderElsewhere
from tests.tuning.online.toy_online import learned, write_lists
from tests.tuning.toy_loops import loop
from tests.tuning.toy_systems import ToySystem

from tunesmith.build import Build
from tunesmith.errors import OptionError, TunesmithWarning

NAMELESS = "was begun by an earlier build of Tunesmith, which it does not name, and goes on with Tunesmith"


def loop_run(folder: Path, rounds: int, **options: Any) -> Any:
    return loop(ToySystem(), folder, "mira", iterations=rounds, tolerance=0.0, **options)


def online_run(folder: Path, rounds: int, **options: Any) -> Any:
    return learned(write_lists(folder), folder / "tuned", epochs=rounds, **options)


RUNS = pytest.mark.parametrize("run", [loop_run, online_run], ids=["loop", "online"])


def change(folder: Path, changed: Callable[[dict[str, Any]], None]) -> None:
    """Change the record of a run."""
    path = folder / "tuned" / "run.json"
    state = json.loads(path.read_text())
    changed(state)
    path.write_text(json.dumps(state))


@RUNS
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_a_run_that_another_build_began_goes_on_with_a_warning(run: Any, known: bool, tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", 3)
    run(tmp_path, 2)
    other = dataclasses.replace(Build.running(), package="0" * 32)
    change(tmp_path, lambda state: state.update(build=other.record()) if known else state.pop("build"))
    named = re.escape(f"was begun by {other}, which differs in Python files (")
    with pytest.warns(TunesmithWarning, match=named if known else NAMELESS) as told:
        again = run(tmp_path, 3)
    assert str(Build.running()) in str(told[0].message) and "restart" in str(told[0].message)
    assert again.resumed_after == 2
    assert again.history[-1]["score"] == whole.history[-1]["score"]
    with warnings.catch_warnings():  # it is only shown
        warnings.simplefilter("error", TunesmithWarning)
        assert run(tmp_path, 3).resumed_after == 3


@RUNS
def test_a_run_of_one_build_goes_on_without_a_warning(run: Any, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", TunesmithWarning)
        run(tmp_path, 1)
        assert run(tmp_path, 2).resumed_after == 1
        assert run(tmp_path, 2, restart=True).resumed_after == 0


NEWER = {
    loop_run: ("method_optimizer", "method_shuffle", "method_c"),
    online_run: ("keep_document", "boolean", "shuffle", "least_shards", "update_c"),
}


@RUNS
def test_options_that_a_record_lacks_count_as_their_defaults(run: Any, tmp_path: Path) -> None:
    run(tmp_path, 1)
    removed = []

    def without(state: dict[str, Any]) -> None:
        removed.extend(name for name in NEWER[run] if state["settings"].pop(name, None) is not None)

    change(tmp_path, without)
    assert removed
    assert run(tmp_path, 2).resumed_after == 1


def test_an_option_that_a_record_lacks_with_another_value_than_its_default_is_refused(tmp_path: Path) -> None:
    online_run(tmp_path, 1)
    change(tmp_path, lambda state: state["settings"].pop("shuffle"))
    with pytest.raises(OptionError, match="shuffle true, not false"):
        online_run(tmp_path, 2, shuffle=False)


def test_a_checkpoint_elsewhere_without_newer_options_goes_on(tmp_path: Path) -> None:
    remote = FolderElsewhere(tmp_path / "remote")
    online_run(tmp_path, 1, checkpoint_to=remote)
    change(tmp_path, lambda state: state["settings"].pop("shuffle"))
    stored = tmp_path / "remote" / "00001" / "run.json"
    state = json.loads(stored.read_text())
    del state["settings"]["shuffle"]
    stored.write_text(json.dumps(state))
    assert online_run(tmp_path, 2, checkpoint_to=remote).resumed_after == 1


def mert_run(folder: Path, rounds: int, **options: Any) -> Any:
    return loop(ToySystem(16), folder, "mert", iterations=rounds, nbest=2, **options)


def test_an_option_that_is_gone_is_refused_unless_it_did_nothing(tmp_path: Path) -> None:
    whole = mert_run(tmp_path / "whole", 2)
    mert_run(tmp_path, 1)
    change(tmp_path, lambda state: state["settings"].update({"method_slack": 0.01}))
    with pytest.raises(OptionError, match=r"a run with method_slack 0\.01, an option that is gone; use re"):
        mert_run(tmp_path, 2)
    change(tmp_path, lambda state: state["settings"].update({"method_slack": 0.0}))
    again = mert_run(tmp_path, 2)
    assert (again.resumed_after, again.weights) == (1, whole.weights)


def test_a_run_that_did_not_record_how_it_selects_keeps_its_last_weights(tmp_path: Path) -> None:
    lines: list[str] = []
    last = mert_run(tmp_path, 2, select="objective")
    change(tmp_path, lambda state: state.pop("select"))
    again = mert_run(tmp_path, 2, progress=lines.append)
    assert (again.chosen, again.weights) == (last.chosen, last.weights)
    told = "weights are selected by objective, as in this run so far; a run of mert that begins now selects"
    assert any(line.startswith(told) for line in lines)
    assert mert_run(tmp_path, 2).chosen == last.chosen
    best = mert_run(tmp_path, 2, select="metric")
    assert best.chosen != last.chosen
    assert mert_run(tmp_path, 2).chosen == best.chosen


def test_a_run_goes_on_to_select_as_it_was_told_to(tmp_path: Path) -> None:
    lines: list[str] = []
    mert_run(tmp_path, 1, select="objective")
    assert json.loads((tmp_path / "tuned" / "run.json").read_text())["select"] == "objective"
    assert mert_run(tmp_path, 1, select="metric").chosen == 1  # the same weights, so that none are written
    assert mert_run(tmp_path, 2, progress=lines.append).chosen == 1
    assert not any("selected by" in line for line in lines)
    assert mert_run(tmp_path, 2, select="objective").chosen == 2
    assert mert_run(tmp_path, 2, restart=True).chosen == 1
