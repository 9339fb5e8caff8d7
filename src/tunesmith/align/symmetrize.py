"""Symmetrization of the alignments of two directions."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.corpus import Alignments
from tunesmith.errors import OptionError, suggest
from tunesmith.threads import thread_count

__all__ = ["SYMMETRIZATIONS", "check_symmetrization", "symmetrize"]

SYMMETRIZATIONS = ("intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")


def check_symmetrization(method: str) -> None:
    """Raise OptionError for an unknown method."""
    if method not in SYMMETRIZATIONS:
        hint = suggest(method, SYMMETRIZATIONS)
        raise OptionError("{} cannot be {method!r}{hint}", "symmetrize", method=method, hint=hint)


def symmetrize(
    forward: Alignments,
    reverse: Alignments,
    method: str = "grow-diag-final-and",
    *,
    threads: int | None = None,
) -> Alignments:
    """Join the links of two directions, both as (source, target), as fast_align's atools does.

    grow-diag starts from the intersection and adds links of the union that neighbor a link (also diagonally)
    and whose source or target word is unaligned, in order of (source, target), until nothing changes. -final
    then adds forward, then reverse links with at least one unaligned word; -final-and, with both unaligned.
    """
    check_symmetrization(method)
    return Alignments(*_native.symmetrize(forward.arrays, reverse.arrays, method, thread_count(threads)))
