"""What a training takes from earlier rounds: the model that it starts from, and further stores of lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tunesmith.errors import OptionError
from tunesmith.files import PathLike
from tunesmith.runs.store import Store
from tunesmith.xbleu.chosen_lists import ChosenLists
from tunesmith.xbleu.left_out import LeftOutModels
from tunesmith.xbleu.scales import warn_of_scales
from tunesmith.xbleu.seen_sentences import SeenSentences
from tunesmith.xbleu.start_model import StartModel
from tunesmith.xbleu.store import ListStore
from tunesmith.xbleu.training_options import ReorderingOptions

__all__ = ["REPLACES", "EarlierRounds"]

REPLACES = "replaces"
"""Key in the record of a model: attached models whose scores its lists leave out."""


@dataclass(frozen=True, eq=False)
class EarlierRounds:
    """The store of a training, with the start model and further stores if there are any."""

    store: Store[Any]
    others: tuple[ListStore, ...]
    start: StartModel | None
    options: ReorderingOptions

    @classmethod
    def open(
        cls,
        store: Store[Any],
        others: Sequence[PathLike],
        start: PathLike | None,
        options: ReorderingOptions,
    ) -> EarlierRounds:
        """Open and check what is given; warn if stores have scores of different scales."""
        if options.joint and (others or start is not None):
            raise OptionError(
                "{owner}: {} trains the decoder's weights on the lists of one round, from those that made"
                " them; leave out {} and {}",
                "joint",
                "start",
                "with",
                owner="xbleu",
            )
        opened = tuple(map(ListStore.open, others))
        _check_different([store, *opened])
        begin = None if start is None else StartModel.open(start, options.template(), store)
        if begin is not None:
            for each in (store, *opened):
                begin.check_left_out(each)
        warn_of_scales(store, opened)
        return cls(store, opened, begin, options)

    @cached_property
    def lists(self) -> ChosenLists:
        """The lists to train on and to hold out."""
        before = None if self.start is None else SeenSentences.read(self.start.trained.directory)
        return ChosenLists.of(self.store, self.others, before, self.options)

    @property
    def word_lists(self) -> Path | None:
        """The folder of the start model, which has the word lists and classes of its features."""
        return None if self.start is None else self.start.trained.directory

    @property
    def settings(self) -> dict[str, Any]:
        """What the result depends on besides the store and the options."""
        found: dict[str, Any] = {} if self.start is None else {"start model": self.start.digest}
        return found | ({"added stores": [each.digest for each in self.others]} if self.others else {})

    def to_dict(self) -> dict[str, Any]:
        """Return what the record of the training says about it; nothing if nothing was given."""
        found: dict[str, Any] = {}
        stores = (self.store, *self.others)
        if left_out := {name for each in stores for name in LeftOutModels.recorded(each.record).weights}:
            found[REPLACES] = sorted(left_out)
        if self.start is not None:
            found["start_model"] = self.start.to_dict()
        return found | (self.lists.to_dict() if self.settings else {})


def _check_different(stores: Sequence[Store[Any]]) -> None:
    seen: dict[str, Store[Any]] = {}
    for store in stores:
        if store.digest in seen:
            raise OptionError(
                "{}: {again} has the same lists as {first}; name each store once",
                "with",
                again=store.path,
                first=seen[store.digest].path,
            )
        seen[store.digest] = store
