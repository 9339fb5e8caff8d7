"""Random derivations, drawn top-down by inside weights (Johnson, Griffiths and Goldwater 2007)."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.forest.derivation import Derivation, derivations_of
from tunesmith.forest.forest import Forest
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.threads import thread_count

__all__ = ["sample"]


def sample(
    forest: Forest, scores: Scores, n: int, *, seed: int = 1, threads: int | None = None
) -> list[Derivation]:
    """Draw n derivations independently from p(d) = exp(score(d)) / Z.

    Draw i depends only on the forest, the scores, the seed and i, not on n or threads. A forest
    without derivations is an InputError. O(edges + n x length).
    """
    if n < 0:
        raise OptionError(f"the number of samples must be at least 0, not {n}")
    if not 0 <= seed < 2**64:
        raise OptionError(f"the seed must be from 0 to 2^64 - 1, not {seed}")
    array = edge_scores(forest, scores)
    return derivations_of(
        forest, *_native.sample_derivations(forest.native, array, n, seed, thread_count(threads))
    )
