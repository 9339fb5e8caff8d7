"""Errors that are not of Tunesmith's own classes, but that a user can do something about."""

from __future__ import annotations

import pytest
from tests.commands import run

from tunesmith.metrics import evaluation


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "not enough memory; use fewer --threads"),
        (RecursionError("maximum recursion depth exceeded"), "nested too deeply"),
    ],
)
def test_a_lack_of_memory_or_stack_is_an_error_of_one_line(error, told, tmp_path, monkeypatch):
    def fail(*arguments: object, **options: object) -> None:
        raise error

    (tmp_path / "text").write_text("a b c d\n")
    monkeypatch.setattr(evaluation, "evaluate", fail)
    monkeypatch.setattr("tunesmith.metrics.evaluate", fail)
    done = run("eval", "text", "--references", "text", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_huge_number_of_threads_is_an_error_of_the_command_line(tmp_path):
    (tmp_path / "text").write_text("a b c d\n")
    limits = (("1000000", "--threads must be at most 1024"), ("9" * 400, "of at most 64 bits"))
    for number, limit in limits:
        done = run("eval", "text", "--references", "text", "--threads", number, folder=tmp_path)
        assert done.returncode == 2
        assert "--threads" in done.stderr and limit in done.stderr
