"""The folder of a loop: what is taken up, what is refused, what is never lost."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from tests.tuning.runs import KilledError
from tests.tuning.toy_systems import ToyForestMert, ToyNewestMert, ToySystem

from tunesmith.candidates import Pool
from tunesmith.candidates.mapped import read_mapped
from tunesmith.candidates.union import Union
from tunesmith.errors import InputError, OptionError
from tunesmith.leftovers import temporary_name
from tunesmith.tuning import LoopResult, tune_model
from tunesmith.tuning.loop.rounds import Rounds
from tunesmith.weights import Weights

SPARSE = {"sparse": 30, "sentences": 8}


def loop(folder: Path, method="mira", metric="bleu", toy: ToySystem | None = None, **options) -> LoopResult:
    toy = toy or ToySystem(**SPARSE)
    references = toy.write_references(folder / "references")
    lists = {"nbest": 3} if isinstance(method, str) else {}
    given = {"iterations": 4, "threads": 1, "tolerance": 0.0} | lists | options
    return tune_model(toy, None, references, method, metric, output=folder / "tuned", **given)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all that a run leaves, but for the times that it took."""
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            data = file.read_bytes()
            if file.suffix in (".json", ".jsonl"):
                data = re.sub(rb'"seconds_\w+": [0-9.e-]+', b"", data)
            found[str(file.relative_to(folder))] = data
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["mira", ToyForestMert(), ToyNewestMert()], ids=["lists", "union", "newest"]
)
def test_a_run_that_dies_between_any_two_writes_ends_as_an_unbroken_one(method, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    whole = loop(tmp_path / "whole", method, iterations=3)
    renames = [0]

    def dying(number: int):
        def replace(source, target):
            if "tuned" in str(target):
                renames[0] += 1
                if renames[0] == number:
                    raise KilledError
            rename(source, target)

        return replace

    rename = os.replace
    deaths = 0
    for number in range(1, 30):
        folder = tmp_path / str(number)
        folder.mkdir()
        renames[0] = 0
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "replace", dying(number))
            try:
                loop(folder, method, iterations=3)
                break
            except KilledError:
                deaths += 1
        again = loop(folder, method, iterations=3)
        assert again.weights == whole.weights
        assert contents(folder / "tuned") == contents(tmp_path / "whole" / "tuned")
    assert deaths > 4 * whole.iterations


def test_lists_with_columns_of_their_own_are_taken_up_too(tmp_path: Path) -> None:
    few = {"toy": ToySystem(2, sentences=4, sparse=200), "nbest": 2}
    (tmp_path / "whole").mkdir()
    whole = loop(tmp_path / "whole", **few)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Union, "news_of_parts", lambda union, parts: list(parts))
        loop(tmp_path, iterations=2, **few)
    second = Path("tuned") / "rounds" / "2.pool"
    own, aligned = (read_mapped(folder / second) for folder in (tmp_path, tmp_path / "whole"))
    assert own.feature_names != aligned.feature_names
    assert loop(tmp_path, **few).weights == whole.weights


def test_weights_that_are_there_can_be_used_at_any_time(tmp_path: Path) -> None:
    seen = []

    def progress(line: str) -> None:
        if "iteration" in line:
            seen.append(Weights.read(tmp_path / "tuned" / "weights.json"))

    result = loop(tmp_path, progress=progress)
    rounds = [
        Weights.read(tmp_path / "tuned" / "rounds" / f"{i + 1}.weights.json") for i in range(len(seen) - 1)
    ]
    assert seen[: len(rounds)] == rounds
    assert seen[-1] == result.weights


def test_a_run_that_has_ended_is_told_again_without_decoding(tmp_path: Path) -> None:
    first, toy = loop(tmp_path), ToySystem(**SPARSE)
    again = loop(tmp_path, toy=toy)
    assert toy.asked == []
    assert (again.weights, again.history, again.stopped) == (first.weights, first.history, first.stopped)
    assert again.resumed_after == first.iterations


