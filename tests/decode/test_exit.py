"""The end of a process while one of its daemon threads decodes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys, threading
from tunesmith.decode import PhraseDecoder
from tunesmith.features import StatefulTemplate

busy = threading.Event()

class Letters(StatefulTemplate):
    name = "letters"
    def start(self, sentence):
        return 0
    def apply(self, tails, step):
        busy.set()
        return (tails[0] + sum(map(len, step.pair.target))) % 7, {}

templates = [Letters()] if sys.argv[2] == "python" else []
decoder = PhraseDecoder.open(sys.argv[1], templates=templates)

def translate_forever():
    while True:
        for translation in decoder.translate_all(["das haus ist klein ."] * 200, forest=True, threads=2):
            busy.set()

threading.Thread(target=translate_forever, daemon=True).start()
busy.wait()
"""


@pytest.mark.process
@pytest.mark.parametrize("features", ["native", "python"])
def test_a_thread_that_decodes_at_exit_neither_aborts_the_process_nor_is_reported(small_model, features):
    command = [sys.executable, "-c", PROGRAM, str(small_model), features]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_bindings_use_the_locks_that_survive_the_exit_of_python():
    bindings = Path(__file__).parents[2] / "native" / "bind"
    used = [path.name for path in bindings.rglob("*") if path.is_file() and "gil_scoped" in path.read_text()]
    assert used == []
