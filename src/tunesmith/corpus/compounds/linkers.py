"""Linking elements between the parts of a compound, and letters that parts lose there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tunesmith.errors import OptionError, suggest

__all__ = ["PRESETS", "Linker", "linkers_of"]

_SPELLING = re.compile(r"(?:-([^+\s]+))?(?:\+(\S+))?")


@dataclass(frozen=True)
class Linker:
    """A part that is not the last one loses `dropped` at its end and gets `added` instead.

    `+s` turns Arbeit into Arbeits(amt), `-e` Schule into Schul(buch), `-e+s` Geschichte into
    Geschichts(buch); the empty linker leaves the part unchanged.
    """

    added: str = ""
    dropped: str = ""

    def __str__(self) -> str:
        return ("-" + self.dropped if self.dropped else "") + ("+" + self.added if self.added else "")

    @classmethod
    def parse(cls, text: str) -> Linker:
        """Read `+added`, `-dropped` or `-dropped+added`."""
        match = _SPELLING.fullmatch(text)
        if not text or match is None:
            raise OptionError(f"the linker {text!r}: expected '+s', '-e' or '-e+s'")
        return cls((match[2] or "").lower(), (match[1] or "").lower())


PRESETS = {
    "german": "+s +es +n +en +nen +ens +er +e -e -en -e+s -en+s +-",
    "generic": "",
}
"""Linkers by language. The German ones are those of Koehn and Knight (2003), and others that Langer (1998)
finds frequent; `+-` is the hyphen. Generic compounds are words joined without change."""


def linkers_of(text: str) -> tuple[Linker, ...]:
    """Return the linkers of a preset, or of a list such as `+s +es -e`; the empty linker comes first."""
    if text and not text.startswith(("+", "-")) and text not in PRESETS:
        raise OptionError(f"no linkers are named {text!r}{suggest(text, PRESETS)}, or list them: '+s +es -e'")
    return _distinct(Linker.parse(word) for word in PRESETS.get(text, text).split())


def _distinct(linkers: Iterable[Linker]) -> tuple[Linker, ...]:
    return tuple(dict.fromkeys([Linker(), *linkers]))
