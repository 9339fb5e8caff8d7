"""Decoders of a text whose rare pairs are left out, on the driver and on workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.folders import make_folder
from tunesmith.locks import LOCK, shared_lock
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.reestimate.counted_parts import counted_part
from tunesmith.reestimate.frequent_pairs import frequent_model, frequent_tables
from tunesmith.reestimate.store import TABLES

__all__ = ["FrequentDecoders", "WithoutRare"]

_ENTRIES = {"phrases": "phrase pairs", "table": "rules"}


@dataclass(frozen=True, eq=False)
class FrequentDecoders:
    """The decoders of `decoders` without the phrase pairs or rules of low count.

    Their tables are written to the folder `tables` once, whichever processes share it. Those of a fold are
    removed when the last process closes them, those of the whole model stay.
    """

    decoders: FoldDecoders
    tables: Path
    least_count: float

    @contextmanager
    def open(self, fold: int) -> Iterator[AnyDecoder]:
        """Yield the decoder without a fold, `OTHER`: of the whole model, and without rare pairs."""
        with self.decoders.open(fold) as decoder:
            if self.least_count <= 0 or counted_part(decoder.model) == "index":
                yield decoder
                return
            name = "whole" if fold == OTHER else f"fold{fold}"
            paths = frequent_tables(decoder.model, self.tables, name)
            make = partial(frequent_model, decoder.model, self.tables, self.least_count, name)

            def prepare() -> None:
                what = _ENTRIES[counted_part(decoder.model)]
                self.decoders.progress(f"removing {what} with a count below {self.least_count:g}")
                make()

            def finish() -> None:
                for path in paths:
                    path.unlink(missing_ok=True)

            make_folder(self.tables)
            with shared_lock(
                self.tables / f".{name}{LOCK}",
                is_ready=lambda: all(path.is_file() for path in paths),
                is_there=lambda: any(map(os.path.lexists, paths)),
                prepare=prepare,
                finish=None if fold == OTHER else finish,
            ):
                yield type(decoder)(make(), decoder.weights, decoder.options, decoder.templates)


@dataclass(frozen=True)
class WithoutRare:
    """Makes `FrequentDecoders` of decoders, here or on a worker.

    `tables` is a text, since the folder is not sent; None: beside the process's own copy of the model.
    """

    least_count: float
    tables: str | None

    def __call__(self, decoders: FoldDecoders) -> FrequentDecoders:
        """Return the decoders."""
        model = decoders.whole.model.directory
        beside = model.with_name(f"{TABLES}-{model.name}-{self.least_count}")
        tables = beside if self.tables is None else Path(self.tables)
        return FrequentDecoders(decoders, tables, self.least_count)
