"""Damaged files: deterministic mutations of valid ones."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DEEP = json.loads("[" * 600 + "]" * 600)
NASTY = (
    None,
    True,
    -1,
    0,
    10**400,
    2**64,
    2**63 - 1,
    0.5,
    1e308,
    float("nan"),
    "",
    "text",
    "-",
    "../x",
    "\0",
    "\ud800",
    "x" * 300,
    "/dev/zero",
    [],
    [[]],
    {},
    {"a": 1},
    DEEP,
)
NOT_JSON = (
    b"",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"1" * 5000,
    b"nul",
    b"\xff\xfe",
    b"7",
    b'"x"',
    b"null",
    b"[1e999, NaN]",
    b'{"a": 1, "a": 2}',
    b'{"a": "\\udfff"}',
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value within a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def changed_json(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yield a JSON text with values replaced, or entries removed; then texts that are no JSON."""
    record, draw = json.loads(data), random.Random(seed)
    found = [path for path in places(record) if path]
    for _ in range(count):
        copied = copy.deepcopy(record)
        *path, last = draw.choice(found)
        holder = copied
        for key in path:
            holder = holder[key]
        if isinstance(holder, dict) and draw.random() < 0.15:
            del holder[last]
        else:
            holder[last] = draw.choice(NASTY)
        yield json.dumps(copied).encode()
    yield from NOT_JSON


def changed_bytes(data: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Yield the bytes with some of them changed, removed or repeated."""
    draw = random.Random(seed)
    for _ in range(count):
        place, kind = draw.randrange(len(data)), draw.randrange(4)
        if kind == 0:
            yield data[:place]
        elif kind == 1:
            yield data[:place] + bytes([data[place] ^ 1 << draw.randrange(8)]) + data[place + 1 :]
        elif kind == 2:
            yield data[:place] + data[place + draw.randrange(1, 40) :]
        else:
            yield data[:place] + draw.randbytes(8) + data[place:]


def make_special(path: Path, generator: random.Random) -> None:
    """Replace a file by something that is none: a pipe, an endless device, a loop of links."""
    path.unlink()
    match generator.randrange(3):
        case 0:
            os.mkfifo(path)
        case 1:
            path.symlink_to("/dev/zero")
        case _:
            path.symlink_to(path.name)
