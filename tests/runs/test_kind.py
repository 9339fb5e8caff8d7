"""A folder belongs to a run if its record says so; only what a run writes is removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.runs.trees import contents, put_temporary_files

from tunesmith.errors import InputError
from tunesmith.locks import locked_folder
from tunesmith.reestimate.store import KIND as DERIVATIONS
from tunesmith.reestimate.store import DerivationFolder, remove_derivations
from tunesmith.runs.kind import RunKind
from tunesmith.tuning.loop.rounds import KIND as LOOP
from tunesmith.tuning.loop.rounds import Rounds
from tunesmith.tuning.online.folder import KIND as ONLINE
from tunesmith.tuning.online.folder import OnlineFolder
from tunesmith.tuning.trial_record import KIND as TRIES
from tunesmith.xbleu.forest_store import FORESTS
from tunesmith.xbleu.list_folder import ListFolder
from tunesmith.xbleu.store import LISTS
from tunesmith.xbleu.training_folder import KIND as TRAINING
from tunesmith.xbleu.training_folder import TrainingFolder

KINDS = (LOOP, ONLINE, TRIES, LISTS.folder, FORESTS.folder, DERIVATIONS, TRAINING)
OPENED = {
    LOOP.format: lambda folder: Rounds(folder, {}, restart=True),
    ONLINE.format: lambda folder: OnlineFolder(folder, {}, restart=True),
    LISTS.format: lambda folder: ListFolder(folder, {"model": "m"}, restart=True),
    FORESTS.format: lambda folder: ListFolder(folder, {"model": "m"}, restart=True, kind=FORESTS),
    DERIVATIONS.format: lambda folder: DerivationFolder(folder, {"made_by": {}}, restart=True),
    TRAINING.format: lambda folder: TrainingFolder(folder, {}, restart=True),
}


def filled(folder: Path, kind: RunKind, record: str) -> dict[str, bytes]:
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
@pytest.mark.parametrize("name", OPENED)
def test_a_restart_removes_nothing_of_a_folder_whose_record_is_not_ours(
    name: str, record: str, tmp_path: Path
) -> None:
    (kind,) = (kind for kind in KINDS if kind.format == name)
    before = filled(tmp_path, kind, record)
    with pytest.raises(InputError, match=r"is not the record of .*; name a new or an empty folder"):
        OPENED[name](tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", OPENED)
def test_a_restart_removes_nothing_of_another_kind_of_run(name: str, tmp_path: Path) -> None:
    (kind,) = (kind for kind in KINDS if kind.format == name)
    for other in KINDS:
        if other.format == name:
            continue
        folder = tmp_path / other.format
        before = filled(folder, kind, json.dumps({"format": other.format, "version": 1}))
        with pytest.raises(
            InputError, match=r"contains .* of `tunesmith .*`, not .*; name a new or an empty"
        ):
            OPENED[name](folder)
        assert contents(folder) == before


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        (LOOP.format, {"weights", "weights.json", "history.jsonl", "rounds/1.pool"}),
        (ONLINE.format, {"weights", "history.jsonl", "iterations/0.weights"}),
        (LISTS.format, {"lists.00000"}),
        (FORESTS.format, set()),
        (DERIVATIONS.format, {"derivations.00000", ".tables/whole.0.bin"}),
        (TRAINING.format, {"weights", "reordering.json", "words.source.txt", ".shards/lists.0"}),
    ],
)
def test_a_restart_removes_what_its_kind_writes_and_nothing_else(
    name: str, gone: set[str], tmp_path: Path
) -> None:
    (kind,) = (kind for kind in KINDS if kind.format == name)
    before = filled(tmp_path, kind, json.dumps({"format": kind.format, "version": 1}))
    OPENED[name](tmp_path)
    after = contents(tmp_path)
    after.pop(kind.record)
    before.pop(kind.record)
    assert after == {path: content for path, content in before.items() if path not in gone}


@pytest.mark.parametrize(
    ("name", "inner"),
    [
        (LOOP.format, "rounds"),
        (ONLINE.format, "iterations"),
        (DERIVATIONS.format, ".tables"),
        (TRAINING.format, ".shards"),
    ],
)
def test_a_link_in_the_place_of_a_folder_of_a_run_is_refused(name: str, inner: str, tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "1.pool").touch()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / inner).symlink_to(tmp_path / "theirs")
    (kind,) = (kind for kind in KINDS if kind.format == name)
    (tmp_path / "run" / kind.record).write_text(json.dumps({"format": kind.format}))
    with pytest.raises(InputError, match="is a link; expected a folder: remove the link"):
        OPENED[name](tmp_path / "run")
    assert contents(tmp_path / "theirs") == {"1.pool": b""}


@pytest.mark.parametrize("name", OPENED)
def test_a_record_is_not_written_through_a_link(name: str, tmp_path: Path) -> None:
    (kind,) = (kind for kind in KINDS if kind.format == name)
    theirs = tmp_path / "theirs"
    theirs.write_text(json.dumps({"format": kind.format, "version": 1}))
    before = theirs.read_bytes()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / kind.record).symlink_to(theirs)
    OPENED[name](tmp_path / "run")
    assert theirs.read_bytes() == before
    assert not (tmp_path / "run" / kind.record).is_symlink()


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


@pytest.mark.parametrize("name", [kind.format for kind in KINDS])
def test_a_foreign_folder_is_refused_as_it_was(name: str, tmp_path: Path) -> None:
    (kind,) = (kind for kind in KINDS if kind.format == name)
    (tmp_path / "file").write_text("mine")
    put_temporary_files(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(InputError, match="contains 'file' but no"), locked_folder(tmp_path, "", kind.is_in):
        pass
    assert contents(tmp_path) == before


def test_a_folder_of_hidden_files_keeps_those_of_other_programs(tmp_path: Path) -> None:
    put_temporary_files(tmp_path)
    with locked_folder(tmp_path, "busy", LOOP.is_in):
        pass
    assert contents(tmp_path).keys() == {".lock", ".notes.2023.tmp", ".x.99999998.tmp"}
