"""Checksums are computed once per state of a file, and again when anything of it has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tunesmith import checksums
from tunesmith.checksums import checksum, known_checksum


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that counts as large, last changed an hour ago by its times, with an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(checksums, "LEAST_RECORDED", 10)
    monkeypatch.setattr(checksums, "_OF_PROCESS", {})
    monkeypatch.setattr(checksums, "_is_settled", lambda status: True)  # its inode has just changed
    path = tmp_path / "file"
    path.write_bytes(b"a" * 100)
    return path


def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Note the files that are read whole."""
    seen, compute = list[Path](), checksums.checksum

    def noting(path: Path) -> str:
        seen.append(path)
        return compute(path)

    monkeypatch.setattr(checksums, "checksum", noting)
    return seen


def test_a_file_that_has_not_changed_is_read_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = reads(monkeypatch)
    assert known_checksum(file) == known_checksum(file) == checksum(file)
    assert seen == [file]
    checksums._OF_PROCESS.clear()  # as in another process
    assert known_checksum(file) == checksum(file)
    assert seen == [file]


def test_a_file_that_was_changed_or_replaced_is_read_again(file: Path) -> None:
    first = known_checksum(file)
    times = file.stat()
    file.write_bytes(b"b" * 100)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))  # the time of the inode still tells
    second = known_checksum(file)
    assert second == checksum(file) != first
    other = file.with_name("other")
    other.write_bytes(b"a" * 100)
    os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
    other.replace(file)
    assert known_checksum(file) == first


def test_a_damaged_record_and_a_cache_that_cannot_be_written_do_not_matter(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = known_checksum(file)
    (record,) = (tmp_path / "cache" / "tunesmith" / "checksums").iterdir()
    record.write_bytes(b"\xff\n" + b"0" * 64)
    checksums._OF_PROCESS.clear()
    assert known_checksum(file) == found
    checksums._OF_PROCESS.clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    assert known_checksum(file) == found


def test_a_file_that_changed_a_moment_ago_is_not_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checksums, "_OF_PROCESS", {})
    (tmp_path / "new").write_bytes(b"a")
    known_checksum(tmp_path / "new")
    assert not checksums._OF_PROCESS
