"""Python examples of documents pass the linter and the type checker, one process each for all pages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.documents import PAGES, ROOT, blocks

EXCERPTS = ",".join(f"page_*.py:{code}" for code in ("D100", "E402", "I001", "B905"))
"""What blocks of a page may do, and files may not: they have no docstring of a module, import what they need
wherever they stand, and call `zip` as one does at a prompt."""

OPTIONAL = "# mypy: no-strict-optional"
"""Examples know that a forest was asked for, and do not look whether there is one."""


def write_examples(folder: Path) -> list[Path]:
    """Write the blocks of each page as one module, at their lines; those that show a file, as that file."""
    written = []
    for page in PAGES:
        lines = [OPTIONAL]
        for block in blocks(page):
            if block.language != "python":
                continue
            if block.file:
                written.append(folder / Path(block.file).name)
                written[-1].write_text(block.text, encoding="utf-8")
            else:
                lines += [""] * (block.line - len(lines)) + block.text.splitlines()
        if len(lines) > 1:
            written.append(folder / f"page_{page.stem.lower().replace('-', '_')}.py")
            written[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    return written


def checked(folder: Path, *command: str) -> str:
    """Run a tool of this Python in the root of the repository, and return its complaints."""
    done = subprocess.run(
        [sys.executable, "-m", *command, *map(str, write_examples(folder))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.process
def test_examples_have_nothing_that_the_linter_finds(tmp_path: Path) -> None:
    options = ("--no-cache", "--config", "pyproject.toml", "--per-file-ignores", EXCERPTS)
    assert checked(tmp_path, "ruff", "check", *options) == ""


@pytest.mark.slow
@pytest.mark.process
def test_examples_are_typed(tmp_path: Path) -> None:
    assert checked(tmp_path, "mypy", "--config-file", "pyproject.toml") == ""
