"""What decoders read: text, <seg> lines and lattices, told line by line."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.decode.input import INPUT_FORMATS, read_requests
from tunesmith.decode.input.base import detect
from tunesmith.decode.input.seg import Seg
from tunesmith.errors import InputError, OptionError


def read(path, data: bytes, **options):
    path.write_bytes(data)
    return [request for batch in read_requests(path, **options) for request in batch]


def test_formats_are_told_line_by_line(tmp_path):
    lines = 'das haus\n<seg id="x">das haus</seg>\n((("das",1,1),),)\n\n<b> ist kein seg\n'
    requests = read(tmp_path / "in", lines.encode())
    assert [request.source for request in requests] == ["das haus", "das haus", "", "", "<b> ist kein seg"]
    assert [request.id for request in requests] == ["0", "x", "2", "3", "4"]
    assert [request.line for request in requests] == [1, 2, 3, 4, 5]
    assert [request.columns for request in requests] == [2, 2, 1, 0, 4]


def test_a_given_format_is_used_for_all_lines(tmp_path):
    line = "((('das',1,1),),)"
    (as_text,) = read(tmp_path / "in", f"{line}\n".encode(), format="text")
    assert (as_text.source, as_text.lattice) == (line, None)
    with pytest.raises(
        InputError, match=r"in:2: not a lattice in PLF: expected a lattice at byte 1, found 'das'"
    ):
        read(tmp_path / "in", b"\ndas\n", format="plf")
    with pytest.raises(InputError, match=r'in:1: expected <seg id="7">text</seg>'):
        read(tmp_path / "in", b"das haus\n", format="seg")
    with pytest.raises(OptionError, match="unknown input format 'txt'; did you mean 'text'"):
        read(tmp_path / "in", b"das haus\n", format="txt")


def test_seg_lines_keep_id_and_attributes_and_lose_the_reference():
    request = Seg.parse(
        """<seg id="7" grammar="g.gz" doc='a "b"'> das haus </seg> ||| the house ||| a house"""
    )
    assert (request.id, request.source) == ("7", "das haus")
    assert (request.grammar, request.attributes) == (Path("g.gz"), {"doc": 'a "b"'})
    assert Seg.parse('<seg id="1">das\x20haus</seg>\tthe house|||a house').source == "das haus"
    assert Seg.parse("<seg></seg>").source == ""
    lattice = Seg.parse("""<seg id="1">((('das',1,1),),)</seg>""")
    assert (lattice.id, lattice.columns) == ("1", 1)


@pytest.mark.parametrize(
    "line",
    [
        '<seg id="1">das haus',
        '<seg id="1" id="2">das</seg>',
        '<seg id="">das</seg>',
        "<seg id=1>das</seg>",
        '<seg id="1">das</seg> haus',
        "<seg ></seg",
    ],
)
def test_a_broken_seg_is_an_error_with_its_line(tmp_path, line):
    with pytest.raises(InputError, match=r"in:2: "):
        read(tmp_path / "in", f"gut\n{line}\n".encode())


@pytest.mark.parametrize(
    "lines",
    [
        ['<seg id="a">x</seg>', '<seg id="a">y</seg>'],
        ["x", '<seg id="0">y</seg>'],
        ['<seg id="1">x</seg>', "y"],
    ],
)
def test_two_sentences_with_one_id_are_an_error(tmp_path, lines):
    with pytest.raises(InputError, match=r"in:2: two sentences have the id"):
        read(tmp_path / "in", "\n".join(lines).encode())


def test_line_ends_byte_order_mark_and_blanks_are_no_words(tmp_path):
    requests = read(
        tmp_path / "in", "\ufeffdas\thaus\r\n  ist \u00a0 klein\x00 \r\n\u3000\ngro\x07ß".encode()
    )
    assert [request.source for request in requests] == ["das haus", "ist klein", "", "groß"]


def test_bytes_that_are_not_utf8_are_an_error_with_their_line(tmp_path):
    with pytest.raises(InputError, match=r"in:3: not UTF-8: byte 0xff at column 5"):
        read(tmp_path / "in", b"das\nhaus\nist \xff\n")


def test_a_truncated_or_missing_file_is_an_error(tmp_path):
    whole = gzip.compress(b"das haus\n" * 1000)
    with pytest.raises(InputError, match="truncated compressed file"):
        read(tmp_path / "in.gz", whole[:-10])
    with pytest.raises(InputError, match="no such file"):
        list(read_requests(tmp_path / "none"))


def test_batches_are_bounded_by_sentences_and_by_words(tmp_path):
    (tmp_path / "in").write_text("a b c d\n" * 10)
    assert [len(batch) for batch in read_requests(tmp_path / "in", sentences=4)] == [4, 4, 2]
    assert [len(batch) for batch in read_requests(tmp_path / "in", words=8)] == [2] * 5


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=20)))
def test_every_line_is_one_request_whatever_it_holds(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "any"
    requests = read(path, "".join(f"{line}\n" for line in lines).encode(), format="text")
    assert [request.id for request in requests] == [str(i) for i in range(len(lines))]
    assert all(request.source == " ".join(request.source.split()) for request in requests)


def test_on_a_pipe_a_batch_has_what_is_there(monkeypatch):
    reading, writing = os.pipe()
    stream = io.TextIOWrapper(os.fdopen(reading, "rb"))
    monkeypatch.setattr(sys, "stdin", stream)
    batches = read_requests("-")
    os.write(writing, b"eins\nzwei\ndr")
    assert [request.source for request in next(batches)] == ["eins", "zwei"]
    later = threading.Thread(target=lambda: (os.write(writing, b"ei\n"), os.close(writing)))
    later.start()
    assert [request.source for request in next(batches)] == ["drei"]
    later.join()
    assert next(batches, None) is None
    stream.close()


def test_every_format_has_a_name_and_a_summary_and_knows_its_own_lines():
    marked = '<np translation="the house">das haus</np>'
    examples = {"text": "das haus", "seg": '<seg id="1">das haus</seg>', "plf": "((('das',1,1),),)"}
    asked_for = {"markup": marked, "markup-inclusive": marked}
    assert set(examples | asked_for) == set(INPUT_FORMATS)
    for name, line in (examples | asked_for).items():
        kind = INPUT_FORMATS[name]
        assert kind.name == name
        assert kind.summary
        assert detect(line) is (INPUT_FORMATS["text"] if name in asked_for else kind)
        assert kind.parse(line).columns in (1, 2)
    assert INPUT_FORMATS["markup"].parse(marked).exclusive
    assert not INPUT_FORMATS["markup-inclusive"].parse(marked).exclusive
