"""Searches for oracles by the decoders of phrases and of rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.reestimate.counted_parts import text_parts
from tunesmith.texts import Texts
from tunesmith.types import IntArray

__all__ = ["OracleSearch"]

Block = tuple[int, int, str, str]
"""Sentences [begin, end), the file of their derivations, and that of their forests or ""."""


@dataclass(frozen=True)
class OracleSearch:
    """Decodes blocks of sentences, and writes the derivations of their oracles."""

    settings: _native.OracleSettings
    threads: int
    leave_one_out: bool = False
    """Whether the text is that of the model's index of rules, out of which each sentence is left."""

    def run(
        self,
        decoder: AnyDecoder,
        lines: Sequence[Texts],
        rows: IntArray,
        blocks: Sequence[Block],
        finished: Callable[[int, _native.OracleCounts], None],
    ) -> None:
        """Search all blocks; `lines` are both sides of the text, `rows` the numbers of the lines in it."""
        sources, targets = ((side.blob, side.offsets) for side in lines)
        shared = (sources, targets, rows.astype(np.uint32), blocks, self.settings, self.threads, finished)
        native, options = decoder.native_model, decoder.native_options(forest=False)
        if not isinstance(decoder, ChartDecoder):
            _native.decode_oracles(native, options, *shared)
            return
        index = decoder.grammars.index_rules(leave_one_out=self.leave_one_out)
        of_rules = not decoder.model.phrase_tables
        _native.decode_chart_oracles(native, options, text_parts(decoder), of_rules, index, *shared)
