"""Binary files: what is written is mapped again; what is damaged or foreign is refused."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tunesmith.container import Container, container_kind, write_container
from tunesmith.errors import InputError
from tunesmith.leftovers import temporary_name

TYPES = (np.uint8, np.int32, np.int64, np.uint16, np.uint32, np.uint64, np.float32, np.float64)
ARRAYS = {"ints": np.arange(5, dtype=np.int32), "reals": np.array([1.5, -2.0]), "none": np.zeros(0, np.uint8)}


def small(path: Path) -> Path:
    write_container(path, "test", 3, ARRAYS, {"name": "größe"})
    return path


@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arrays_of_every_type_come_back(tmp_path: Path, data: st.DataObject) -> None:
    arrays: dict[str, Any] = {}
    for kind in TYPES:
        count = data.draw(st.integers(0, 40))
        arrays[np.dtype(kind).name] = np.frombuffer(
            data.draw(
                st.binary(min_size=count * np.dtype(kind).itemsize, max_size=count * np.dtype(kind).itemsize)
            ),
            dtype=kind,
        )
    write_container(tmp_path / "file", "any", 1, arrays)
    found = Container.open(tmp_path / "file", "any", 1, verify=True)
    assert list(found.arrays) == list(arrays)
    for name, array in arrays.items():
        assert found.arrays[name].dtype == array.dtype
        assert found.arrays[name].tobytes() == array.tobytes()


def test_notes_come_back_and_arrays_are_read_only(tmp_path: Path) -> None:
    found = Container.open(small(tmp_path / "file"), "test", 3)
    assert found.meta == {"name": "größe"}
    with pytest.raises(ValueError, match="read-only"):
        found.arrays["ints"][0] = 1
    write_container(tmp_path / "plain", "test", 3, {})
    assert Container.open(tmp_path / "plain", "test", 3).meta == {}


def test_an_array_may_be_written_in_parts(tmp_path: Path) -> None:
    whole = np.arange(10, dtype=np.int32)
    write_container(tmp_path / "whole", "test", 3, {"a": whole})
    write_container(tmp_path / "parts", "test", 3, {"a": [whole[:3], whole[:0], whole[3:]]})
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()
    with pytest.raises(InputError, match="'a' has no parts"):
        write_container(tmp_path / "parts", "test", 3, {"a": []})
    with pytest.raises(InputError, match="element type"):
        write_container(tmp_path / "parts", "test", 3, {"a": [whole, np.zeros(1)]})


def test_arrays_outlive_the_container_and_the_file(tmp_path: Path) -> None:
    path = small(tmp_path / "file")
    array = Container.open(path, "test", 3).arrays["ints"]
    path.unlink()
    assert array.tolist() == [0, 1, 2, 3, 4]
    assert pickle.loads(pickle.dumps(array)).tolist() == [0, 1, 2, 3, 4]


def test_the_same_arrays_give_the_same_bytes(tmp_path: Path) -> None:
    assert small(tmp_path / "a").read_bytes() == small(tmp_path / "b").read_bytes()


def test_a_file_cut_at_any_length_is_refused(tmp_path: Path) -> None:
    whole = small(tmp_path / "file").read_bytes()
    cut = tmp_path / "cut"
    for length in range(len(whole)):
        cut.write_bytes(whole[:length])
        with pytest.raises(InputError, match="cut: "):
            Container.open(cut, "test", 3)
    cut.write_bytes(whole + b"\0")
    with pytest.raises(InputError, match="truncated or damaged"):
        Container.open(cut, "test", 3)


def test_a_flipped_byte_is_found_or_lies_in_padding(tmp_path: Path) -> None:
    """Every byte of header, table and sections is covered; bytes between sections hold nothing."""
    path = small(tmp_path / "file")
    whole = path.read_bytes()
    expected = {name: array.tobytes() for name, array in ARRAYS.items()}
    damaged = tmp_path / "damaged"
    unnoticed = 0
    for position in range(len(whole)):
        damaged.write_bytes(whole[:position] + bytes([whole[position] ^ 0x81]) + whole[position + 1 :])
        try:
            found = Container.open(damaged, "test", 3, verify=True)
        except InputError:
            container_kind(damaged)  # must not fail, whatever the header holds
            continue
        unnoticed += 1
        assert {name: array.tobytes() for name, array in found.arrays.items()} == expected
        assert found.meta == {"name": "größe"}
    assert unnoticed < 64 * (len(ARRAYS) + 2)


@pytest.mark.parametrize("verify", [False, True])
def test_damaged_values_are_found(tmp_path: Path, verify: bool) -> None:
    path = small(tmp_path / "file")
    whole = bytearray(path.read_bytes())
    whole[whole.index(np.arange(5, dtype=np.int32).tobytes())] ^= 1
    path.write_bytes(whole)
    with pytest.raises(InputError, match="section 'ints' has a wrong checksum"):
        Container.open(path, "test", 3, verify=verify)


def test_other_kinds_versions_and_foreign_files_are_refused(tmp_path: Path) -> None:
    path = small(tmp_path / "file")
    with pytest.raises(InputError, match="holds 'test'; expected 'other'"):
        Container.open(path, "other", 3)
    with pytest.raises(InputError, match="version 3 of its format; this Tunesmith reads version 4"):
        Container.open(path, "test", 4)
    for name, content in (
        ("text", b"a text file\n" * 100),
        ("gzip", b"\x1f\x8b" + b"x" * 200),
        ("empty", b""),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="not a Tunesmith binary file"):
            Container.open(tmp_path / name, "test", 3)
        assert container_kind(tmp_path / name) == ""
    assert container_kind(path) == "test"
    assert container_kind(tmp_path / "missing") == ""


def test_what_is_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Container.open(tmp_path / "missing", "test", 3)
    with pytest.raises(InputError, match="regular file"):
        Container.open(tmp_path, "test", 3)


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="regular file"):
        Container.open(pipe, "test", 3)
    assert container_kind(pipe) == ""


def test_what_cannot_be_written_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="1 to 31 characters"):
        write_container(tmp_path / "file", "test", 1, {"n" * 32: np.zeros(1)})
    with pytest.raises(InputError, match="1 to 31 characters"):
        write_container(tmp_path / "file", "test", 1, {"": np.zeros(1)})
    with pytest.raises(InputError, match="at most 8"):
        write_container(tmp_path / "file", "ninechars", 1, {})
    with pytest.raises(InputError, match="unsupported element type"):
        write_container(tmp_path / "file", "test", 1, {"complex": np.zeros(1, np.complex128)})
    with pytest.raises(InputError, match="folder does not exist"):
        write_container(tmp_path / "no" / "file", "test", 1, {})
    assert not list(tmp_path.iterdir())


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = small(tmp_path / "file")
    before = path.read_bytes()
    with pytest.raises(InputError):
        write_container(path, "test", 3, {"ok": np.zeros(9), "": np.zeros(1)})
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    """The temporary name is known; a link there to the full device stands for a full disk."""
    temporary_name(tmp_path / "file").symlink_to("/dev/full")
    with pytest.raises(InputError, match="cannot write: No space left"):
        write_container(tmp_path / "file", "test", 1, {"big": np.zeros(1 << 16)})
    assert not list(tmp_path.iterdir())


def test_arrays_and_notes_that_would_not_come_back_are_refused(tmp_path: Path) -> None:
    one = np.zeros(1)
    for arrays, meta, message in (
        ({"meta": one}, None, "cannot be named 'meta'"),
        ({"a\0b": one}, None, "cannot be named"),
        ({"square": np.zeros((2, 2))}, None, "2 dimensions"),
        ({"scalar": np.array(1.0)}, None, "0 dimensions"),
        ({}, {"x": float("nan")}, "as JSON"),
        ({}, {"x": object()}, "as JSON"),
    ):
        with pytest.raises(InputError, match=message):
            write_container(tmp_path / "file", "test", 1, arrays, meta)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_followed_when_written_to(tmp_path: Path, there: bool) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "file", tmp_path / "link"
    if there:
        target.write_bytes(b"old")
    (tmp_path / "between").symlink_to(target)
    link.symlink_to("between")
    small(link)
    assert link.is_symlink() and not target.is_symlink()
    assert Container.open(target, "test", 3).meta == {"name": "größe"}
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["between", "file", "folder", "link"]


def test_errors_of_native_code_have_the_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"short")
    with pytest.raises(InputError, match="file: is not a Tunesmith binary file") as caught:
        Container.open(tmp_path / "file", "test", 3)
    assert caught.value.path == str(tmp_path / "file")
    assert caught.value.message.startswith("is not")
