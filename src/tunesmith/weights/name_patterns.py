"""Patterns of feature names, such as `LM*`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fnmatch import translate

__all__ = ["name_matcher"]


def name_matcher(patterns: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that tells whether any pattern matches a name, or is that name to the letter.

    In a pattern `*`, `?` and `[...]` are as in names of files; case counts. All patterns are one regular
    expression, so that a name is looked at once.
    """
    parts = [part for pattern in patterns for part in (rf"{re.escape(pattern)}\Z", translate(pattern))]
    found = re.compile("|".join(parts) if parts else r"(?!)")
    return lambda name: found.match(name) is not None
