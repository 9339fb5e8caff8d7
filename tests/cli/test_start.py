"""The start of the command line: Ctrl-C while it imports, and signals that it leaves alone."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

INTERRUPTED = """
import runpy, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == INTERRUPTED_IMPORT:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
"""
STARTS = {
    "module": "runpy.run_module('tunesmith', run_name='__main__')",
    "script": "from tunesmith.cli.main import main; sys.exit(main())",
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", ["typer", "tunesmith.cli.decode"])
def test_an_interrupt_while_the_command_line_is_imported_is_a_word(tmp_path, start, name):
    program = INTERRUPTED.replace("INTERRUPTED_IMPORT", repr(name)) + STARTS[start]
    command = [sys.executable, "-c", program, "decode", "model", "--input", "missing"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")


def test_a_closed_terminal_is_ignored_under_nohup():
    program = "import signal; from tunesmith.cli.main import _handle_signals as handle; handle();"
    shown = "print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
    done = subprocess.run(
        [sys.executable, "-c", program + shown],
        capture_output=True,
        check=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    assert done.stdout == b"True\n"
