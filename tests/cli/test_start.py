"""The start and end of the command line: Ctrl-C while it imports, signals, output that nobody takes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
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


SIGNALED = """
import os, runpy, signal, sys

class Announce:
    def find_spec(self, name, path=None, target=None):
        if name == ANNOUNCED:
            os.write(1, b"now")
            if IMMEDIATELY:
                os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Announce())
sys.argv = ["bin/tunesmith", *sys.argv[1:]]
from tunesmith.cli.main import main
sys.exit(main())
"""
"""The installed script. The real signal comes while a module is imported, or later from another process."""


def signaled(module: str, folder: Path, delay: float | None = None) -> tuple[int, bytes]:
    program = SIGNALED.replace("ANNOUNCED", repr(module)).replace("IMMEDIATELY", str(delay is None))
    command = [sys.executable, "-c", program, "eval", "-", "--references", "text"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=folder, **pipes) as process:
        try:
            assert process.stdout.read(3) == b"now"
            if delay is not None:
                time.sleep(delay)
                process.send_signal(signal.SIGINT)
            said = process.stderr.read()  # standard input stays open: the command would wait for it
        finally:
            process.kill()
    return process.wait(), said


@pytest.mark.process
@pytest.mark.parametrize(
    "module", ["tunesmith.lazy", "tunesmith.cli", "tunesmith.errors", "typer", "tunesmith.cli.eval", "numpy"]
)
def test_a_signal_during_any_import_ends_the_command_with_a_word(module, tmp_path):
    assert signaled(module, tmp_path) == (130, b"interrupted\n")


@pytest.mark.process
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.1, 0.4])
def test_a_signal_at_any_time_after_the_start_ends_the_command_with_a_word(delay, tmp_path):
    (tmp_path / "text").write_text("a b c d\n")
    assert signaled("tunesmith.lazy", tmp_path, delay) == (130, b"interrupted\n")


LOST = """
import os, signal, sys, time
sys.argv = ["tunesmith", "--help"]
from tunesmith.cli import main

class Interrupting:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(9)

def build():
    Interrupting()
    time.sleep(9)

main._build = build
main.main()
"""


@pytest.mark.process
def test_a_signal_within_a_destructor_is_not_lost():
    done = subprocess.run([sys.executable, "-c", LOST], capture_output=True, check=False, timeout=8)
    assert (done.returncode, done.stderr) == (130, b"interrupted\n")


@pytest.mark.process
def test_importing_the_library_leaves_the_handling_of_signals_alone():
    program = "import signal, sys, tunesmith; sys.exit(signal.getsignal(2) is not signal.default_int_handler)"
    for argv in (["-c", program], ["-c", "import sys; sys.argv = ['my-tunesmith.py']; " + program]):
        subprocess.run([sys.executable, *argv], check=True)


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
