"""The derivations of oracles, as what is made of each piece of a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.passes.product import Product
from tunesmith.passes.text import PieceLines, naming_text
from tunesmith.reestimate.background import Background
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.counted_parts import text_parts
from tunesmith.reestimate.frequent_decoders import WithoutRare
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.texts import Texts

__all__ = ["Oracles"]

AT_ONCE = 4000
"""Pieces per native call, which are searched in parallel: their sentences are in memory."""


@dataclass(frozen=True)
class Oracles(Product[PieceLines, BlockCounts]):
    """The derivations of the oracles of each piece, whose sentences are decoded one after another."""

    options: OracleOptions
    background: Background
    change: WithoutRare
    leave_one_out: bool = False
    """Whether the text is that of the model's index of rules, out of which each sentence is left."""

    def make(
        self, decoder: AnyDecoder, piece: PieceLines, threads: int, report: Callable[[int], None]
    ) -> BlockCounts:
        """Write the derivations of a piece."""
        found: list[BlockCounts] = []
        self._search(decoder, [piece], threads, lambda _, counts: found.append(counts))
        report(len(piece.rows))
        return found[0]

    def make_all(
        self,
        decoder: AnyDecoder,
        pieces: Iterable[PieceLines],
        threads: int,
        finished: Callable[[int, BlockCounts], None],
        report: Callable[[int, int], None],
    ) -> None:
        """Write the derivations of pieces, one per thread at once."""
        left, first = iter(pieces), 0
        while batch := list(islice(left, AT_ONCE)):
            begin = first
            self._search(decoder, batch, threads, lambda number, own: finished(begin + number, own))  # noqa: B023
            first += len(batch)

    def _search(
        self,
        decoder: AnyDecoder,
        pieces: Sequence[PieceLines],
        threads: int,
        finished: Callable[[int, BlockCounts], None],
    ) -> None:
        sources, targets = (
            Texts.joined(side)
            for side in ([each.sources for each in pieces], [each.targets for each in pieces])
        )
        rows = np.concatenate([each.rows for each in pieces])
        whole = PieceLines(rows, sources, targets, pieces[0].text)
        ends = np.cumsum([len(each.rows) for each in pieces]).tolist()
        wanted = [
            (end - len(each.rows), end, *(*map(str, each.files), "")[:2])
            for each, end in zip(pieces, ends, strict=True)
        ]
        shared: Any = (
            *whole.native,
            wanted,
            self._settings(),
            threads,
            lambda number, counts: finished(number, BlockCounts.of(counts)),
        )
        native, options = decoder.native_model, decoder.native_options(forest=False)
        with naming_text(whole.text):
            if isinstance(decoder, ChartDecoder):
                index = decoder.grammars.index_rules(leave_one_out=self.leave_one_out)
                of_rules = not decoder.model.phrase_tables
                _native.decode_chart_oracles(native, options, text_parts(decoder), of_rules, index, *shared)
            else:
                _native.decode_oracles(native, options, *shared)

    def _settings(self) -> _native.OracleSettings:
        settings, options = _native.OracleSettings(), self.options
        settings.nbest, settings.mu, settings.beam = options.nbest, options.mu, options.beam
        settings.compare, settings.scale = options.compare, self.background.scale
        settings.background = list(self.background.statistics)
        settings.background_words = self.background.words
        return settings

    def shown(self, done: Iterable[BlockCounts]) -> str:
        """Return the times of decoding and of searching."""
        counts = BlockCounts.total(done)
        each = 1000 / max(counts.all_sentences, 1)
        return (
            f"; CPU time per sentence: {each * counts.decode_seconds:.1f} ms of decoding,"
            f" {each * counts.oracle_seconds:.1f} ms of oracles"
        )
