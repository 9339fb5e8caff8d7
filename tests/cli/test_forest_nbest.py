"""N-best lists out of forests."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.test_forest_commands import forest
from tests.commands import run

from tunesmith.candidates import Pool
from tunesmith.forest import build_forest
from tunesmith.forest.writers import write_forests


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_forests("f.bin", [("0", forest("x")), ("1", forest("b"))])
    (tmp_path / "weights").write_text("lm 1\ntm 2\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet", "out.moses.gz", "out.cdec"])
def test_lists_are_written_in_every_format_of_candidates(name: str, folder: Path) -> None:
    arguments = ["--to", Path(name.removesuffix(".gz")).suffix[1:]]
    done = run("forest", "nbest", "f.bin", "--weights", "weights", "--nbest", "5", "-o", name, *arguments)
    assert done.stderr == f"{name}: 2 lists, 4 candidates\n"
    pool = Pool.read(name)
    assert pool.ids == ("0", "1")
    assert pool.texts is not None and list(pool.texts) == ["b c", "x c", "b c", "b c"]
    assert pool.totals is not None and pool.totals.tolist() == pytest.approx([1.0, 0.0, 1.0, 0.0])


def test_unique_lists_have_each_text_once_and_k_cuts_them(folder: Path) -> None:
    run("forest", "nbest", "f.bin", "--weights", "weights", "--unique", "-o", "u.jsonl", "-q")
    assert list(Pool.read("u.jsonl").texts or ()) == ["b c", "x c", "b c"]
    run("forest", "nbest", "f.bin", "--weights", "weights", "--nbest", "1", "-o", "one.jsonl", "-q")
    assert list(Pool.read("one.jsonl").texts or ()) == ["b c", "b c"]


def test_lists_go_to_standard_output_as_moses_has_them(folder: Path) -> None:
    done = run("forest", "nbest", "f.bin", "--weights", "weights", "--nbest", "1", "-o", "-", "-q")
    assert done.stdout == "0 ||| b c ||| lm= -2 tm= 1.5 ||| 1\n1 ||| b c ||| lm= -2 tm= 1.5 ||| 1\n"


def test_a_forest_without_derivations_is_an_error_unless_it_may_be_missing(folder: Path) -> None:
    write_forests("g.bin", [("0", forest("x")), ("1", build_forest([]))])
    arguments = ["forest", "nbest", "g.bin", "--weights", "weights", "-o", "g.jsonl"]
    assert run(*arguments).returncode == 1
    assert not (folder / "g.jsonl").exists()
    assert run(*arguments, "--allow-missing").stderr == "g.jsonl: 1 list, 2 candidates\n"


def test_a_feature_without_a_weight_is_named(folder: Path) -> None:
    (folder / "weights").write_text("lm 1\n", encoding="utf-8")
    done = run("forest", "nbest", "f.bin", "--weights", "weights", "-o", "u.jsonl")
    assert (done.returncode, "'tm'" in done.stderr) == (1, True)
    assert "give --missing-weight" in done.stderr


def test_features_without_a_weight_count_as_missing_says_in_all_commands(folder: Path) -> None:
    (folder / "half").write_text("lm 1\n", encoding="utf-8")
    (folder / "full").write_text("lm 1\ntm 0\n", encoding="utf-8")
    for command in (
        ["nbest", "f.bin", "--nbest", "5"],
        ["convert", "f.bin", "--to", "moses-graph"],
        ["draw", "f.bin", "--sentence", "1"],
    ):
        refused = run("forest", *command, "--weights", "half", "-o", "-")
        assert refused.returncode == 1 and "the feature 'tm' has no weight" in refused.stderr
        found = run("forest", *command, "--weights", "half", "--missing-weight", "0", "-o", "-")
        expected = run("forest", *command, "--weights", "full", "-o", "-")
        assert found.returncode == 0, found.stderr
        assert found.stdout == expected.stdout != ""
    for command in (["convert", "f.bin", "--to", "moses-graph"], ["draw", "f.bin", "--sentence", "1"]):
        refused = run("forest", *command, "--missing-weight", "0", "-o", "-")
        assert (refused.returncode, "--missing-weight needs --weights" in refused.stderr) == (2, True)
