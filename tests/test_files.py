from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import zstandard

from tunesmith.container import Container
from tunesmith.errors import InputError, OptionError
from tunesmith.files import COMPRESSIONS, check_output, check_outputs, open_write, read_chunks, read_lines

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
}
CONTENT = "".join(f"line {i * i}\n" for i in range(50_000)).encode()


def test_every_compression_is_tested() -> None:
    assert set(COMPRESS) - {""} == COMPRESSIONS


@pytest.mark.slow
@pytest.mark.parametrize("suffix", COMPRESS)
def test_what_other_tools_compress_is_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(COMPRESS[suffix](CONTENT))
    assert b"".join(read_chunks(path)) == CONTENT


@pytest.mark.slow
@pytest.mark.parametrize("suffix", COMPRESS)
def test_what_is_written_is_read_back(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    with open_write(path) as stream:
        stream.write(CONTENT[:1000])
        stream.write(CONTENT[1000:])
    assert b"".join(read_chunks(path)) == CONTENT
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", sorted(COMPRESSIONS))
def test_members_one_after_another_are_one_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(
        COMPRESS[suffix](b"a\n") + COMPRESS[suffix](b"") + COMPRESS[suffix](CONTENT) + b"\0" * 512
    )
    assert b"".join(read_chunks(path)) == b"a\n" + CONTENT


@pytest.mark.parametrize("suffix", sorted(COMPRESSIONS))
def test_a_file_cut_anywhere_is_an_error(tmp_path: Path, suffix: str) -> None:
    path, data = tmp_path / f"x{suffix}", COMPRESS[suffix](CONTENT)
    for cut in {0, 1, 5, len(data) // 3, len(data) - 8, len(data) - 1}:
        path.write_bytes(data[:cut])
        with pytest.raises(InputError, match=r"x\..*: (truncated|damaged) compressed file"):
            list(read_chunks(path))


@pytest.mark.slow
@pytest.mark.parametrize("suffix", sorted(COMPRESSIONS))
def test_a_flipped_bit_is_an_error(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x{suffix}"
    with open_write(path) as stream:
        stream.write(CONTENT)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    path.write_bytes(data)
    with pytest.raises(InputError, match="damaged compressed file"):
        list(read_chunks(path))


@pytest.mark.slow
@pytest.mark.parametrize("suffix", sorted(COMPRESSIONS))
def test_the_same_content_gives_the_same_bytes_under_any_name_at_any_time(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, moment in [("a", 1e9), ("b", 2e9)]:
        monkeypatch.setattr(time, "time", lambda now=moment: now)
        with open_write(tmp_path / f"{name}{suffix}") as stream:
            stream.write(CONTENT)
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_lines_end_with_lf_or_crlf_only(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\x0bd\n\n\xc2\x85e")
    assert read_lines(path) == ["a", "b\rc\x0bd", "", "\x85e"]


@pytest.mark.parametrize(("content", "lines"), [(b"", []), (b"\n", [""]), (b"a", ["a"]), (b"a\n", ["a"])])
def test_the_last_line_end_may_lack(tmp_path: Path, content: bytes, lines: list[str]) -> None:
    (tmp_path / "x").write_bytes(content)
    assert read_lines(tmp_path / "x") == lines


def test_bad_utf8_is_an_error_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"good\nba\xffd\n")
    with pytest.raises(InputError, match="x:2: not UTF-8: byte 0xff at column 3"):
        read_lines(tmp_path / "x")


def test_a_missing_file_a_directory_and_a_file_as_a_folder_are_errors(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path, complaint in [
        (tmp_path / "absent", "no such file"),
        (tmp_path, "is a directory; expected a file"),
        (tmp_path / "file" / "x", "cannot read"),
    ]:
        with pytest.raises(InputError, match=complaint):
            list(read_chunks(path))
    for path, complaint in [
        (tmp_path / "absent" / "x", "cannot write: the folder does not exist"),
        (tmp_path, "is a directory; expected a file name to write"),
        (tmp_path / "file" / "x", "cannot write"),
    ]:
        with pytest.raises(InputError, match=complaint), open_write(path):
            pass


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), open_write(path) as stream:
        stream.write(b"new")
        raise ZeroDivisionError
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_dash_is_standard_input_and_output(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a\nb\n")))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=out))
    assert read_lines("-") == ["a", "b"]
    with open_write("-") as stream:
        stream.write(b"x")
    assert out.getvalue() == b"x"


def test_a_link_is_followed_when_written_to(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    with open_write(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_device_is_written_to_and_stays_a_device(tmp_path: Path) -> None:
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    with open_write(link) as stream:
        stream.write(b"gone")
    assert Path("/dev/null").is_char_device()
    assert link.is_symlink()


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with open_write(pipe) as stream:
        stream.write(b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


@pytest.mark.parametrize("name", [".", "missing/weights.json", "-"])
def test_an_output_that_cannot_be_written_is_told_before_the_work(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        check_output("-" if name == "-" else tmp_path / name)


def test_an_output_that_is_an_input_or_another_output_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("kept")
    (tmp_path / "link").symlink_to("a")
    for outputs, inputs in (
        (["a"], ["a"]),
        (["link"], ["a"]),
        (["a"], ["b", "link"]),
        (["b", "b"], ["a"]),
        (["b", "c", "./b"], []),
    ):
        with pytest.raises(OptionError, match="too; choose another name"):
            check_outputs([tmp_path / name for name in outputs], [tmp_path / name for name in inputs])
    with pytest.raises(OptionError, match="- is another output"):
        check_outputs(["-", "-"])
    (tmp_path / "hard").hardlink_to(tmp_path / "a")
    with pytest.raises(OptionError, match="is an input too"):
        check_outputs([tmp_path / "hard"], [tmp_path / "a"])
    with pytest.raises(InputError, match="folder does not exist"):
        check_outputs([tmp_path / "b", tmp_path / "no" / "c"])
    check_outputs([tmp_path / "b", None, "-", "/dev/null", "/dev/null"], ["-", None, tmp_path / "a"])


@pytest.mark.parametrize("path", ["x" * 5000, "y" * 300 + "/x", "a\0b", "\ud800", "loop/x", "loop"])
def test_names_that_no_file_can_have_are_errors_of_reading_and_writing(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    for regular in (False, True):
        with pytest.raises(InputError):
            read_lines(path, regular=regular)
    with pytest.raises(InputError):
        Container.open(path, "toy", 1)
    with pytest.raises(InputError, match="cannot write"), open_write(path):
        pass
    with pytest.raises(InputError, match="cannot write"):
        check_outputs([path])


def test_devices_without_an_end_are_not_read():
    with pytest.raises(InputError, match="is a device"):
        read_lines("/dev/zero")
    assert read_lines("/dev/null") == []


def test_an_error_of_another_file_does_not_blame_the_output(tmp_path):
    with pytest.raises(FileNotFoundError), open_write(tmp_path / "out"):
        (tmp_path / "missing").open()
    with pytest.raises(InputError, match="out: cannot write"), open_write(tmp_path / "out"):
        raise OSError(28, "No space left on device")
    assert not list(tmp_path.iterdir())
