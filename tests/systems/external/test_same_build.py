"""Commands of Tunesmith that another one starts are the same build, unless their user wants another one."""

from __future__ import annotations

import dataclasses
import shlex
import subprocess
import tempfile
from typing import Any

import pytest
from tests.commands import PROGRAM

from tunesmith.build import VARIABLE, Build
from tunesmith.corpus.segment import _run_command
from tunesmith.errors import InputError
from tunesmith.systems.external.processes import start_process
from tunesmith.texts import Texts

pytestmark = pytest.mark.process

METHODS = shlex.join([*PROGRAM, "tune", "methods"])


def ended(command: str) -> tuple[int, str]:
    with tempfile.TemporaryFile() as log:
        process = start_process(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        code = process.wait()
        log.seek(0)
        return code, log.read().decode()


def test_decoders_and_programs_that_prepare_text_are_the_same_build(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ended(METHODS)[0] == 0
    other: Any = dataclasses.replace(Build.running(), version="0.2.0", package="0" * 32)
    monkeypatch.setattr(Build, "running", lambda: other)
    code, said = ended(METHODS)
    assert code == 1 and "but the process that started it Tunesmith 0.2.0 (" in said
    assert ended(f"env -u {VARIABLE} {METHODS}")[0] == 0
    with pytest.raises(InputError, match=r"failed with exit code 1: .*Python files"):
        _run_command(METHODS, Texts.of(["a"]))
