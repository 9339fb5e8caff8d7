"""Forced decoding of a block of sentences, in threads of this process or on a worker."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tunesmith import _native
from tunesmith.corpus import Alignments
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.decoder_setup import DecoderSetup
from tunesmith.decode.forced import ForcedOptions, forced_decode
from tunesmith.decode.phrase import PhraseDecoder
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
    writer = _native.DerivationWriter()
    pairs = list(zip(block.sources, block.targets, strict=True))
    results = forced_decode(
        decoder, pairs, block.options, alignments=block.links, forest=True, threads=threads
    )
    derivations, words, missing, too_large, stages = 0, 0, 0, 0, [0] * 6
    for row, result in zip(block.rows.tolist(), results, strict=True):
        if result.forest is None or result.stage is None:
            missing += 1
            continue
        scores = result.forest.scores(decoder.weights, missing=0.0)
        found = _native.add_forced(writer, row, result.source, result.forest.native, scores, block.nbest)
        derivations += found
        too_large += found == 0
        stages[result.stage - 1] += 1
        words += result.source.count(" ") + 1
    while stages and not stages[-1]:
        stages.pop()
    writer.write(str(block.output))
    return BlockCounts(
        sentences=len(writer),
        missing=missing,
        too_large=too_large,
        derivations=derivations,
        source_words=words,
        decode_seconds=time.process_time() - began,
        stages=tuple(stages),
    )
