"""Ctrl-C ends `tunesmith decode` at once, whatever it is doing."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from tests.decode.commands import left

ANNOUNCED = """
import sys, threading
from tunesmith import _native
from tunesmith.cli.main import main

translate = _native.translate
begun = threading.Event()

def announce():
    begun.wait()
    print("decoding", flush=True)

def announced(*arguments):
    threading.Thread(target=announce).start()
    sys.setswitchinterval(1000)  # it goes on when native code has begun and lets other threads run
    begun.set()
    return translate(*arguments)

_native.translate = announced
main()
"""
"""Says so when it is in the midst of native code, where Python looks at no signals."""
SEARCH = ["--pop-limit", "0", "--stack-size", "5000", "--distortion-limit", "-1"]  # takes minutes a sentence


@pytest.mark.process
@pytest.mark.parametrize(("lines", "threads"), [("l", 1), ("lll", 2), ("sl", 2), ("ls", 2)])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_slow_search_and_leaves_nothing(folder, lines, threads, sent):
    words = (folder / "test.de").read_text().split()
    kinds = {"l": " ".join(words[:100]), "s": words[0]}
    (folder / "test.de").write_text("".join(f"{kinds[kind]}\n" for kind in lines))
    command = [
        *(sys.executable, "-c", ANNOUNCED, "decode", "model", "--input", "test.de", "--output", "out"),
        *("--nbest-output", "nbest", "--threads", str(threads), *SEARCH),
    ]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"decoding\n"
            process.send_signal(sent)
            _, said = process.communicate(timeout=3)
        finally:
            process.kill()
    assert process.returncode == 128 + sent
    assert said.count(b"interrupted\n") == (sent == signal.SIGINT)
    assert b"Traceback" not in said
    assert left(folder) == set()
