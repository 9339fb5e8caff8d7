"""Forced derivations, as what is made of each piece of a text."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.forced import ForcedOptions, Forcing
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.stages import Stage
from tunesmith.passes.product import Product
from tunesmith.passes.text import PieceLines, naming_text
from tunesmith.reestimate.block_counts import BlockCounts

__all__ = ["ForcedDerivations"]


@dataclass(frozen=True)
class ForcedDerivations(Product[PieceLines, BlockCounts]):
    """The `nbest` derivations of each target that is reached."""

    options: ForcedOptions
    nbest: int

    def make(
        self, decoder: AnyDecoder, piece: PieceLines, threads: int, report: Callable[[int], None]
    ) -> BlockCounts:
        """Write the derivations of a piece."""
        assert isinstance(decoder, PhraseDecoder)
        began = time.process_time()
        drafts = _native.ForcedDrafts(list(piece.sources), piece.rows.tolist(), self.nbest)
        forcing = Forcing(decoder, self.options, forest=True, threads=threads)
        pairs = zip(piece.sources, piece.targets, strict=True)
        requests = [
            replace(request, line=row + 1)
            for request, row in zip(forcing.requests(pairs, piece.links), piece.rows.tolist(), strict=True)
        ]
        found = np.full(len(requests), -1)

        def search(stage: Stage, rows: Sequence[int], asked: Sequence[Request]) -> list[bool]:
            def force(model: _native.WeightedModel, part: Sequence[Request]) -> list[int]:
                natives = [request.native() for request in part]
                return drafts.search(model, stage.options, natives, rows, threads)

            found[rows] = [count for count, _ in stage.decoder.run_native(force, asked)]
            return [bool(count >= 0) for count in found[rows]]

        with naming_text(piece.text):
            stages = [stage for stage in forcing.reach(requests, search) if stage is not None]
        (path,) = piece.files
        drafts.write(str(path))
        report(len(piece.rows))
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

    def shown(self, done: Iterable[BlockCounts]) -> str:
        """Return the share of sentences that were reached."""
        return f", {100 * BlockCounts.total(done).share:.1f}% reached"
