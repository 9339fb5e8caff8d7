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
from dataclasses import asdict, dataclass
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.json_files import record_of
from tunesmith.tuning.streaming.lines import shard_key
from tunesmith.tuning.streaming.reading import STANDARD_INPUT

__all__ = ["ShardRecord", "read_records", "shard_lines"]

_PIECE = 3 << 18
"""Bytes of a piece: a line of 1 MiB."""


@dataclass(frozen=True)
class ShardRecord:
    """What a reducer must know about the weights of a shard, see `Learned`.

    `start` is a digest of the weights that the shard began with, `about` what the new file of weights records
    of decoder and method, `pieces` and `digest` are of the file of the shard's weights.
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
    pieces: int = 0
    digest: str = ""


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


def read_records(lines: Iterable[str], folder: Path) -> Iterator[tuple[ShardRecord, Path]]:
    """Yield the records of shards with the files of their weights, in a folder, in the order of shards.

    An InputError if a shard is missing or incomplete, or came twice; O(largest shard) memory.
    """
    expected, shards = 0, None
    for key, pieces in _grouped(lines):
        record = _record(key, pieces)
        shards = record.shards if shards is None else shards
        if record.shard != expected or record.shards != shards:
            raise InputError(
                f"expected shard {expected} of {shards}, found shard {record.shard} of {record.shards}; the"
                " input of a reducer is the sorted output of all mappers of an iteration"
            )
        expected += 1
        path = folder / key
        path.write_bytes(_content(record, pieces))
        yield record, path
    if expected != shards:
        raise InputError(
            f"there are {expected} shards, not {shards or 'any'}: the output of mappers is missing"
        )


def _grouped(lines: Iterable[str]) -> Iterator[tuple[str, dict[int, str]]]:
    """Yield the pieces of each shard by their numbers."""
    now, pieces = "", dict[int, str]()
    for number, line in enumerate(lines, 1):
        key, _, rest = line.rstrip("\n").partition("\t")
        place, _, piece = rest.partition("\t")
        if not (key.isdecimal() and place.isdecimal() and piece):
            raise InputError(
                f"expected what `tunesmith stream map` writes, found {line[:60]!r}",
                path=STANDARD_INPUT,
                line=number,
            )
        if key != now and pieces:
            yield now, pieces
            pieces = {}
        now = key
        if int(place) in pieces:
            raise InputError(
                f"shard {int(key)} came twice; all lines of a shard must come to one mapper",
                path=STANDARD_INPUT,
                line=number,
            )
        pieces[int(place)] = piece.rstrip("\t\r")
    if pieces:
        yield now, pieces


def _record(key: str, pieces: dict[int, str]) -> ShardRecord:
    try:
        record = record_of(ShardRecord, json.loads(pieces[0]))
        if record.shard != int(key):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise InputError(
            f"the record of shard {int(key)} is missing or damaged; is the input sorted?"
        ) from None
    return record


def _content(record: ShardRecord, pieces: dict[int, str]) -> bytes:
    try:
        numbers = range(1, record.pieces + 1)
        content = b"".join(base64.b64decode(pieces[number], validate=True) for number in numbers)
        if _digest(content) != record.digest:
            raise ValueError
    except (KeyError, ValueError, binascii.Error):
        raise InputError(f"the weights of shard {record.shard} are incomplete or damaged") from None
    return content


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
