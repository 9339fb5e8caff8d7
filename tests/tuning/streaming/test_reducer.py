"""What a reducer reads: the first weights in any form, once, and files of shards."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from tests.commands import run
from tests.tuning.streaming.test_stream_refusals import learned

from tunesmith.errors import InputError
from tunesmith.tuning.online.mixing import MixingOptions
from tunesmith.tuning.streaming.reducer import reduce_lines
from tunesmith.weights import WeightStore


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    """The lines of two shards that began with the file `start`, and changed nothing."""
    WeightStore.of({"a": 1.0, "b": -0.3}).save(tmp_path / "start")
    return [*learned(tmp_path / "start", 0), *learned(tmp_path / "start", 1)]


def test_first_weights_may_come_from_a_pipe(lines: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=['{"a": 1.0, "b": -0.3}'])
    writer.start()
    found = reduce_lines(lines, tmp_path / "pipe", MixingOptions())
    writer.join()
    assert dict(found.items()) == {"a": 1.0, "b": -0.3}


def test_the_number_of_threads_is_an_option_and_changes_nothing(lines: list[str], tmp_path: Path) -> None:
    for threads in (1, 3):
        words = ("--weights", tmp_path / "start", "--threads", threads, "-o", tmp_path / f"{threads}", "-q")
        assert run("stream", "reduce", *words, stdin="".join(lines)) == (0, "", "")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "3").read_bytes()
    done = run("stream", "reduce", "--weights", tmp_path / "start", "--threads", 0, stdin="".join(lines))
    assert done.returncode == 2 and "--threads must be at least 1" in done.stderr


def test_a_shard_whose_file_was_damaged_before_it_was_sent_is_refused(
    lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = (tmp_path / "start").read_bytes()
    monkeypatch.setattr(Path, "read_bytes", lambda _: content[:-7])
    damaged = [*learned(tmp_path / "start", 0), *learned(tmp_path / "start", 1)]
    monkeypatch.undo()
    with pytest.raises(InputError, match="00000: is truncated or damaged"):
        reduce_lines(damaged, tmp_path / "start", MixingOptions())
