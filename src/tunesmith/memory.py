"""Human-readable amounts of memory."""

from __future__ import annotations

import re

from tunesmith.errors import OptionError

__all__ = ["parse_bytes", "show_memory"]

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
LARGEST = 1 << 63
"""Exclusive; native code takes amounts as int64."""


def parse_bytes(amount: int | str) -> int:
    """Parse `1G`, `512M`, `64K` or a number of bytes; anything else is an OptionError."""
    is_huge = isinstance(amount, int) and abs(amount) >= LARGEST  # perhaps with too many digits to print
    text = "" if is_huge else str(amount)
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)([KMGT]?)B?", text.strip().upper())
    size = 0.0 if found is None else float(found[1]) * _UNITS[found[2]]  # infinite if there are many digits
    if not 1 <= size < LARGEST:
        shown = "a number of 19 or more digits" if is_huge else f"{amount!r:.60}"
        message = "{} must be an amount such as 1G, 512M or 1000000, not {shown}"
        raise OptionError(message, "memory", shown=shown)
    return int(size)


def show_memory(size: int) -> str:
    """Format a number of bytes in the units of `parse_bytes`: `37.2 kB`, `1.5 MB`."""
    return f"{size / _UNITS['K']:.1f} kB" if size < _UNITS["M"] else f"{size / _UNITS['M']:.1f} MB"
