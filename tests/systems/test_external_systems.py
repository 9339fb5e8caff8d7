"""What external decoders must hold, whether they are run anew or speak Mr. MIRA's protocol."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.systems.external.toy_decoder import ranked
from tests.systems.external.toy_problem import START, Toy, features_of, tuned_in_rounds, write_toy

from tunesmith.systems import CommandSystem, ProcessSystem
from tunesmith.systems.external_system import ExternalSystem
from tunesmith.weights import Weights

OTHERS = Weights({"lm": -0.25, "tm_0": 1.5, "tm_1": 1e-7, "sparse_w1": 2.0})
PLAIN = "--weights {weights} --size {size}"


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return write_toy(tmp_path)


def system_of(toy: Toy, rest: str, format_name: str | None = None) -> ExternalSystem:
    if rest.startswith("--mira"):
        return ProcessSystem(f"{toy.program} {rest}", toy.source, start=START)
    scratch = toy.folder / "scratch"
    return CommandSystem(
        f"{toy.program} {rest}", toy.source, start=START, scratch=scratch, format=format_name
    )


@pytest.mark.process
@pytest.mark.parametrize(
    ("rest", "format_name"),
    [
        (PLAIN, None),
        (PLAIN, "cdec"),
        (f"{PLAIN} --style moses", "moses"),
        ("--weights {weights_json} --size {size} --input {source} --output {nbest}", None),
        (f"{PLAIN} --input {{source}} | gzip > {{nbest}}.gz", None),
        ("--weights {weights} --size 100 --input {source} --output {nbest}; echo done", None),
        ("--mira --size 7", None),
        ("--mira --size 7 --peer", None),
        ("--mira --size 40", None),
    ],
)
def test_lists_are_those_of_the_decoder_under_the_given_weights(toy, rest, format_name):
    with system_of(toy, rest, format_name) as system:
        for weights in (START, OTHERS):
            pool = system.use(weights).nbest(7)
            assert pool.ids == tuple(map(str, range(len(toy.sentences))))
            for number, sentence in enumerate(toy.sentences):
                expected = [candidate for _, candidate in ranked(toy.lists[sentence], weights)[:7]]
                rows = range(pool.offsets[number], pool.offsets[number + 1])
                assert [pool.texts[row] for row in rows] == [candidate["text"] for candidate in expected]
                for row, candidate in zip(rows, expected, strict=True):
                    assert features_of(pool, row) == candidate["features"]


@pytest.mark.parametrize("rest", [PLAIN, "--mira --size 5 --peer"])
def test_three_rounds_of_tuning_improve_bleu(toy, rest):
    with system_of(toy, rest) as system:
        scores = tuned_in_rounds(toy, system)
    assert scores[-1] > scores[0] + 0.1


INTERRUPTED = """
import sys
from tunesmith.systems import CommandSystem, ProcessSystem
from tunesmith.weights import Weights

start = Weights({"lm": 1})
if "weights" in sys.argv[1]:
    CommandSystem(sys.argv[1], "source", start=start, scratch="scratch").use(start).nbest(5)
else:
    ProcessSystem(sys.argv[1], "source", start=start).use(start).nbest(5)
"""


@pytest.mark.process
@pytest.mark.parametrize(
    "command",
    [
        "exec > alive; echo begun; (cat never | cat); cat never # {weights}",
        "trap '' TERM; exec > alive; echo begun; (cat never | cat); cat never # {weights}",
        "exec 3> alive; echo begun >&3; (cat never | cat); cat never",
    ],
)
def test_ctrl_c_ends_all_that_the_command_started(toy, command):
    for name in ("alive", "never"):
        os.mkfifo(toy.folder / name)
    # All of the pipeline holds `alive` open, and waits for `never`, which nobody writes.
    words = [sys.executable, "-c", INTERRUPTED, command]
    with subprocess.Popen(words, cwd=toy.folder, stderr=subprocess.PIPE) as process:
        with (toy.folder / "alive").open("rb", buffering=0) as alive:
            assert alive.readline() == b"begun\n"
            process.send_signal(signal.SIGINT)
            assert select.select([alive], [], [], 20)[0]
            assert alive.read() == b""  # the end: nobody is left to write
        process.communicate(timeout=10)
    assert process.returncode == -signal.SIGINT
