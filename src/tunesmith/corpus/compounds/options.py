"""What may be a part of a compound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tunesmith.corpus.compounds.linkers import Linker, linkers_of
from tunesmith.options import check_options, require_at_least, require_at_most

__all__ = ["CompoundOptions"]

MOST = (1 << 31) - 1


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
        check_options(self, "compounds")
        ones = {"min_length": self.min_length, "min_count": self.min_count}
        twos = {"max_parts": self.max_parts, "max_length": self.max_length}
        require_at_least(1, "compounds", **ones)
        require_at_least(2, "compounds", **twos)
        require_at_most(MOST, "compounds", **ones, **twos)
        linkers_of(self.linkers)

    @cached_property
    def linker_list(self) -> tuple[Linker, ...]:
        """The linkers; the first is the empty one."""
        return linkers_of(self.linkers)
