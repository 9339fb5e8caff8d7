"""Translating a text to n-best lists, each sentence without the fold that it is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.distribute import Executor
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.steps import Progress
from tunesmith.runs.kind import RunKind
from tunesmith.texts import Texts
from tunesmith.types import IntArray
from tunesmith.xbleu.decoding_run import DecodingReport, decode_text
from tunesmith.xbleu.left_out import LeftOutModels
from tunesmith.xbleu.list_counts import FileCounts, count_file
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.store import LISTS, ListStore

__all__ = ["WrittenLists", "write_lists"]

BATCH = 250
"""Most sentences per native call; memory is that of their lists."""
BATCH_CANDIDATES = 100_000
"""Number of candidates above which a call has fewer sentences."""


@dataclass(frozen=True)
class WrittenLists:
    """A finished store, and what this run did for it."""

    store: ListStore
    report: DecodingReport


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
    executor: Executor | None = None,
    progress: Progress = lambda line: None,
    announce: Callable[[str], None] | None = None,
) -> WrittenLists:
    """Write the n-best lists of a model's training text, or of other tokenized text, to a folder.

    Every sentence is translated by the model without its fold, or with `options.jackknife=False` by the whole
    model. `jackknife` says how fold models are built, and which folds other text has. Each file has lists of
    one fold; with `options.retrain`, scores of candidates are without those of the named reordering models,
    for a training that starts from them. A killed run is continued by the same call and loses at most the
    file that it was writing.
    """
    chosen = options or ListOptions()
    report = decode_text(
        model,
        output,
        lambda decoder: _Lists.of(decoder, chosen),
        chosen,
        weights=weights,
        source=source,
        target=target,
        jackknife=jackknife,
        search=search,
        templates=templates,
        threads=threads,
        executor=executor,
        progress=progress,
        announce=announce,
    )
    return WrittenLists(ListStore.open(output), report)


@dataclass(frozen=True)
class _Lists:
    """Lists as what is made of each sentence."""

    options: ListOptions
    left_out: LeftOutModels
    dense: tuple[str, ...]
    """Features whose values are kept."""

    @classmethod
    def of(cls, decoder: PhraseDecoder, options: ListOptions) -> _Lists:
        dense = tuple(decoder.feature_names) if options.dense else ()
        return cls(options, LeftOutModels.of(decoder, options.retrain), dense)

    @property
    def kind(self) -> RunKind[Any]:
        return LISTS

    @property
    def batch(self) -> int:
        return min(BATCH, max(BATCH_CANDIDATES // self.options.nbest, 1))

    @property
    def shape(self) -> Mapping[str, Any]:
        dense = {"dense": list(self.dense)} if self.dense else {}
        return {**dense, "nbest": self.options.nbest, **self.left_out.shape}

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.options.settings() | self.left_out.settings

    def writer(self) -> _native.ListWriter:
        return _native.ListWriter(list(self.dense))

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
            self.left_out.features,
        )

    def count(self, path: Path, left_out: Sequence[int]) -> FileCounts:
        return count_file(path, *left_out)
