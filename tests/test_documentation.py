"""Every command and every snippet of README, CONTRIBUTING and docs is run."""

from __future__ import annotations

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.commands import run, run_process
from tests.documents import PAGES, ROOT, blocks, commands
from tests.forest.toy_graphs import write_graphs
from tests.lm.backoff_models import SMALL
from tests.tables.toy_tables import write_model

SET_UP = re.compile(r"^(make|pip|pre-commit|cd|python -m benchmarks)\b")
"""Commands that set a machine up or measure it; they are checked to exist, not run here."""


@pytest.fixture(scope="module", autouse=True)
def _program_on_the_path(tmp_path_factory) -> Iterator[None]:
    """A `tunesmith` for commands that the shell runs, where the package may not be installed."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "tunesmith"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tunesmith "$@"\n')
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> Path:
    """The files that the documents speak of, made by the command they name."""
    folder = tmp_path_factory.mktemp("samples")
    done = run("demo", "--write", ".", folder=folder)
    assert done.returncode == 0, done.stderr
    for number in (1, 2, 3):
        shutil.copy(folder / "baseline.out", folder / f"base.{number}")
        shutil.copy(folder / "system.out", folder / f"new.{number}")
    (folder / "lm.arpa.gz").write_bytes(gzip.compress(SMALL.arpa().encode()))
    write_model(folder)
    write_graphs(folder)
    return folder


def redirections(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Take `< file` and `> file` out of a command."""
    arguments, files = [], {}
    rest = iter(words)
    for word in rest:
        if word in ("<", ">"):
            files[word] = next(rest)
        else:
            arguments.append(word)
    return arguments, files


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_runs(page: Path, samples: Path, tmp_path: Path) -> None:
    run_command = (
        run_process if page.name == "README.md" else run
    )  # what a user tries first runs as it does there
    for file in samples.iterdir():
        shutil.copy(file, tmp_path)
    for block in blocks(page):
        if block.file:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    for command in commands(page):
        if SET_UP.match(command):
            continue
        words = shlex.split(command)
        assert words[0] == "tunesmith", f"{page.name}: no test knows how to run {command!r}"
        arguments, files = redirections(words[1:])
        given = (tmp_path / files["<"]).read_bytes() if "<" in files else b""
        done = run_command(*arguments, folder=tmp_path, stdin=given)
        assert done.returncode == 0, f"{page.name}: {command}\n{done.stderr}"
        if ">" in files:
            (tmp_path / files[">"]).write_text(done.stdout, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_python_snippet_of_a_page_runs(page: Path, samples: Path, tmp_path: Path) -> None:
    for file in samples.iterdir():
        shutil.copy(file, tmp_path)
    snippets = [block for block in blocks(page) if block.language == "python"]
    if not snippets:
        pytest.skip("no snippets on this page")
    script = tmp_path / "page.py"
    script.write_text("\n\n".join(block.text for block in snippets), encoding="utf-8")
    environment = os.environ | {"PYTHONWARNINGS": "error"}
    subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, check=True, capture_output=True, env=environment
    )


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in PAGES:
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name} names make {target}"


def test_relative_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md"]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
