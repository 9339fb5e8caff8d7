"""Whitelists: the only features that a template gives, from a file with counts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.features.base import Template, Values
from tunesmith.files import read_lines

__all__ = ["Whitelist", "unfit_names"]


@dataclass(frozen=True, repr=False)
class Whitelist:
    """The names of the allowed features. `file` is where they come from."""

    names: frozenset[str]
    file: str = ""

    @classmethod
    def read(cls, path: Path, least: float = 1) -> Whitelist:
        """Read names, one per line, maybe with a tab and a count; counts below `least` are left out."""
        names = []
        for number, line in enumerate(read_lines(path), 1):
            name, _, count = line.partition("\t")
            try:
                counted = float(count or least)
            except ValueError:
                raise InputError(
                    f"expected a name, a tab and a count, found {line[:60]!r}", path=path, line=number
                ) from None
            if counted >= least:
                names.append(name)
        return cls(frozenset(names), str(path))

    def reduce(self, values: Values) -> Values:
        """Return the allowed ones of some features."""
        return {name: value for name, value in values.items() if name in self.names}

    @property
    def native(self) -> _native.NameFilter:
        """The whitelist for native code."""
        return _native.NameFilter(sorted(self.names))

    @cached_property
    def digest(self) -> str:
        """A digest of the content."""
        return hashlib.sha256("\n".join(sorted(self.names)).encode()).hexdigest()

    def __repr__(self) -> str:
        return f"Whitelist({self.file or len(self.names)}, {self.digest[:12]})"


def unfit_names(template: Template) -> list[str]:
    """Return the names on a template's whitelist that it owns, but that none of its features can have.

    A whitelist may be of several templates: names that it does not own do not count.
    """
    whitelist = getattr(template, "whitelist", None)
    if not isinstance(whitelist, Whitelist):
        return []
    return sorted(name for name in whitelist.names if template.owns(name) and not template.admits(name))
