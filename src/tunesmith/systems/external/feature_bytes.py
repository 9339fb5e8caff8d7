"""Feature vectors as base64, as Mr. MIRA's learners and decoders exchange them.

The payload repeats (name in UTF-8, a zero byte, the value as 8 bytes of a little-endian double).
"""

from __future__ import annotations

import base64
import binascii
import math
import struct
from collections.abc import Callable, Mapping

from tunesmith.errors import InputError

__all__ = ["decode_features", "encode_features", "other_last_values", "restore_features"]

_DOUBLE = struct.Struct("<d")
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_LIKELY_HALVES = {0x3: 0xF, 0x4: 0x0, 0xB: 0xF, 0xC: 0x0}
"""The low half of a double's highest byte by its high half, for sizes of 2^-15 to 2 and of 2 to 2^17."""


def encode_features(values: Mapping[str, float]) -> str:
    """Return names and values as base64; zeros are skipped.

    The payload is filled up with zero bytes to a multiple of 3, because cdec and Mr. MIRA truncate other
    payloads by half a byte; all readers stop at an empty name. A name that is empty or contains a zero byte,
    and a value that is not finite, are InputErrors.
    """
    payload = bytearray()
    for name, value in values.items():
        if not name or "\0" in name:
            raise InputError(f"the feature name {name!r} cannot be sent; expected one without a zero byte")
        if not math.isfinite(value):
            raise InputError(f"the feature {name!r} is {value}; expected a finite number")
        if value != 0.0:
            payload += name.encode("utf-8") + b"\0" + _DOUBLE.pack(value)
    payload += bytes(-len(payload) % 3)
    return base64.b64encode(payload).decode("ascii")


def decode_features(text: str) -> dict[str, float]:
    """Return the names and values of base64 as cdec and Mr. MIRA read them; an empty text has none.

    Where the length of a payload is 2 modulo 3, they write `xx==` at its end, without the low half of the
    last byte, and read that half as 0. It is part of the exponent of the last value: one below 2 in size,
    cut by them, is then below 2^-239, as good as 0, for them and here. Standard base64 has the whole byte.
    """
    return _values(_payload(text, lambda half: 0))


def restore_features(text: str) -> dict[str, float]:
    """Return the names and values of base64 as they were before cdec cut them, if the last is not small.

    The lost half byte (see `decode_features`) is taken such that the last value has a size of 2^-15 to 2^17,
    which is right for nearly all features of candidates. A smaller one is read as larger, though below 2,
    and a larger one as smaller, see `other_last_values`; a last value outside of 2^-255 to 2^257 is an
    InputError.
    """
    return _values(_payload(text, _likely_half))


def other_last_values(text: str) -> list[float]:
    """Return what the last value may have been instead of what `restore_features` made of it.

    These are the finite values of all other half bytes, the nearest in size first; none if nothing was cut.
    """
    values = restore_features(text)
    if not values or _payload(text, lambda half: 0) == _payload(text, lambda half: 15):
        return []
    *low, high = _DOUBLE.pack([*values.values()][-1])
    usual = high & 0xF
    halves = sorted(set(range(16)) - {usual}, key=lambda half: abs(half - usual))
    others = (_DOUBLE.unpack(bytes([*low, high - usual + half]))[0] for half in halves)
    return [value for value in others if math.isfinite(value)]


def _values(payload: bytes) -> dict[str, float]:
    """Return names and values up to an empty name, or the end."""
    values: dict[str, float] = {}
    position = 0
    while position < len(payload) and payload[position]:
        end = payload.find(b"\0", position)
        if end < 0 or end + 1 + _DOUBLE.size > len(payload):
            raise InputError(f"features end within a name or a value, after {len(values)} whole ones")
        try:
            name = payload[position:end].decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"the feature name {payload[position:end]!r} is not UTF-8") from None
        (value,) = _DOUBLE.unpack_from(payload, end + 1)
        if not math.isfinite(value):
            raise InputError(f"the feature {name!r} is {value}; expected a finite number")
        if name in values:
            raise InputError(f"the feature {name!r} is there twice")
        values[name] = value
        position = end + 1 + _DOUBLE.size
    return values


def _payload(text: str, lost: Callable[[int], int]) -> bytes:
    """Return the bytes of base64; `lost` returns the low half of a byte, given the high half."""
    try:
        payload = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError(f"expected features in base64, found {text[:60]!r} ({error})") from None
    if text.endswith("==") and _lacks_last_byte(payload):
        half = _DIGITS.index(text[-3]) & 0xF
        payload += bytes([half << 4 | lost(half)])
    return payload


def _likely_half(half: int) -> int:
    if half not in _LIKELY_HALVES:
        raise InputError(
            "the last value of the features cannot be restored: its last byte was cut in half;"
            " expected a payload filled up to a multiple of 3 bytes"
        )
    return _LIKELY_HALVES[half]


def _lacks_last_byte(payload: bytes) -> bool:
    """Return whether the last value has only 7 bytes."""
    position = 0
    while position < len(payload) and payload[position]:
        end = payload.find(b"\0", position)
        if end < 0:
            return False
        position = end + 1 + _DOUBLE.size
    return position == len(payload) + 1
