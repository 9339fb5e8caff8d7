"""Which lists of one or several stores are trained on, and which are held out.

A sentence that is held out is trained on in no store and in no round: else the start model, or lists of an
earlier round, would know it. Sentences are compared by their source words, so that texts may have been moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith.errors import InputError
from tunesmith.types import BoolArray
from tunesmith.xbleu.compiled import NEITHER, held_out_lists
from tunesmith.xbleu.list_file import ListFile
from tunesmith.xbleu.store import ListStore, Store
from tunesmith.xbleu.training_options import ReorderingOptions

__all__ = ["ChosenLists", "HeldOutDraw"]

Marks: TypeAlias = npt.NDArray[Any]
"""Of each list: 0 to train on, 1 to hold out, 2 for neither."""

HELD_OUT_OF = "held_out_of"
"""Key in the record of a training: the first draw of its rounds."""


@dataclass(frozen=True)
class HeldOutDraw:
    """How held-out lists were drawn: of which store, how many, by which seed."""

    store: str
    digest: str
    held_out: int
    seed: int

    @classmethod
    def of(cls, store: Store[Any], options: ReorderingOptions) -> HeldOutDraw:
        """Return the draw of a training without a start model."""
        return cls(str(store.path.resolve()), store.digest, options.held_out, options.seed)

    @classmethod
    def recorded(cls, record: Mapping[str, Any]) -> HeldOutDraw | None:
        """Return the draw of an earlier training from its record; None if it is not there."""
        try:
            if HELD_OUT_OF in record:
                return cls(**record[HELD_OUT_OF])
            options = record["options"]
            return cls(record["store"], record["store_digest"], options["held_out"], options["seed"])
        except (KeyError, TypeError):
            return None

    def marks(self, lists: int, noun: str = "lists") -> BoolArray:
        """Draw again: whether each list of the store is held out."""
        return held_out_lists(lists, self.held_out, self.seed, noun)

    def find(self, stores: Iterable[Store[Any]]) -> Store[Any]:
        """Return the store that was drawn from: among these, or where it was; else an InputError."""
        for store in stores:
            if store.digest == self.digest:
                return store
        if Path(self.store).is_dir() and (found := ListStore.open(self.store)).digest == self.digest:
            return found
        raise InputError(
            "is not there, or changed, but the start model was trained on it: without it, it is not known"
            " which sentences were held out; name it by {} if it was moved",
            "with",
            path=self.store,
        )


@dataclass(frozen=True, eq=False)
class ChosenLists:
    """The marks of the lists of each store; the held-out ones are all of the first."""

    stores: Sequence[tuple[Store[Any], Marks]]
    draw: HeldOutDraw

    @classmethod
    def of(
        cls,
        store: Store[Any],
        others: Sequence[Store[Any]],
        start: Mapping[str, Any] | None,
        options: ReorderingOptions,
    ) -> ChosenLists:
        """Choose the lists of a training; `start` is the record of the model that it starts from.

        Held-out sentences are drawn from the first store, or are those of the start model. One whose source
        occurs again among training sentences is left out, as are lists of held-out ones in other stores.
        """
        draw = HeldOutDraw.of(store, options)
        if start is None and not others:
            return cls([(store, draw.marks(store.sentences, store.kind.noun))], draw)
        sources = cache(_sources)
        own, trained = sources(store), set[str]()
        held_out = _chosen(own, draw.marks(len(own)))
        if start is not None:
            earlier = _earlier(start)
            every = sources(earlier.find([store, *others]))
            drawn = earlier.marks(len(every))
            first, trained = _chosen(every, drawn), _chosen(every, ~drawn)
            if not first.isdisjoint(own):
                draw, held_out = earlier, first
        marks = _marked(own, held_out, 1)
        marks[_marked(own, trained & held_out, 1) == 1] = NEITHER
        if not (marks == 1).any():
            raise InputError(
                "has no list of a sentence that was held out of the training of the start model; make lists"
                " of the same text, or of more sentences",
                path=store.path,
            )
        marked = [(other, _marked(sources(other), held_out, NEITHER)) for other in others]
        return cls([(store, marks), *marked], draw)

    def to_dict(self) -> dict[str, Any]:
        """Return what the record of a training says about it."""
        others = [{"store": str(each.path.resolve()), "digest": each.digest} for each, _ in self.stores[1:]]
        return {"other_stores": others, HELD_OUT_OF: asdict(self.draw)}


def _earlier(start: Mapping[str, Any]) -> HeldOutDraw:
    found = HeldOutDraw.recorded(start)
    if found is None:
        raise InputError(
            "the record of the start model does not say which lists were held out of its training; train it"
            " again with `tunesmith xbleu train`"
        )
    return found


def _sources(store: Store[Any]) -> list[str]:
    """Return the source words of each list. O(words)."""
    found: list[str] = []
    for path in store.files:
        file = ListFile.open(path)
        words, (offsets, numbers) = list(file.words), file.sources
        spelled = [words[number] for number in numbers.tolist()]
        found += [" ".join(spelled[begin:end]) for begin, end in pairwise(offsets.tolist())]
    return found


def _chosen(sources: Sequence[str], marks: Marks) -> set[str]:
    return {sources[number] for number in np.flatnonzero(marks).tolist()}


def _marked(sources: Sequence[str], held_out: set[str], mark: int) -> Marks:
    return np.array([mark if source in held_out else 0 for source in sources], dtype=np.uint8)
