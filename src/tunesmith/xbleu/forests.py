"""Translating a text to forests, each sentence without the fold that it is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.distribute import Executor
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.steps import Progress
from tunesmith.options import determinants
from tunesmith.runs.kind import RunKind
from tunesmith.texts import Texts
from tunesmith.types import IntArray
from tunesmith.xbleu.decoding_run import DecodingReport, decode_text
from tunesmith.xbleu.forest_counts import ForestCounts, count_forests
from tunesmith.xbleu.forest_options import ForestOptions
from tunesmith.xbleu.forest_store import FORESTS, ForestStore

__all__ = ["WrittenForests", "write_forests"]

BATCH = 250
"""Most sentences per native call; memory is that of their forests."""


@dataclass(frozen=True)
class WrittenForests:
    """A finished store, and what this run did for it."""

    store: ForestStore
    report: DecodingReport


def write_forests(
    model: PathLike,
    output: PathLike,
    options: ForestOptions,
    *,
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
) -> WrittenForests:
    """Write the forests of a model's training text, or of other tokenized text, to a folder.

    The search is that of the decoder. Its forest is split by what features and n-gram matches of a later
    phrase depend on, and pruned to `options.density` edges per source word. Folds, other text and killed runs
    are as in `write_lists`.
    """
    report = decode_text(
        model,
        output,
        lambda _: _Forests(options),
        options,
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
    return WrittenForests(ForestStore.open(output), report)


@dataclass(frozen=True)
class _Forests:
    """Forests as what is made of each sentence."""

    options: ForestOptions

    @property
    def kind(self) -> RunKind[Any]:
        return FORESTS

    @property
    def batch(self) -> int:
        return BATCH

    @property
    def shape(self) -> Mapping[str, Any]:
        return self.options.shape

    @property
    def settings(self) -> Mapping[str, Any]:
        return determinants(self.options)

    def writer(self) -> _native.EventForestWriter:
        return _native.EventForestWriter()

    def decode(
        self,
        writer: _native.EventForestWriter,
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
            self.options.density,
            self.options.blocks,
            threads,
        )

    def count(self, path: Path, left_out: Sequence[int]) -> ForestCounts:
        return count_forests(path, *left_out)