def test_more_iterations_go_on_and_end_as_one_run(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    loop(tmp_path / "two", iterations=1)
    two, one = loop(tmp_path / "two", iterations=4), loop(tmp_path / "one", iterations=4)
    assert two.resumed_after == 1
    assert two.weights == one.weights
    assert contents(tmp_path / "two" / "tuned") == contents(tmp_path / "one" / "tuned")
    assert two.iterations > 1
    with pytest.raises(OptionError, match=f"contains a run of {two.iterations} iterations"):
        loop(tmp_path / "two", iterations=1)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"seed": 2}, "a run with seed 1, not 2; use"),
        ({"method": "pro"}, "a run with method mira, not pro; use"),
        ({"metric": "chrf"}, "a run with metric bleu, not chrf; use"),
        ({"epochs": 3}, "a run with method_epochs 60, not 3; use"),
        ({"nbest": 4, "seed": 2}, "a run with nbest 3, not 4, and seed 1, not 2; use"),
        ({"l2": 0.5}, "a run with l2 0.0, not 0.5; use"),
        ({"frozen": ["f1"]}, "a run with frozen none, not f1; use"),
        ({"bounds": {"f0": (-1, -0.195)}}, "a run with bounds none, not f0=-1.0:-0.195; use"),
        (
            {"start": {"f0": 1.0, "f1": 0.4, "f2": 0.0}},
            "start weight f0 -0.2, not 1.0, and start weight f2 0.3, not 0.0",
        ),
        ({"toy": ToySystem(9, **SPARSE)}, "a run with decoder toy 1 8 30 None, not toy 9 8 30 None"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_another_command_on_the_folder_is_refused_until_it_restarts(options, told, tmp_path: Path) -> None:
    before = loop(tmp_path)
    kept = contents(tmp_path / "tuned")
    with pytest.raises(OptionError, match="or restart or another folder") as refused:
        loop(tmp_path, **options)
    assert told in str(refused.value)
    assert contents(tmp_path / "tuned") == kept
    after = loop(tmp_path, **options, restart=True)
    assert after.resumed_after == 0
    assert after.weights != before.weights


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "tuned").mkdir()
    (tmp_path / "tuned" / "weights.json").write_text("of a model")
    for restart in (False, True):
        with pytest.raises(InputError, match="but no tuning run"):
            loop(tmp_path, restart=restart)
    assert (tmp_path / "tuned" / "weights.json").read_text() == "of a model"


def test_a_file_in_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tuned").write_text("")
    with pytest.raises(InputError, match="is a file; expected a folder"):
        loop(tmp_path)


def test_a_damaged_state_is_an_error(tmp_path: Path) -> None:
    loop(tmp_path)
    state = json.loads((tmp_path / "tuned" / "run.json").read_text())
    assert state["stopped"]
    only = {name: value for name, value in state["records"][0].items() if name != "loss"} | {"last": True}
    never = [{**state, "records": records} for records in ([], [only])]
    wrong = ({}, [], {"format": "tunesmith-tuning", "version": 2}, *never)
    for damage in ("", *map(json.dumps, wrong)):
        (tmp_path / "tuned" / "run.json").write_text(damage)
        with pytest.raises(InputError, match=r"is damaged or of another version|is not the record of a run"):
            loop(tmp_path)


def test_what_a_killed_run_left_half_written_is_removed(tmp_path: Path) -> None:
    loop(tmp_path, iterations=2)
    own = temporary_name(tmp_path / "tuned" / "rounds" / "7.pool")
    left = own.with_name(own.name.replace(f".{os.getpid()}-", ".4194305-"))  # above the number of any process
    left.write_bytes(b"half of it")
    loop(tmp_path, iterations=3)
    assert not left.exists()


def test_a_disk_that_is_full_loses_no_finished_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "whole").mkdir()
    whole = loop(tmp_path / "whole")
    write, commits = Rounds.write, [0]

    def full(rounds: Rounds) -> None:
        commits[0] += 1
        if commits[0] == 3:
            raise InputError("cannot write: No space left on device", path=rounds.folder)
        write(rounds)

    monkeypatch.setattr(Rounds, "write", full)
    with pytest.raises(InputError, match="No space left"):
        loop(tmp_path)
    again = loop(tmp_path)
    assert again.resumed_after == 1
    assert again.weights == whole.weights


def test_a_run_without_a_finished_round_gives_way_to_any_command(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    whole = loop(tmp_path / "whole", seed=2)
    with pytest.raises(KilledError):
        loop(tmp_path, toy=DyingSystem(**SPARSE))
    again = loop(tmp_path, seed=2)
    assert (again.resumed_after, again.weights) == (0, whole.weights)
    assert contents(tmp_path / "tuned") == contents(tmp_path / "whole" / "tuned")


class DyingSystem(ToySystem):
    """A decoder that fails, as a misspelt command does."""

    def nbest(self, size: int) -> Pool:
        raise KilledError


def test_what_is_chosen_may_change_without_decoding(tmp_path: Path) -> None:
    """Rounds and scores are there: another --select only looks at them."""
    by_score = {"method": "pro", "select": "metric"}
    last = loop(tmp_path, method="pro", toy=ToySystem(5, sentences=12), nbest=5)
    toy = ToySystem(5, sentences=12)
    best = loop(tmp_path, toy=toy, nbest=5, **by_score)
    (tmp_path / "other").mkdir()
    other = loop(tmp_path / "other", toy=ToySystem(5, sentences=12), nbest=5, **by_score)
    assert toy.asked == []
    assert (best.score, best.chosen, best.weights) == (max(last.scores), other.chosen, other.weights)
    assert best.chosen != last.chosen
    assert contents(tmp_path / "tuned") == contents(tmp_path / "other" / "tuned")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"tolerance": 10.0}, {"tolerance": 0.0}),
        ({"least_improvement": 10.0}, {"least_improvement": 0.0}),
        ({"patience": 1}, {"patience": None}),
        ({"patience": 1}, {"patience": None, "iterations": 2}),
    ],
    ids=["tolerance", "least improvement", "patience", "as many iterations"],
)
def test_a_run_that_other_rules_ended_goes_on_under_new_ones(before, after, tmp_path: Path) -> None:
    own = {"toy": ToySystem(5, sentences=12), "nbest": 5, "method": "pro"}
    (tmp_path / "whole").mkdir()
    short = loop(tmp_path, **own, **before)
    went_on, whole = loop(tmp_path, **own, **after), loop(tmp_path / "whole", **own, **after)
    assert short.iterations <= whole.iterations
    assert len(short.history) <= len(whole.history)
    assert short.stopped != went_on.stopped == whole.stopped
    assert went_on.weights == whole.weights
    assert contents(tmp_path / "tuned") == contents(tmp_path / "whole" / "tuned")


