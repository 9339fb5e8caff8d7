"""Pages of mapped files that are given back: values stay, memory does not."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tunesmith import _native
from tunesmith.container import Container, write_container

STATUS = Path("/proc/self/status")
SIZE = 1 << 22


def resident_files() -> int:
    """Return the bytes of files in the memory of this process."""
    found = re.search(r"RssFile:\s+(\d+) kB", STATUS.read_text())
    assert found is not None
    return 1024 * int(found[1])


@pytest.mark.skipif(not STATUS.exists(), reason="needs the status file of Linux")
def test_released_pages_leave_memory_and_are_read_again(tmp_path: Path) -> None:
    values = np.arange(SIZE // 8)
    files = [tmp_path / name for name in "ab"]
    for file in files:
        write_container(file, "test", 1, {"values": values})
    arrays = [Container.open(file, "test", 1, verify=False).arrays["values"] for file in files]
    _native.release_idle_memory()
    before = resident_files()
    sums = [int(array.sum()) for array in arrays]
    assert resident_files() >= before + 2 * SIZE
    _native.release_pages(arrays[0][10:])
    assert before + SIZE // 2 < resident_files() < before + 3 * SIZE // 2
    assert [int(array.sum()) for array in arrays] == sums
    _native.release_idle_memory()
    assert resident_files() < before + SIZE // 2
    assert all(np.array_equal(array, values) for array in arrays)


def test_other_memory_is_left_alone(tmp_path: Path) -> None:
    write_container(tmp_path / "file", "test", 1, {"values": np.arange(10)})
    mapped = Container.open(tmp_path / "file", "test", 1).arrays["values"]
    own = np.arange(SIZE // 8)
    for array in (own, own[:0], mapped.copy()):
        _native.release_pages(array)
    del mapped
    _native.release_idle_memory()
    assert np.array_equal(own, np.arange(SIZE // 8))
