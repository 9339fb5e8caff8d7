"""No output replaces a grammar that a line of the input names."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run


@pytest.mark.parametrize("mapped", [False, True])
def test_grammars_that_the_input_names_are_kept(mapped: bool, small_hiero: Path, tmp_path: Path) -> None:
    grammar = tmp_path / "grammar"
    grammar.write_text("[X] ||| a ||| b ||| f=1\n")
    (tmp_path / "input").write_text(
        f'<seg id="0">a</seg>\n<seg id="1" grammar="{grammar}{"#0" if mapped else ""}">a</seg>\n'
    )
    done = run("decode", small_hiero, "-i", "input", "-o", "grammar", folder=tmp_path)
    assert (done.returncode, "is an output too" in done.stderr, "input:2" in done.stderr) == (1, True, True)
    (tmp_path / "references").write_text("b\nb\n")
    words = ("--source", "input", "--references", "references", "--shards", 1, "-o", "grammar")
    done = run("stream", "lines", *words, folder=tmp_path)
    assert (done.returncode, "is an output too" in done.stderr) == (1, True), done.stderr
    assert grammar.read_text() == "[X] ||| a ||| b ||| f=1\n"
