"""A folder belongs to a run if its record says so; only what a run writes is removed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.runs.kinds import EACH, KINDS, OpenedKind
from tests.runs.trees import contents, put_temporary_files

from tunesmith.errors import InputError
from tunesmith.reestimate.store import KIND as DERIVATIONS
from tunesmith.reestimate.store import remove_derivations
from tunesmith.runs.kind import RunKind
from tunesmith.tuning.loop.rounds import KIND as LOOP
from tunesmith.tuning.trial_record import KIND as TRIES
from tunesmith.xbleu.training_folder import KIND as TRAINING


def filled(folder: Path, kind: RunKind[Any], record: str) -> dict[str, bytes]:
    """Put a record and files into a folder whose names a run has, or nearly; return all files."""
    folder.mkdir(exist_ok=True)
    for name in (
        *("weights", "weights.json", "history.jsonl", "lists.00000", "lists.txt", "forests.2024-05"),
        *("derivations.00000", "reordering.json", "notes", "words.source.txt"),
        *("iterations/0.weights", "iterations/photo.jpg", "rounds/1.pool", "rounds/2.notes"),
        *(".shards/lists.0", ".shards/mine", ".tables/whole.0.bin", ".tables/mine"),
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name)
    (folder / kind.record).write_text(record)
    put_temporary_files(folder)
    return contents(folder)


@pytest.mark.parametrize("record", ["{}", "my notes", '{"format": "theirs"}', "[]", '{"settings": {}}'])
@EACH
def test_a_restart_removes_nothing_of_a_folder_whose_record_is_not_ours(
    each: OpenedKind, record: str, tmp_path: Path
) -> None:
    before = filled(tmp_path, each.kind, record)
    with pytest.raises(InputError, match=r"is not the record of .*; name a new or an empty folder"):
        each.open(tmp_path, {}, restart=True)
    assert contents(tmp_path) == before


@EACH
def test_a_restart_removes_nothing_of_another_kind_of_run(each: OpenedKind, tmp_path: Path) -> None:
    for other in KINDS:
        if other is each.kind:
            continue
        folder = tmp_path / other.format
        before = filled(folder, each.kind, json.dumps({"format": other.format, "version": 1}))
        with pytest.raises(
            InputError, match=r"contains .* of `tunesmith .*`, not .*; name a new or an empty"
        ):
            each.open(folder, {}, restart=True)
        assert contents(folder) == before


@EACH
def test_a_restart_removes_what_its_kind_writes_and_nothing_else(each: OpenedKind, tmp_path: Path) -> None:
    before = filled(tmp_path, each.kind, json.dumps({"format": each.kind.format, "version": 1}))
    each.open(tmp_path, {}, restart=True)
    after = contents(tmp_path)
    after.pop(each.kind.record)
    before.pop(each.kind.record)
    assert after == {path: content for path, content in before.items() if path not in each.removed}


@EACH
def test_a_link_in_the_place_of_a_folder_of_a_run_is_refused(each: OpenedKind, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "1.pool").touch()
    for inner in each.kind.folders:
        run = tmp_path / inner.strip(".")
        run.mkdir()
        (run / inner).symlink_to(tmp_path / "theirs")
        (run / each.kind.record).write_text(json.dumps({"format": each.kind.format}))
        with pytest.raises(InputError, match="is a link; expected a folder: remove the link"):
            each.open(run, {}, restart=True)
    assert contents(tmp_path / "theirs") == {"1.pool": b""}


@EACH
def test_a_record_is_not_written_through_a_link(each: OpenedKind, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_text(json.dumps({"format": each.kind.format, "version": 1}))
    before = theirs.read_bytes()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / each.kind.record).symlink_to(theirs)
    each.open(tmp_path / "run", {}, restart=True)
    assert theirs.read_bytes() == before
    assert not (tmp_path / "run" / each.kind.record).is_symlink()


def test_derivations_are_removed_without_the_files_of_a_user(tmp_path: Path) -> None:
    filled(tmp_path, DERIVATIONS, json.dumps({"format": DERIVATIONS.format, "version": 1}))
    remove_derivations(tmp_path)
    after = contents(tmp_path)
    assert "notes" in after and ".tables/mine" in after
    assert not {"derivations.json", "derivations.00000", ".tables/whole.0.bin"} & after.keys()


def test_records_without_a_format_that_earlier_versions_wrote_are_known(tmp_path: Path) -> None:
    (tmp_path / "training.json").write_text('{"features": "local", "objective": "xbleu", "store": "0"}')
    assert TRAINING.is_in(tmp_path)
    (tmp_path / "tries.json").write_text('{"trials": [], "best": 0}')
    assert TRIES.is_in(tmp_path)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.format)
def test_a_foreign_folder_is_refused_as_it_was(kind: RunKind[Any], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    put_temporary_files(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(InputError, match="contains 'file' but no"), kind.locked(tmp_path):
        pass
    assert contents(tmp_path) == before


def test_a_folder_of_hidden_files_keeps_those_of_other_programs(tmp_path: Path) -> None:
    put_temporary_files(tmp_path)
    with LOOP.locked(tmp_path):
        pass
    assert contents(tmp_path).keys() == {".lock", ".notes.2023.tmp", ".x.99999998.tmp"}