def test_weights_that_are_gone_are_written_again(tmp_path: Path) -> None:
    first = loop(tmp_path)
    kept = contents(tmp_path / "tuned")
    (tmp_path / "tuned" / "weights.json").unlink()
    assert loop(tmp_path).weights == first.weights
    assert contents(tmp_path / "tuned") == kept


def test_a_run_that_has_ended_needs_its_rounds_no_more(tmp_path: Path) -> None:
    first = loop(tmp_path, iterations=1)
    shutil.rmtree(tmp_path / "tuned" / "rounds")
    again = loop(tmp_path, iterations=1)
    assert (again.weights, again.history) == (first.weights, first.history)
    assert not (tmp_path / "tuned" / "rounds").exists()
    with pytest.raises(InputError, match=r"rounds: no such folder; .*cannot continue: use restart"):
        loop(tmp_path, iterations=4)
    (tmp_path / "tuned" / "weights.json").unlink()
    with pytest.raises(InputError, match=r"1.weights.json: .*cannot continue: use restart"):
        loop(tmp_path, iterations=1)


def test_a_damaged_file_of_a_round_is_told_with_the_way_out(tmp_path: Path) -> None:
    loop(tmp_path, iterations=1)
    (tmp_path / "tuned" / "rounds" / "1.pool").write_bytes(b"damaged")
    with pytest.raises(InputError, match=r"1.pool: .*cannot continue: use restart to start anew"):
        loop(tmp_path, iterations=4)
    assert loop(tmp_path, iterations=4, restart=True).iterations > 1


def interrupted(folder: Path, method="mira", **options) -> Path:
    """Run the first iteration; return the folder of its files."""
    loop(folder, method, iterations=1, **options)
    return folder / "tuned" / "rounds"


@pytest.mark.parametrize(
    ("method", "changed", "by"),
    [
        ("mira", "1.pool", None),
        ("mira", "0.weights.json", "1.weights.json"),
        ("mira", "1.weights.json", "0.weights.json"),
        (ToyForestMert(), "1.forests", None),
    ],
)
def test_a_file_of_a_round_that_was_replaced_is_noticed(method, changed, by, tmp_path: Path) -> None:
    rounds = interrupted(tmp_path, method)
    other = tmp_path / "other"
    other.mkdir()
    toy = ToySystem(**SPARSE | {"seed": 5})
    source = rounds / by if by else interrupted(other, method, toy=toy) / changed
    shutil.copy(source, rounds / changed)
    with pytest.raises(
        InputError, match=f"{re.escape(changed)}: is not the file that this run wrote.*restart"
    ):
        loop(tmp_path, method)
    loop(tmp_path, method, restart=True)


def test_a_run_without_the_digest_of_a_file_is_refused_until_it_restarts(tmp_path: Path) -> None:
    rounds = interrupted(tmp_path)
    path = tmp_path / "tuned" / "run.json"
    state = json.loads(path.read_text())
    assert set(state["digests"]) == {file.name for file in rounds.iterdir()}
    del state["digests"]["1.pool"]
    path.write_text(json.dumps(state))
    with pytest.raises(InputError, match=r"1\.pool: has no digest in run\.json.*: use restart to start anew"):
        loop(tmp_path)
    del state["digests"]
    path.write_text(json.dumps(state))
    with pytest.raises(InputError, match=r"run\.json: (is damaged or of another version|is not the record)"):
        loop(tmp_path)
    assert loop(tmp_path, restart=True).resumed_after == 0


@pytest.mark.parametrize("name", ["rounds", "run.json", "weights.json", "history.jsonl", ".lock"])
def test_links_in_a_folder_of_a_run_lead_to_no_harm(name, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "thesis.txt").write_text("precious")
    interrupted(tmp_path)
    place = tmp_path / "tuned" / name
    if name == "rounds":
        shutil.rmtree(place)
        place.symlink_to(victim)
    else:
        if place.exists():
            shutil.copy(place, victim / name)
            place.unlink()
        place.symlink_to(victim / name)
    before = contents(victim)
    for options in ({}, {"restart": True}):
        try:
            loop(tmp_path, **options)
        except InputError as error:
            assert "is a link" in str(error)
    assert contents(victim) == before
