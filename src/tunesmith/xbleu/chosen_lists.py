"""Which lists of one or several stores are trained on, and which are held out.

A sentence that is held out is trained on in no store and in no round: else the start model, or lists of an
earlier round, would know it. Sentences are compared by their source words, so that texts may have been moved.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.runs.store import Store
from tunesmith.xbleu.compiled import NEITHER, held_out_lists
from tunesmith.xbleu.seen_sentences import Digests, SeenSentences, source_digests
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.training_options import ReorderingOptions

__all__ = ["ChosenLists"]

Marks: TypeAlias = npt.NDArray[Any]
"""Of each list: 0 to train on, 1 to hold out, 2 for neither."""

FEW = 10
"""A warning is given if held-out lists are fewer than the number wanted divided by this."""


@dataclass(frozen=True, eq=False)
class ChosenLists:
    """The marks of the lists of each store; the held-out ones are all of the first."""

    stores: Sequence[tuple[Store[Any], Marks]]
    seen: SeenSentences | None
    """The sentences of this round and of all before it; None of forests, which no round starts from."""

    @classmethod
    def of(
        cls,
        store: Store[Any],
        others: Sequence[ListStore],
        before: SeenSentences | None,
        options: ReorderingOptions,
    ) -> ChosenLists:
        """Choose the lists of a training; `before` are the sentences of the model that it starts from.

        Held-out sentences are those of earlier rounds. If the first store has fewer than it would hold out by
        itself, others that no round has trained on are drawn from it. Their lists in other stores are left
        out.
        """
        drawn = held_out_lists(store.sentences, options.held_out_lists, options.seed, store.kind.noun)
        if not isinstance(store, ListStore):
            return cls([(store, drawn)], None)
        own = source_digests(store)
        known = SeenSentences() if before is None else before
        if before is None and not others:
            return cls([(store, drawn)], known.after(own[~drawn], own[drawn]))
        wanted = int(drawn.sum())
        held_out = _filled(own, known, wanted, options.seed)
        sources = [own, *map(source_digests, others)]
        marks = [
            np.where(np.isin(each, held_out), mark, 0).astype(np.uint8)
            for each, mark in zip(sources, (1, *(NEITHER for _ in others)), strict=True)
        ]
        _check(store, marks, wanted)
        trained = np.concatenate([each[mark == 0] for each, mark in zip(sources, marks, strict=True)])
        return cls(list(zip((store, *others), marks, strict=True)), known.after(trained, held_out))

    def to_dict(self) -> dict[str, Any]:
        """Return what the record of a training says about it."""
        others = [{"store": str(each.path.resolve()), "digest": each.digest} for each, _ in self.stores[1:]]
        return {"other_stores": others}


def _filled(own: Digests, known: SeenSentences, wanted: int, seed: int) -> Digests:
    """Return the held-out sentences of earlier rounds and, if too few have lists, new ones. O(n log n)."""
    missing = max(wanted - int(np.isin(own, known.held_out).sum()), 0)
    unseen = np.flatnonzero(~np.isin(own, np.union1d(known.trained, known.held_out)))
    added = unseen[np.random.default_rng(seed).permutation(len(unseen))[:missing]]
    return np.union1d(known.held_out, own[added])


def _check(store: ListStore, marks: Sequence[Marks], wanted: int) -> None:
    """Raise InputError unless there are lists of both kinds; warn if few are held out."""
    held_out = int((marks[0] == 1).sum())
    if not held_out:
        raise InputError(
            "has only lists of sentences that the start model was trained on, so that none can be held out;"
            " make lists of the same text, or of more sentences",
            path=store.path,
        )
    if not any((each == 0).any() for each in marks):
        raise InputError(
            "has only lists of sentences that are held out, so that there is nothing to train on; make lists"
            " of more sentences, or add others by {}",
            "with",
            path=store.path,
        )
    if held_out * FEW < wanted:
        warnings.warn(
            f"{store.path}: only {held_out} of {wanted} wanted lists can be held out: the start model was"
            " trained on the other sentences; measures on so few lists are not reliable",
            TunesmithWarning,
            stacklevel=5,
        )
