"""Forced decoding of a block of sentences, in threads of this process or on a worker."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tunesmith import _native
from tunesmith.corpus import Alignments
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.decode.forced import ForcedOptions, Forcing
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.stages import Stage
from tunesmith.distribute import Report
from tunesmith.distribute.kept import kept
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["ForcedBlock", "find_forced", "force_block"]


@dataclass(frozen=True, eq=False)
class ForcedBlock:
    """Sentence pairs, their word alignment if one is left out, their rows in the text, and the file to write.

    `setup` is the decoder of a worker, None in the process that has one.
    """

    setup: DecoderSetup | None
    options: ForcedOptions
    nbest: int
    sources: Texts
    targets: Texts
    links: Alignments | None
    rows: IntArray
    output: Path


def find_forced(block: ForcedBlock, report: Report) -> BlockCounts:
    """Write the derivations of a block, as a worker."""

    def open_(stack: ExitStack) -> AnyDecoder:
        assert block.setup is not None
        return stack.enter_context(block.setup.open(OTHER))

    decoder = kept(block.setup, open_)
    assert isinstance(decoder, PhraseDecoder)
    counts = force_block(decoder, block, 1)
    report(len(block.rows))
    return counts


def force_block(decoder: PhraseDecoder, block: ForcedBlock, threads: int) -> BlockCounts:
    """Write the derivations of the sentences of a block that are reached."""
    began = time.process_time()
    drafts = _native.ForcedDrafts(list(block.sources), block.rows.tolist(), block.nbest)
    forcing = Forcing(decoder, block.options, forest=True, threads=threads)
    pairs = zip(block.sources, block.targets, strict=True)
    requests = [
        replace(request, line=row + 1)
        for request, row in zip(forcing.requests(pairs, block.links), block.rows.tolist(), strict=True)
    ]
    found = np.full(len(requests), -1)

    def search(stage: Stage, rows: Sequence[int], asked: Sequence[Request]) -> list[bool]:
        def force(model: _native.WeightedModel, part: Sequence[Request]) -> list[int]:
            natives = [request.native() for request in part]
            return drafts.search(model, stage.options, natives, rows, threads)

        found[rows] = [count for count, _ in stage.decoder.run_native(force, asked)]
        return [bool(count >= 0) for count in found[rows]]

    stages = [stage for stage in forcing.reach(requests, search) if stage is not None]
    drafts.write(str(block.output))
    reached = [request.columns for request, count in zip(requests, found, strict=True) if count >= 0]
    return BlockCounts(
        sentences=int(np.sum(found > 0)),
        missing=int(np.sum(found < 0)),
        too_large=int(np.sum(found == 0)),
        derivations=int(np.sum(found[found > 0])),
        source_words=sum(reached),
        decode_seconds=time.process_time() - began,
        stages=tuple(stages.count(number) for number in range(1, max(stages, default=0) + 1)),
    )
