"""What may be a part of a compound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tunesmith.corpus.compounds.linkers import Linker, linkers_of
from tunesmith.errors import OptionError

__all__ = ["CompoundOptions"]


@dataclass(frozen=True)
class CompoundOptions:
    """Parts are words of at least `min_length` letters that the text has at least `min_count` times.

    `linkers` is a preset or a list of linking elements. Koehn and Knight's score is asked for compounds of at
    most `max_parts` parts. Words of more than `max_length` letters are left whole.
    """

    linkers: str = "german"
    min_length: int = 4
    min_count: int = 3
    max_parts: int = 5
    max_length: int = 100

    def __post_init__(self) -> None:
        limits = {"min_length": 1, "min_count": 1, "max_parts": 2, "max_length": 2}
        for name, lowest in limits.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value < 1 << 31:
                raise OptionError(f"{name} must be a whole number of at least {lowest}, not {value!r}")
        linkers_of(self.linkers)

    @cached_property
    def linker_list(self) -> tuple[Linker, ...]:
        """The linkers; the first is the empty one."""
        return linkers_of(self.linkers)
