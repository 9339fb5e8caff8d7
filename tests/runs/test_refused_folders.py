"""A command that refuses a folder leaves it as it was: hidden files of others, and no lock of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run
from tests.runs.trees import contents, put_temporary_files

from tunesmith.errors import InputError
from tunesmith.model.steps import run_steps


@pytest.fixture
def mydata(tmp_path: Path) -> Path:
    folder = tmp_path / "mydata"
    folder.mkdir()
    (folder / "file").write_text("mine")
    put_temporary_files(folder)
    return folder


def test_training_refuses_a_foreign_folder(mydata: Path, tmp_path: Path) -> None:
    before = contents(mydata)
    for side in ("de", "en"):
        (tmp_path / side).write_text("a b c\n" * 3)
    refused = run(
        "train", "--source", "de", "--target", "en", "-o", "mydata", "--tokenize", "none", folder=tmp_path
    )
    assert refused.returncode == 1
    assert "is not empty and not a model" in refused.stderr
    assert contents(mydata) == before


def test_a_folder_that_only_other_programs_have_written_is_not_for_a_model(mydata: Path) -> None:
    (mydata / "file").unlink()
    before = contents(mydata)
    with pytest.raises(InputError, match=r"contains '\.notes\.2023\.tmp'"):
        run_steps(mydata, "phrase", [])
    assert contents(mydata) == before


def test_a_model_is_made_where_a_killed_process_has_left_its_first_file(mydata: Path) -> None:
    for name in ("file", ".notes.2023.tmp", ".x.99999998.tmp"):
        (mydata / name).unlink()
    assert contents(mydata)
    run_steps(mydata, "phrase", [])
    assert contents(mydata).keys() == {".lock", "manifest.json"}
