"""Folders of outputs and of temporary files that cannot be made: errors that say which, and what to do."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from tests.commands import run, run_process

from tunesmith import Decoding, decode_file
from tunesmith.decode import DecodeOutputs
from tunesmith.distribute import LocalExecutor
from tunesmith.errors import InputError
from tunesmith.folders import make_folder, temporary_file, temporary_folder, temporary_place

ARPA = "\\data\\\nngram 1=3\n\n\\1-grams:\n-1 <unk>\n-1 <s>\n-1 </s>\n\n\\end\\\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("")
    return tmp_path / "file"


def test_a_folder_is_made_with_those_around_it(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "a" / "b") == make_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    with temporary_folder(parent=tmp_path) as name:
        assert Path(name).parent == tmp_path
    assert not Path(name).exists()
    with temporary_file() as stream:
        stream.write(b"x")


def test_a_file_in_the_place_of_a_folder_is_named(file: Path) -> None:
    with pytest.raises(InputError, match=f"^{file}: is a file; expected a folder$"):
        make_folder(file)
    with pytest.raises(InputError, match="cannot make the folder: Not a directory"):
        make_folder(file / "inner")
    with pytest.raises(InputError, match=f"^{file}: cannot write temporary files here: Not a directory$"):
        temporary_folder(parent=file)


@pytest.mark.parametrize("make", [temporary_folder, temporary_file])
def test_a_place_for_temporary_files_that_is_gone_is_named_with_the_variable_to_set(
    make: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(
        InputError, match=r"gone: cannot write temporary files here: No such file .* set TMPDIR"
    ):
        make()  # type: ignore[operator]


def test_if_no_place_can_be_written_to_the_error_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/proc/none"])
    with pytest.raises(InputError, match="no folder for temporary files can be written to; set TMPDIR"):
        temporary_place()


@pytest.mark.parametrize("name", ["none", "file"])
def test_decoding_by_workers_names_the_place_that_it_cannot_write_to(
    name: str, file: Path, small_model: Path, small_corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tunesmith.passes.translations._place", lambda outputs: file.with_name(name))
    with (
        LocalExecutor(1) as executor,
        pytest.raises(InputError, match=f"{name}: cannot write temporary files"),
    ):
        decode_file(small_model, small_corpus / "de", DecodeOutputs(None), Decoding(executor=executor))


@pytest.mark.parametrize(
    "command", ["lm score lm.arpa de", "demo --only model", "stream reduce --weights w.json -o out"]
)
def test_commands_that_need_temporary_files_say_that_there_is_no_place_for_them(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lm.arpa").write_text(ARPA)
    (tmp_path / "de").write_text("das haus\n")
    (tmp_path / "w.json").write_text('{"LM0": 1.0}\n')
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    done = run(*command.split(), folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "gone: cannot write temporary files here: No such file or directory; set TMPDIR" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_a_variable_that_names_no_folder_falls_back_to_the_place_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "lm.arpa").write_text(ARPA)
    (tmp_path / "de").write_text("das haus\n")
    set_to_none = os.environ | {"TMPDIR": str(tmp_path / "gone")}
    done = run_process("lm", "score", "lm.arpa", "de", folder=tmp_path, env=set_to_none)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "stream lines --source de --references de --per-shard -o file",
        "export model -o file",
        "xbleu lists model -o file --no-jackknife",
        "reestimate model --method forced -o new --derivations file --tune-source de --tune-references de",
        "forest convert forests.bin -o file/",
        "tune model model --source de --references de -o file",
        "tune online model --source de --references de -o file",
    ],
)
def test_a_file_in_the_place_of_an_output_folder_is_named(
    command: str, file: Path, small_model: Path, tmp_path: Path
) -> None:
    (tmp_path / "model").symlink_to(small_model)
    (tmp_path / "de").write_text("das haus\n")
    forests = ("decode", "model", "-i", "de", "-q", "--forest-output", "forests.bin")
    assert run(*forests, folder=tmp_path).returncode == 0
    done = run(*command.split(), folder=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "file: is a file; expected a folder\n" in done.stderr
    assert "Traceback" not in done.stderr
