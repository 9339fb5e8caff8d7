from __future__ import annotations

import io
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.candidates.compare import assert_identical
from tests.strategies import any_text

from tunesmith import _native
from tunesmith.candidates import Pool
from tunesmith.candidates.readers.base import READERS, assemble
from tunesmith.errors import InputError

PARSERS: dict[str, Callable[[], Any]] = {
    "moses": lambda: _native.NbestParser("moses"),
    "moses-old": lambda: _native.NbestParser("moses-old"),
    "cdec": lambda: _native.NbestParser("cdec"),
    "travatar": lambda: _native.NbestParser("travatar"),
    "jsonl": _native.JsonlParser,
}

NBEST = ["0", "1", "007", " ||| ", "|||", "a b", "LM= ", "lm: ", "f=", "=", ":", "1.5", "-3e-2", "nan", "\0"]
JSON = ['{"id": ', '"hypotheses": [', '{"text": "', '"features": {', '"f": ', "}", "]}", ", ", '"', "\\u00e9"]
LINES = [
    "0 ||| a ||| LM= 1 ||| 2\n",
    "0 ||| a ||| f=1 ||| 2\n",
    '{"id": 1, "hypotheses": [{"text": "\\ud83d\\ude00", "features": {"f": 1}}]}\n',
]
pieces = st.sampled_from([*NBEST, *JSON, *LINES, " ", "\n", "\r\n"])
content = st.binary(max_size=80) | st.lists(pieces | any_text, max_size=24).map(
    lambda parts: "".join(parts).encode()
)


def parsed(name: str, chunks: list[bytes]) -> Pool | str:
    """Return the pool, or the error as text."""
    parser = PARSERS[name]()
    try:
        for chunk in chunks:
            parser.feed(chunk)
        return assemble(parser.finish())
    except InputError as error:
        return str(error.message) + f" at line {error.line}"


@pytest.mark.parametrize("name", PARSERS)
@given(data=content, cuts=st.lists(st.integers(0, 80)))
def test_chunks_may_be_cut_anywhere(name: str, data: bytes, cuts: list[int]) -> None:
    borders = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    whole = parsed(name, [data])
    cut = parsed(name, [data[a:b] for a, b in pairwise(borders)])
    if isinstance(whole, str) or isinstance(cut, str):
        assert cut == whole
    else:
        assert_identical(cut, whole)


@pytest.mark.filterwarnings("ignore::tunesmith.errors.TunesmithWarning")  # quotation marks in TSV
@pytest.mark.parametrize("format_name", [None, *(name for name in READERS if name != "parquet")])
@given(data=content)
def test_any_bytes_are_a_pool_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, format_name: str | None, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes"
    path.write_bytes(data)
    options = {"features": {"f": path}, "size": 1} if format_name == "flat" else {}
    try:
        pool = Pool.read(path, format=format_name, allow_missing=True, **options)
    except InputError as error:
        assert str(path) in str(error)
    else:
        assert pool.n_candidates > 0


def parquet_file() -> bytes:
    buffer = io.BytesIO()
    maps = pa.array([[("s", 1.0)], [], [("t", 2.0)]], pa.map_(pa.string(), pa.float64()))
    table = pa.table(
        {"id": ["a", "a", "b"], "text": ["x", "", "y"], "f": [1.0, None, 3.0], "sparse_features": maps}
    )
    pq.write_table(table, buffer)
    return buffer.getvalue()


@settings(derandomize=True)  # what pyarrow does with damage is not ours to explore
@given(st.integers(0, len(parquet_file()) - 1), st.binary(min_size=1, max_size=4))
def test_a_damaged_parquet_file_is_a_pool_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, place: int, patch: bytes
) -> None:
    path: Path = tmp_path_factory.getbasetemp() / "damaged.parquet"
    data = parquet_file()
    path.write_bytes(data[:place] + patch + data[place + len(patch) :])
    try:
        Pool.read(path)
    except InputError as error:
        assert "damaged.parquet" in str(error)


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_that_failed_or_ended_takes_no_more(name: str) -> None:
    failed, ended = PARSERS[name](), PARSERS[name]()
    with pytest.raises(InputError):
        failed.feed(b"\xff\n")
    with pytest.raises(InputError):
        ended.finish()
    for parser in (failed, ended):
        with pytest.raises(InputError, match="has ended"):
            parser.feed(b"x")
        with pytest.raises(InputError, match="has ended"):
            parser.finish()
