"""Large binary files are verified once, and again when they have changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tunesmith.container import Container, write_container
from tunesmith.errors import InputError

LARGE = 17 << 20
"""More than the largest size that every process verifies."""

OPEN = """
import sys
from tunesmith.container import Container
for path in sys.argv[1:]:
    print(int(Container.open(path, "test", 1).arrays["bytes"][0]))
"""


def opened(*paths: Path, cache: Path | None) -> str:
    """Open files in a process of its own; return the first byte of each, or the error."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "HOME")
    }
    if cache is not None:
        environment["XDG_CACHE_HOME"] = str(cache)
    command = [sys.executable, "-c", OPEN, *map(str, paths)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else done.stderr


def damage(path: Path) -> None:
    """Change a byte in place and restore the times, as a failing disk would."""
    before = path.stat()
    with path.open("r+b") as stream:
        stream.seek(64)
        stream.write(b"\1")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large"
    write_container(path, "test", 1, {"bytes": np.zeros(LARGE, np.uint8)})
    settle(path)
    return path


def settle(path: Path) -> None:
    """Wait until the file is older than the resolution of times: younger ones are not recorded."""
    while time.time_ns() - path.stat().st_ctime_ns < 150_000_000:
        time.sleep(0.02)


@pytest.mark.process
@pytest.mark.slow
def test_a_large_file_is_verified_once_and_again_when_it_has_changed(large: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert opened(large, large, cache=cache) == "0\n0\n"
    (record,) = (cache / "tunesmith" / "verified").iterdir()
    lines = record.read_text().splitlines()
    status = large.stat()
    assert lines[:2] == ["tunesmith verified 1", str(large.resolve())]
    assert lines[2:6] == [
        str(n) for n in (status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)
    ]

    # A record that fits means that the file is not read whole: damage that changes no time passes unseen.
    # The change itself sets the time of the inode, so the record is given that time.
    damage(large)
    assert "section 'bytes' has a wrong checksum" in opened(large, cache=cache)
    lines[5] = str(large.stat().st_ctime_ns)
    record.write_text("".join(line + "\n" for line in lines))
    assert opened(large, cache=cache) == "1\n"

    # A copy, a file that was moved, and a new version of it are other files.
    copy, moved = tmp_path / "copy", tmp_path / "moved"
    shutil.copy2(large, copy)
    assert "wrong checksum" in opened(copy, cache=cache)
    large.rename(moved)
    assert "wrong checksum" in opened(moved, cache=cache)


def test_the_process_that_wrote_a_large_file_does_not_read_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "large"
    write_container(path, "test", 1, {"bytes": np.zeros(LARGE, np.uint8)})
    settle(path)
    Container.open(path, "test", 1)
    assert not (tmp_path / "cache").exists()  # nothing was compared, so nothing was recorded
    damage(path)
    with pytest.raises(InputError, match="wrong checksum"):
        Container.open(path, "test", 1)


@pytest.mark.process
@pytest.mark.slow
def test_without_a_writable_cache_every_process_verifies(large: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for cache in (None, tmp_path / "file"):  # a folder cannot be made below a file
        assert opened(large, cache=cache) == "0\n"
    damage(large)
    for cache in (None, tmp_path / "file"):
        assert "wrong checksum" in opened(large, cache=cache)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "large"]


def test_a_small_file_leaves_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "small"
    write_container(path, "test", 1, {"bytes": np.zeros(1000, np.uint8)})
    settle(path)
    Container.open(path, "test", 1)
    assert not (tmp_path / "cache").exists()
    damage(path)
    with pytest.raises(InputError, match="wrong checksum"):
        Container.open(path, "test", 1)


def test_a_file_that_changed_a_moment_ago_is_verified_again(tmp_path: Path) -> None:
    """Two changes within the resolution of times leave equal times."""
    path = tmp_path / "file"
    write_container(path, "test", 1, {"bytes": np.zeros(1000, np.uint8)})
    whole = path.read_bytes()
    for value in range(1, 50):
        path.write_bytes(whole)
        Container.open(path, "test", 1)
        path.write_bytes(whole[:64] + bytes([value]) + whole[65:])
        with pytest.raises(InputError, match="wrong checksum"):
            Container.open(path, "test", 1)


def test_verifying_is_possible_at_any_time(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_container(path, "test", 1, {"bytes": np.zeros(1000, np.uint8)})
    settle(path)
    Container.open(path, "test", 1)
    with path.open("r+b") as stream:  # mapped memory shows it, and the times do as well
        stream.seek(64)
        stream.write(b"\1")
    with pytest.raises(InputError, match="wrong checksum"):
        Container.open(path, "test", 1, verify=True)
