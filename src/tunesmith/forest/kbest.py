"""The k best derivations, and candidate lists made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tunesmith import _native
from tunesmith.candidates import Pool
from tunesmith.candidates.features import Features
from tunesmith.errors import InputError, OptionError
from tunesmith.forest.derivation import Derivation, derivations_of
from tunesmith.forest.forest import Forest
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.immutable import seal
from tunesmith.texts import Texts
from tunesmith.threads import thread_count

__all__ = ["LARGEST_K", "check_kbest", "derivations", "kbest", "kbest_pool"]

LARGEST_K = 1 << 24
"""Maximum list size of one forest: some gigabytes."""

PATIENCE = 1000
"""Maximum number of duplicate derivations dropped per distinct string."""


def kbest(
    forest: Forest,
    scores: Scores,
    k: int,
    *,
    unique: bool = False,
    missing: float | None = None,
    patience: int = PATIENCE,
) -> list[Derivation]:
    """Return the k best derivations, or all if there are fewer, best first (Huang and Chiang 2005, alg. 3).

    With `unique` each target string occurs once, with its best derivation. Duplicate strings are dropped at
    each node, before they multiply; after k x `patience` of them the search ends with fewer derivations.
    Features without a weight have the weight `missing`, or are an InputError. An empty forest has no
    derivations. O(edges + k x length x log k).
    """
    check_kbest(k, patience)
    array = edge_scores(forest, scores, missing=missing)
    found = _native.kbest(forest.native, array, k, unique, patience)
    return derivations_of(forest, *found)


def derivations(forest: Forest, scores: Scores, *, missing: float | None = None) -> Iterator[Derivation]:
    """Yield derivations by falling score, lazily; `missing` as in `kbest`."""
    stream = _native.DerivationStream(forest.native, edge_scores(forest, scores, missing=missing))
    while (found := stream.next()) is not None:
        score, edges = found
        yield Derivation(forest, tuple(edges.tolist()), score)


def kbest_pool(
    forests: Sequence[Forest],
    weights: Mapping[str, float],
    k: int,
    *,
    unique: bool = False,
    ids: Sequence[str] | None = None,
    missing: float | None = None,
    allow_missing: bool = False,
    patience: int = PATIENCE,
    threads: int | None = None,
) -> Pool:
    """Return the k best derivations of each forest as a pool: texts, features by name, scores as totals.

    `ids` name the lists (default: 0, 1, ...). A feature without a weight has the weight `missing`, or is an
    InputError. A forest without derivations is an InputError, or with `allow_missing` has no list.
    """
    check_kbest(k, patience)
    if missing is None:
        for shared in {forest.names for forest in forests}:
            shared.weights(weights, None)  # names all features without a weight; native code the first
    names = Texts.of(weights)
    numbered = Texts.of(map(str, range(len(forests))) if ids is None else ids)
    arrays = _native.kbest_pool(
        [forest.native for forest in forests],
        (names.blob, names.offsets),
        np.fromiter(weights.values(), dtype=np.float64, count=len(weights)),
        missing,
        (numbered.blob, numbered.offsets),
        k,
        unique,
        patience,
        allow_missing,
        thread_count(threads),
    )
    if len(arrays.lists) == 1:
        raise InputError("no forest has a derivation; expected at least one list of candidates")
    return Pool(
        tuple(Texts(*arrays.ids)),
        seal(arrays.lists),
        Features(tuple(Texts(*arrays.names)), seal(arrays.offsets), seal(arrays.columns), arrays.values),
        texts=Texts(*arrays.texts),
        totals=arrays.totals,
    )


def check_kbest(k: int, patience: int) -> None:
    """Raise OptionError unless the size of a list and the patience are in range."""
    if not 1 <= k <= LARGEST_K:
        raise OptionError(f"k must be at least 1 and at most {LARGEST_K}, not {k}")
    if not 1 <= patience < 2**32:
        raise OptionError(f"patience must be at least 1 and below 2^32, not {patience}")
