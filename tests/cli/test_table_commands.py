"""The commands of phrase tables: what they print and how they end."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run
from tests.tables.toy_tables import INI, build, random_rows, write_model

from tunesmith.model.model import Model
from tunesmith.tables import PhraseTable


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    build(tmp_path, random_rows(1, sources=100), "a")
    build(tmp_path, random_rows(2, sources=100), "b")
    return tmp_path


def test_a_table_is_filtered_to_standard_input_and_printed(folder: Path) -> None:
    done = run("table", "filter", "a.bin", "--text", "-", "-o", "small.bin", stdin="ein mann a\n")
    small = PhraseTable.open(folder / "small.bin")
    assert f"kept {len(small)} of " in done.stderr
    printed = run("table", "convert", "small.bin", "-o", "-", "--quiet")
    assert printed.stderr == ""
    assert len(printed.stdout.splitlines()) == len(small) > 0


def test_filtering_to_another_language_warns(folder: Path) -> None:
    done = run("table", "filter", "a.bin", "--text", "-", "-o", "small.bin", "-q", stdin="nothing\n")
    assert done.returncode == 0
    assert "no source phrase of the table occurs" in done.stderr


def test_pruning_all_away_warns(folder: Path) -> None:
    done = run("table", "prune", "a.bin", "--min-count", "100000", "-o", "none.bin")
    assert done.returncode == 0
    assert "the table is empty" in done.stderr


def test_tables_are_merged_and_pruned(folder: Path) -> None:
    assert run("table", "merge", "a.bin", "b.bin", "-o", "m.bin").returncode == 0
    assert (
        run("table", "merge", "a.bin", "b.bin", "--mixture-weights", "0.5,0.5", "-o", "i.bin").returncode == 0
    )
    assert len(PhraseTable.open(folder / "m.bin")) == len(PhraseTable.open(folder / "i.bin"))
    weights = ";".join(["0.5,0.5"] * 4)
    assert (
        run("table", "merge", "a.bin", "b.bin", "--mixture-weights", weights, "-o", "j.bin").returncode == 0
    )
    assert (folder / "j.bin").read_bytes() == (folder / "i.bin").read_bytes()
    assert run("table", "prune", "m.bin", "--top", "1", "-o", "p.bin").returncode == 0
    pruned = PhraseTable.open(folder / "p.bin")
    assert len(pruned) == len(list(pruned.source_phrases()))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["merge", "a.bin", "-o", "x"], 2, "two or more tables"),
        (
            ["merge", "a.bin", "b.bin", "--mixture-weights", "a,b", "-o", "x"],
            2,
            "numbers separated by commas",
        ),
        (
            ["merge", "a.bin", "b.bin", "--mixture-weights", "1,0;1,0", "-o", "x"],
            2,
            "--mixture-weights has 2 vectors for 4",
        ),
        (
            ["merge", "a.bin", "b.bin", "--mixture-weights", "1,0", "--indicators", "-o", "x"],
            2,
            "--indicators",
        ),
        (["merge", "a.bin", "a.txt", "-o", "x"], 1, "not a Tunesmith binary file"),
        (["prune", "a.bin", "-o", "x"], 2, "at least one of"),
        (["prune", "a.bin", "--total", "5", "-o", "x"], 2, "need --significance"),
        (["prune", "a.bin", "--significance", "alpha", "-o", "x"], 2, "alpha-epsilon"),
        (["prune", "a.bin", "--significance", "1", "--top", "2", "-o", "x"], 2, "excludes other limits"),
        (["prune", "a.bin", "--significance", "1", "--source", "a.txt", "-o", "x"], 2, "need each other"),
        (["filter", "a.bin", "--text", "none", "-o", "x"], 1, "none: no such file"),
        (["convert", "none", "-o", "x"], 1, "none: no such file"),
        (["convert", "a.bin", "--reordering-table", "r", "-o", "x"], 1, "0 reordering models; 1 files"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], code: int, message: str, folder: Path) -> None:
    done = run("table", *arguments)
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert not (folder / "x").exists()


def test_a_model_is_imported_and_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_model(tmp_path)
    done = run("import", "moses.ini", "-o", "model")
    assert done.returncode == 0, done.stderr
    weights = dict(Model.read(tmp_path / "model").weights) | {"LM0": 0.75}
    (tmp_path / "tuned").write_text("".join(f"{name} {value}\n" for name, value in weights.items()))
    done = run("export", "model", "-o", "moses", "--weights", "tuned", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert "LM0= 0.75" in (tmp_path / "moses" / "moses.ini").read_text()
    assert run("export", "moses", "-o", "again").returncode == 1


def test_what_an_import_would_lose_is_named_and_ignored_on_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_model(tmp_path)
    text = INI.replace("Distortion\n", "Distortion\nSyntaxConstraintFeature name=PL\n")
    (tmp_path / "moses.ini").write_text(text + "[monotone-at-punctuation]\n1\n[threads]\n2\n")
    done = run("import", "moses.ini", "-o", "model")
    assert done.returncode == 1
    assert "name each in --ignore: monotone-at-punctuation PL" in done.stderr
    assert not (tmp_path / "model").exists()
    done = run(
        "import", "moses.ini", "-o", "model", "--ignore", "PL", "--ignore", "[monotone-at-punctuation]"
    )
    assert done.returncode == 0, done.stderr
    assert "translates differently: monotone-at-punctuation, PL" in done.stderr
    assert "without effect on translations: [threads]" in done.stderr
    done = run("import", "moses.ini", "-o", "model", "--ignore", "PX")
    assert (done.returncode, "--ignore names 'PX'" in done.stderr) == (2, True)
