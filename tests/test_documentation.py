"""Every command and every snippet of README, CONTRIBUTING and docs is run, page by page, from nothing."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.documents import PAGES, ROOT, commands
from tests.once import made_once


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """A process that runs pages. It finds `tunesmith`, for commands that the shell runs, wherever that is."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "tunesmith"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tunesmith "$@"\n')
    program.chmod(0o755)
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {
        "PATH": os.pathsep.join([str(folder), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONWARNINGS": "error",
    }
    memory = made_once(tmp_path_factory, "memory", lambda folder: None)
    program_of_pages = [sys.executable, "-m", "tests.run_page", str(memory)]
    with subprocess.Popen(
        program_of_pages, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield process


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_runs_in_order_in_an_empty_folder(
    page: Path, runner: subprocess.Popen[str], tmp_path: Path
) -> None:
    folder, log = tmp_path / "empty", tmp_path / "log"
    folder.mkdir()
    assert runner.stdin is not None
    assert runner.stdout is not None
    runner.stdin.write(f"{page}\t{folder}\t{log}\n")
    runner.stdin.flush()
    assert runner.stdout.readline() == "0\n", f"{page.name}: {log.read_text() if log.exists() else 'no log'}"


def test_no_command_of_the_readme_overwrites_what_another_wrote() -> None:
    words = [shlex.split(command) for command in commands(ROOT / "README.md")]
    outputs = [each[each.index(flag) + 1] for each in words for flag in ("-o", "--output") if flag in each]
    assert len(set(outputs)) == len(outputs)
    assert not {"dev", "test"} & set(outputs)  # prefixes of the files that `demo --write` makes


def test_every_make_target_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in PAGES:
        for target in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page.name} names make {target}"


def test_relative_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md"]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
