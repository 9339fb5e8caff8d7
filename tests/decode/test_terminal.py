"""`tunesmith decode` on a terminal: what is typed there is not written over."""

from __future__ import annotations

import os
import subprocess

import pytest
from tests.decode.commands import PROGRAM

HIDE_CURSOR = b"\x1b[?25l"
"""What a live line begins with."""
END = b"\x04"
HINT = b"reading standard input, one sentence per line; end with Ctrl-D"


def on_terminal(folder, *arguments: str, typed: bytes) -> tuple[bytes, bytes]:
    """Run the command on a terminal of its own; returns standard output and what the terminal showed."""
    master, terminal = os.openpty()
    os.write(master, typed)
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        [*PROGRAM, "model", *arguments],
        cwd=folder,
        env=environment,
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=terminal,
    ) as process:
        os.close(terminal)
        shown = b""
        try:
            while chunk := os.read(master, 4096):
                shown += chunk
        except OSError:  # the terminal's last user has left
            pass
        text = process.stdout.read()
    os.close(master)
    assert process.returncode == 0, shown
    return text, shown


@pytest.mark.process
@pytest.mark.parametrize("quiet", [False, True])
def test_typed_input_gets_a_hint_and_no_live_line(folder, quiet):
    text, shown = on_terminal(folder, *(["--quiet"] if quiet else []), typed=b"der hund\n" + END)
    assert text.count(b"\n") == 1
    assert HIDE_CURSOR not in shown
    assert (HINT in shown) != quiet


@pytest.mark.process
def test_input_from_a_file_has_a_live_line_and_no_hint(folder):
    _, shown = on_terminal(folder, "--input", "test.de", typed=b"")
    assert HIDE_CURSOR in shown
    assert HINT not in shown
