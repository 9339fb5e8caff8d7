"""What may be a part of a compound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tunesmith.corpus.compounds.linkers import Linker, linkers_of
from tunesmith.options import check_options, option, require_at_least, require_at_most

__all__ = ["CompoundOptions"]

MOST = (1 << 31) - 1


@dataclass(frozen=True)
class CompoundOptions:
    """Parts are words of the text that are long and frequent enough."""

    linkers: str = option("german", help="Linking elements: german, generic, or a list such as '+s +es -e'.")
    min_length: int = option(4, help="Minimum letters of a part.", least=1, most=MOST)
    min_count: int = option(3, help="Minimum occurrences of a part in the text.", least=1, most=MOST)
    max_parts: int = option(
        5, help="Maximum parts per word for the frequency score (Koehn and Knight).", least=2, most=MOST
    )
    max_length: int = 100
    """Longer words are not split."""

    def __post_init__(self) -> None:
        check_options(self, "compounds")
        require_at_least(2, "compounds", max_length=self.max_length)
        require_at_most(MOST, "compounds", max_length=self.max_length)
        linkers_of(self.linkers)

    @cached_property
    def linker_list(self) -> tuple[Linker, ...]:
        """The linkers; the first is the empty one."""
        return linkers_of(self.linkers)
