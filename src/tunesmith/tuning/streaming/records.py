"""What a mapper writes and a reducer reads: the weights of a shard as lines, in any order within the shard.

A line is the key of the shard, a tab, the number of a piece with leading zeros, a tab, and the piece: number
0 is a record in JSON, the others are the file of weights in base64. `sort` orders shards and pieces.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

from tunesmith.errors import InputError
from tunesmith.json_files import parse_json, record_of
from tunesmith.tuning.streaming.lines import shard_key
from tunesmith.tuning.streaming.reading import STANDARD_INPUT, whole_number

__all__ = ["ArrivedShard", "ShardRecord", "read_records", "shard_lines"]

_PIECE = 3 << 18
"""Bytes of a piece: a line of 1 MiB."""

_LEAST = {
    "shard": 0,
    "shards": 1,
    "size": 1,
    "iteration": 1,
    "sentences": 0,
    "updates": 0,
    "skipped": 0,
    "failed": 0,
    "pieces": 1,
}


@dataclass(frozen=True)
class ShardRecord:
    """What a reducer must know about the weights of a shard, see `Learned`.

    `start` is a digest of the weights that the shard began with, `about` what the new file of weights records
    of decoder and method, `build` the record of the Tunesmith that learned them, `pieces` and `digest` are of
    the file of the shard's weights.
    """

    shard: int
    shards: int
    size: int
    iteration: int
    sentences: int
    updates: int
    skipped: int
    failed: int
    loss: float
    document: list[float]
    dense: list[str]
    start: str
    about: dict[str, object]
    build: dict[str, str] = field(default_factory=dict)
    pieces: int = 0
    digest: str = ""

    def check(self) -> None:
        """Raise a ValueError unless a mapper could have written it."""
        for name, least in _LEAST.items():
            if (value := getattr(self, name)) < least:
                raise ValueError(f"{name} must be at least {least}, not {value}")
        for name, most in (("shard", self.shards - 1), ("sentences", self.size)):
            if (value := getattr(self, name)) > most:
                raise ValueError(f"{name} must be at most {most}, not {value}")
        for name in ("skipped", "failed"):
            if (value := getattr(self, name)) > self.size:
                raise ValueError(f"{name} must be at most the size, {self.size}, not {value}")
        if not all(map(math.isfinite, (self.loss, *self.document))):
            raise ValueError("loss and document must be finite numbers")


class ArrivedShard(NamedTuple):
    """The record of a shard, the file of its weights, and the line of the record."""

    record: ShardRecord
    weights: Path
    line: int


_Pieces = dict[int, tuple[int, str]]
"""The pieces of a shard by number, each with its line."""


def shard_lines(record: ShardRecord, weights: Path) -> Iterator[str]:
    """Yield the lines of a shard."""
    content = weights.read_bytes()
    pieces = math.ceil(len(content) / _PIECE)
    whole = asdict(record) | {"pieces": pieces, "digest": _digest(content)}
    key = shard_key(record.shard)
    yield f"{key}\t{0:08d}\t{json.dumps(whole, ensure_ascii=False)}\n"
    for number in range(pieces):
        piece = base64.b64encode(content[number * _PIECE : (number + 1) * _PIECE]).decode()
        yield f"{key}\t{number + 1:08d}\t{piece}\n"


def read_records(lines: Iterable[str], folder: Path) -> Iterator[ArrivedShard]:
    """Yield the shards, with files of their weights in a folder, in the order of their numbers.

    An InputError if a shard is missing or incomplete, or came twice; O(largest shard) memory.
    """
    expected, shards = 0, None
    for number, pieces in _grouped(lines):
        record = _record(number, pieces)
        line = pieces[0][0]
        shards = record.shards if shards is None else shards
        if record.shard != expected or record.shards != shards:
            raise InputError(
                f"expected shard {expected} of {shards}, found shard {record.shard} of {record.shards}; the"
                " input of a reducer is the sorted output of all mappers of an epoch",
                path=STANDARD_INPUT,
                line=line,
            )
        expected += 1
        path = folder / shard_key(number)
        path.write_bytes(_content(record, pieces))
        yield ArrivedShard(record, path, line)
    if expected != shards:
        raise InputError(
            f"there are {expected} shards, not {shards or 'any'}: the output of mappers is missing",
            path=STANDARD_INPUT,
        )


def _grouped(lines: Iterable[str]) -> Iterator[tuple[int, _Pieces]]:
    """Yield the pieces of each shard, by its number."""
    now, pieces = -1, _Pieces()
    for number, line in enumerate(lines, 1):
        key, _, rest = line.rstrip("\n").partition("\t")
        place, _, text = rest.partition("\t")
        shard, piece = whole_number(key), whole_number(place)
        if shard is None or piece is None or not text:
            raise InputError(
                f"expected what `tunesmith stream map` writes, found {line[:60]!r}",
                path=STANDARD_INPUT,
                line=number,
            )
        if shard != now and pieces:
            yield now, pieces
            pieces = {}
        now = shard
        if piece in pieces:
            raise InputError(
                f"shard {shard} came twice; all lines of a shard must come to one mapper",
                path=STANDARD_INPUT,
                line=number,
            )
        pieces[piece] = number, text.rstrip("\t\r")
    if pieces:
        yield now, pieces


def _record(shard: int, pieces: _Pieces) -> ShardRecord:
    if 0 not in pieces:
        first = min(line for line, _ in pieces.values())
        raise InputError(
            f"the record of shard {shard} is missing; is the input sorted?", path=STANDARD_INPUT, line=first
        )
    line, text = pieces[0]
    try:
        record = record_of(ShardRecord, parse_json(text, "JSON"))
        record.check()
        if record.shard != shard:
            raise ValueError(f"it is of shard {record.shard}")
    except ValueError as error:  # an InputError is one
        raise InputError(
            f"the record of shard {shard} is damaged: {error}", path=STANDARD_INPUT, line=line
        ) from None
    return record


def _content(record: ShardRecord, pieces: _Pieces) -> bytes:
    decoded, line = [], pieces[0][0]
    try:
        for number in range(1, record.pieces + 1):
            if number not in pieces:
                raise ValueError(f"piece {number} of {record.pieces} is missing")
            line, text = pieces[number]
            decoded.append(base64.b64decode(text, validate=True))
        content, line = b"".join(decoded), pieces[0][0]
        if _digest(content) != record.digest:
            raise ValueError("their checksum is not that of the record")
    except (ValueError, binascii.Error) as error:
        raise InputError(
            f"the weights of shard {record.shard} are incomplete or damaged: {error}",
            path=STANDARD_INPUT,
            line=line,
        ) from None
    return content


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
