"""Feature vectors as base64, as Mr. MIRA's learners and decoders exchange them.

The payload repeats (name in UTF-8, a zero byte, the value as 8 bytes of a little-endian double).
"""

from __future__ import annotations

import base64
import binascii
import math
import struct
from collections.abc import Mapping

from tunesmith.errors import InputError

__all__ = ["decode_features", "encode_features"]

_DOUBLE = struct.Struct("<d")
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_LOST_NIBBLES = {0x3: 0xF, 0x4: 0x0, 0xB: 0xF, 0xC: 0x0}
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
    """Return the names and values of base64; an empty text has none.

    Where the length of a payload is 2 modulo 3, cdec and Mr. MIRA write `xx==` at its end, without the low
    half of the last byte. It is part of the exponent of the last value: the half is taken that makes a size
    of 2^-15 to 2^17, which is right for all values but very small and very large ones.
    """
    payload = _payload(text)
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


def _payload(text: str) -> bytes:
    try:
        payload = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError(f"expected features in base64, found {text[:60]!r} ({error})") from None
    if text.endswith("==") and _lacks_last_byte(payload):
        half = _DIGITS.index(text[-3]) & 0xF
        if half not in _LOST_NIBBLES:
            raise InputError(
                "the last value of the features cannot be restored: its last byte was cut in half;"
                " expected a payload filled up to a multiple of 3 bytes"
            )
        payload += bytes([half << 4 | _LOST_NIBBLES[half]])
    return payload


def _lacks_last_byte(payload: bytes) -> bool:
    """Return whether the last value has only 7 bytes."""
    position = 0
    while position < len(payload) and payload[position]:
        end = payload.find(b"\0", position)
        if end < 0:
            return False
        position = end + 1 + _DOUBLE.size
    return position == len(payload) + 1
