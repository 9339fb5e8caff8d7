"""Human-readable amounts of memory."""

from __future__ import annotations

import re

from tunesmith.errors import OptionError

__all__ = ["parse_bytes", "show_memory"]

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_bytes(amount: int | str) -> int:
    """Parse `1G`, `512M`, `64K` or a number of bytes; anything else is an OptionError."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)B?", str(amount).strip().upper())
    size = 0 if found is None else int(float(found[1]) * _UNITS[found[2]])
    if not 0 < size < 1 << 63:
        raise OptionError(
            "{} must be an amount such as 1G, 512M or 1000000, not {amount!r}", "memory", amount=amount
        )
    return size


def show_memory(size: int) -> str:
    """Format a number of bytes in the units of `parse_bytes`: `37.2 kB`, `1.5 MB`."""
    return f"{size / _UNITS['K']:.1f} kB" if size < _UNITS["M"] else f"{size / _UNITS['M']:.1f} MB"
