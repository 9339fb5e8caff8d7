"""The layout of containers, written down a second time: to damage files and make their checksums fit."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

_HEADER = struct.Struct("<8s8sIIQQQQQ")  # magic, kind, version, byte order, size, table, 0
_SECTION = struct.Struct("<32sIIQQQ")  # name, type, size of an element, begin, bytes, checksum
_TABLE = slice(5, 7)
_ALL = (1 << 64) - 1


def checksum(data: bytes) -> int:
    """Return the checksum of a section."""
    value = 0
    for word in (*struct.unpack(f"<{-(-len(data) // 8)}Q", data + bytes(-len(data) % 8)), len(data)):
        value ^= (word + 0x9E3779B97F4A7C15 + (value << 6) + (value >> 2)) & _ALL
        value = (value * 0xFF51AFD7ED558CCD) & _ALL
        value ^= value >> 33
    return value


def sections(data: bytes) -> dict[str, range]:
    """Return where the bytes of each section are."""
    begin, count = _HEADER.unpack_from(data)[_TABLE]
    rows = (_SECTION.unpack_from(data, begin + i * _SECTION.size) for i in range(count))
    return {row[0].rstrip(b"\0").decode(): range(row[3], row[3] + row[4]) for row in rows}


def sealed(damaged: bytes, whole: bytes) -> bytes:
    """Return a file whose sections were changed, with checksums that fit them; `whole` is the file before."""
    result = bytearray(damaged)
    begin, count = _HEADER.unpack_from(whole)[_TABLE]
    for i in range(count):
        row = list(_SECTION.unpack_from(whole, begin + i * _SECTION.size))
        part = slice(row[3], row[3] + row[4])
        if damaged[part] != whole[part]:
            row[-1] = checksum(damaged[part])
        _SECTION.pack_into(result, begin + i * _SECTION.size, *row)
    header = list(_HEADER.unpack_from(whole))
    header[7] = checksum(bytes(result[begin:]))
    _HEADER.pack_into(result, 0, *header)
    return bytes(result)


def mutations(whole: bytes, count: int, seed: int = 1) -> Iterator[bytes]:
    """Yield damaged copies: changed bits and bytes, and zeroed, overwritten, lost or added blocks."""
    generator = random.Random(seed)
    for number in range(count):
        data = bytearray(whole)
        at, other = (generator.randrange(len(data)) for _ in range(2))
        length = generator.choice([1, 4, 8, 64, 512])
        match number % 8:
            case 0 | 1 | 2:
                data[at] ^= 1 << generator.randrange(8)
            case 3:
                data[at : at + length] = generator.randbytes(len(data[at : at + length]))
            case 4:
                data[at : at + length] = bytes(len(data[at : at + length]))
            case 5:
                block = data[other : other + length]
                data[at : at + len(block)] = block[: len(data) - at]
            case 6:
                del data[at : at + length]
            case _:
                data[at:at] = data[other : other + length]
        yield bytes(data)


def section_mutations(whole: bytes, count: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield copies with a damaged section and checksums that fit, so that readers see the damage.

    Numbers are replaced by those that sums and casts get wrong: the largest and smallest ones and their
    neighbors.
    """
    generator = random.Random(seed)
    parts = {name: part for name, part in sections(whole).items() if len(part)}
    for _ in range(count):
        name = generator.choice(list(parts))
        part, data = parts[name], bytearray(whole)
        width = generator.choice([1, 2, 4, 8])
        for _ in range(generator.choice([1, 1, 3])):
            at = part.start + width * generator.randrange(max(len(part) // width, 1))
            top = 1 << 8 * width
            edges = [0, 1, top - 1, top - 4, top // 2, top // 2 - 1]
            number = generator.choice([*edges, generator.randrange(top)])
            end = min(at + width, part.stop)
            data[at:end] = number.to_bytes(width, "little")[: end - at]
        yield name, sealed(bytes(data), whole)
