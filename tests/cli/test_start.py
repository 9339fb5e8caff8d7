"""The start and end of the command line: Ctrl-C while it imports, signals, output that nobody takes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

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


@pytest.mark.process
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("name", ["typer", "tunesmith.cli.decode"])
def test_an_interrupt_while_the_command_line_is_imported_is_a_word(tmp_path, start, name):
    program = INTERRUPTED.replace("INTERRUPTED_IMPORT", repr(name)) + STARTS[start]
    command = [sys.executable, "-c", program, "decode", "model", "--input", "missing"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")


@pytest.mark.process
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


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("rest", [[], ["--json"]])
def test_a_full_standard_output_is_told_once_and_plainly(tmp_path, rest):
    (tmp_path / "text").write_text("a b c d\n")
    command = ["eval", "text", "--references", "text", "--metrics", "bleu", "--resamples", "0", *rest]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tunesmith", *command],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.stderr == b"error: standard input or output: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.process
def test_a_reader_that_leaves_early_ends_the_command_without_a_word():
    command = [sys.executable, "-m", "tunesmith", "--help"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == -signal.SIGPIPE
