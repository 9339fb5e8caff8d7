"""Binary files of other programs are named for what they are by every command that could read their text."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run

KENLM = b"mmap lm http://kheafield.com/code format version 5\n\0" + bytes(200)


@pytest.mark.parametrize(
    "command",
    [
        ("lm", "score", "lm.bin"),
        ("lm", "compile", "lm.bin", "-o", "out.bin"),
        ("lm", "interpolate", "lm.bin", "lm.bin", "--mixture-weights", "0.5,0.5", "-o", "out.bin"),
    ],
)
def test_binary_language_models_are_named_with_their_text(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "lm.bin").write_bytes(KENLM)
    (tmp_path / "lm.arpa.gz").write_bytes(b"")
    done = run(*command, folder=tmp_path, stdin="a b\n")
    assert done.returncode == 1
    assert "lm.bin: is a binary file of KenLM, made by `build_binary lm.arpa lm.binary`" in done.stderr
    assert "(perhaps lm.arpa.gz, which is in the same folder)" in done.stderr
    assert not (tmp_path / "out.bin").exists()


@pytest.mark.parametrize(
    ("name", "inside", "said"),
    [
        ("phrase-table.minphr", "", "is a compact phrase table (.minphr), made by `processPhraseTableMin"),
        ("phrase-table.binphr.idx", "", "is a binary phrase table (.binphr), made by `processPhraseTable"),
        ("table", "Misc.dat", "is an on-disk phrase table, made by `CreateOnDiskPt"),
        ("table", "TargetColl.dat", "is a probing table, made by `CreateProbingPT2"),
    ],
)
def test_binary_phrase_tables_are_named_with_what_made_them(
    name: str, inside: str, said: str, tmp_path: Path
) -> None:
    if inside:
        (tmp_path / name).mkdir()
    (tmp_path / name / inside if inside else tmp_path / name).write_bytes(bytes(100))
    done = run("table", "convert", name, "-o", "out.bin", folder=tmp_path)
    assert done.returncode == 1
    assert f"{name}: {said}" in done.stderr
    assert "only its text can be read" in done.stderr
    assert not (tmp_path / "out.bin").exists()


def test_binary_reordering_tables_are_named(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a ||| b ||| 0.5 0.5 0.5 0.5\n")
    (tmp_path / "reordering.minlexr").write_bytes(bytes(100))
    given = ("table", "convert", "table", "--reordering-table", "reordering.minlexr", "-o", "out.bin")
    done = run(*given, folder=tmp_path)
    assert done.returncode == 1
    assert "reordering.minlexr: is a binary reordering table, made by `processLexicalTableMin" in done.stderr
