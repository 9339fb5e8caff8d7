"""Grammars that lines of input name: where they may be, and what errors say of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.commands import run

RULES = "[X] ||| wxyz ||| this\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "root" / "sub").mkdir(parents=True)
    (tmp_path / "root" / "a.grammar").write_text(RULES)
    (tmp_path / "root" / "sub" / "b.grammar").write_text(RULES)
    (tmp_path / "c.grammar").write_text(RULES)
    (tmp_path / "root" / "link.grammar").symlink_to(tmp_path / "c.grammar")
    return tmp_path


def decode(folder: Path, model: Path, grammar: object, *options: str):
    line = f'<seg grammar="{grammar}">wxyz</seg>\n'
    return run("decode", model, *options, "--quiet", folder=folder, stdin=line)


@pytest.mark.parametrize("name", ["a.grammar", "sub/b.grammar", "sub/../a.grammar", "{root}/a.grammar"])
def test_a_grammar_in_the_root_is_read(folder, small_hiero, name):
    done = decode(folder, small_hiero, name.format(root=folder / "root"), "--grammar-root", "root")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "this\n"


@pytest.mark.parametrize(
    "name", ["../c.grammar", "{here}/c.grammar", "link.grammar", "../missing", "/etc/passwd"]
)
def test_a_grammar_outside_the_root_is_refused(folder, small_hiero, name):
    done = decode(folder, small_hiero, name.format(here=folder), "--grammar-root", "root")
    assert done.returncode == 1
    assert "is outside of --grammar-root" in done.stderr


def test_a_grammar_that_is_missing_in_the_root_is_not_searched_elsewhere(folder, small_hiero):
    done = decode(folder, small_hiero, "c.grammar", "--grammar-root", "root")
    assert "there is no grammar 'c.grammar' in" in done.stderr
    done = decode(folder, small_hiero, "c.grammar", "--grammar-root", "nowhere")
    assert (done.returncode, "--grammar-root: nowhere is not a folder" in done.stderr) == (2, True)


def test_pipes_and_devices_are_no_grammars(folder, small_hiero):
    os.mkfifo(folder / "pipe")
    for name in ("pipe", os.devnull):
        done = decode(folder, small_hiero, name)
        assert done.returncode == 1
        assert f"{name}: is not a regular file" in done.stderr


def test_the_text_of_a_grammar_that_the_input_names_is_not_printed(folder, small_hiero):
    (folder / "secret").write_text("password: xyzzy ||| a ||| b\n")
    done = decode(folder, small_hiero, "secret")
    assert done.returncode == 1
    assert "secret:1: " in done.stderr
    assert "xyzzy" not in done.stderr
