"""Candidate lists written a pool at a time."""

from __future__ import annotations

import io

import pytest
from tests.random_pools import random_pool

from tunesmith.candidates import Pool
from tunesmith.candidates.writers import WRITERS
from tunesmith.candidates.writers.stream import PoolStream, streaming_writer
from tunesmith.errors import InputError, OptionError

APPENDING = [name for name, writer in WRITERS.items() if writer.appends]


@pytest.mark.parametrize("name", APPENDING)
def test_pools_written_one_by_one_are_the_file_of_all(tmp_path, name):
    pool = random_pool(3, lists=12, size=4)
    stream = io.BytesIO()
    pieces = PoolStream(stream, WRITERS[name])
    for begin in range(0, 12, 5):
        pieces.write(pool.take_lists(range(begin, min(begin + 5, 12))))
    pool.write(tmp_path / "whole", format=name)
    assert stream.getvalue() == (tmp_path / "whole").read_bytes()
    (tmp_path / "pieces").write_bytes(stream.getvalue())
    assert Pool.read(tmp_path / "pieces", format=name).texts == pool.texts


def test_names_tell_the_format_and_others_are_of_moses():
    assert streaming_writer("a.nbest.gz").name == "moses"
    assert streaming_writer("a.jsonl.gz").name == "jsonl"
    assert streaming_writer("a.jsonl", "cdec").name == "cdec"


def test_a_format_that_cannot_append_is_an_error():
    with pytest.raises(OptionError, match="write one of cdec, jsonl, moses, and convert it"):
        streaming_writer("a.parquet")


@pytest.mark.parametrize("name", APPENDING)
def test_ids_that_would_be_lost_are_an_error(name):
    pool = random_pool(3, lists=2, size=2)
    named = Pool(("a", "b"), pool.offsets, pool.features, pool.texts)
    stream = PoolStream(io.BytesIO(), WRITERS[name])
    if WRITERS[name].numbered:
        with pytest.raises(InputError, match="the sentence id 'a' is not a whole number"):
            stream.write(named)
    else:
        stream.write(named)
