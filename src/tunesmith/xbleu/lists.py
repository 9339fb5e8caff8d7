"""Translating a text to n-best lists, each sentence without the fold that it is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.jackknife.usable_pairs import PairCounts
from tunesmith.model.steps import Progress
from tunesmith.texts import Texts
from tunesmith.types import IntArray
from tunesmith.xbleu.decoding_run import decode_text
from tunesmith.xbleu.list_counts import FileCounts, count_file
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.store import LISTS, ListStore, StoreKind

__all__ = ["WrittenLists", "write_lists"]

BATCH = 250
"""Most sentences per native call; memory is that of their lists."""
BATCH_CANDIDATES = 100_000
"""Number of candidates above which a call has fewer sentences."""


@dataclass(frozen=True)
class WrittenLists:
    """A finished store, and what this run did for it."""

    store: ListStore
    counts: PairCounts
    """Lines of the text that have no list, and why."""
    resumed: int
    """Files that an earlier run had written."""
    decoded: int = 0
    """Sentences translated."""
    fold_seconds: float = 0.0
    """Time of building and opening fold models."""
    search_seconds: float = 0.0
    """Time of decoding and of writing the lists."""


def write_lists(
    model: PathLike,
    output: PathLike,
    *,
    options: ListOptions | None = None,
    weights: Mapping[str, float] | PathLike | None = None,
    source: PathLike | None = None,
    target: PathLike | None = None,
    jackknife: JackknifeOptions | None = None,
    search: Mapping[str, Any] | None = None,
    templates: Sequence[Template] = (),
    threads: int | None = None,
    progress: Progress = lambda line: None,
    announce: Callable[[str], None] | None = None,
) -> WrittenLists:
    """Write the n-best lists of a model's training text, or of other tokenized text, to a folder.

    Every sentence is translated by the model without its fold, or with `options.jackknife=False` by the whole
    model. `jackknife` says how fold models are built, and which folds other text has. Each file has lists of
    one fold; a killed run is continued by the same call and loses at most the file that it was writing.
    """
    chosen = options or ListOptions()
    done = decode_text(
        model,
        output,
        _Lists(chosen),
        chosen,
        weights=weights,
        source=source,
        target=target,
        jackknife=jackknife,
        search=search,
        templates=templates,
        threads=threads,
        progress=progress,
        announce=announce,
    )
    return WrittenLists(
        ListStore.open(output),
        done.counts,
        done.resumed,
        done.decoded,
        done.fold_seconds,
        done.search_seconds,
    )


@dataclass(frozen=True)
class _Lists:
    """Lists as what is made of each sentence."""

    options: ListOptions

    @property
    def kind(self) -> StoreKind[FileCounts]:
        return LISTS

    @property
    def batch(self) -> int:
        return min(BATCH, max(BATCH_CANDIDATES // self.options.nbest, 1))

    @property
    def shape(self) -> Mapping[str, Any]:
        return {"nbest": self.options.nbest}

    def writer(self) -> _native.ListWriter:
        return _native.ListWriter()

    def decode(
        self,
        writer: _native.ListWriter,
        decoder: AnyDecoder,
        sources: Texts,
        references: Texts,
        rows: IntArray,
        threads: int,
    ) -> tuple[int, int, int]:
        return writer.decode(
            decoder.native_model,
            decoder.native_options(forest=False),
            (sources.blob, sources.offsets),
            (references.blob, references.offsets),
            rows.astype(np.uint32),
            self.options.nbest,
            threads,
        )

    def count(self, path: Path, left_out: Sequence[int]) -> FileCounts:
        return count_file(path, *left_out)
