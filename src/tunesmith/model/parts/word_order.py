"""The step that measures the word order of the aligned text, which settings of the search depend on."""

from __future__ import annotations

from pathlib import Path

from tunesmith.corpus.word_order import WordOrder
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import ALIGNED, WORD_ORDER, read_aligned
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["measure_word_order", "read_word_order"]


def measure_word_order(options: TrainingOptions) -> BuildStep:
    """Return the step."""

    def run(shop: Workshop) -> None:
        bitext, alignments = read_aligned(shop)
        WordOrder.measure(bitext, alignments, threads=options.threads).write(shop[WORD_ORDER])

    return BuildStep("word order", (WORD_ORDER,), run, needs=ALIGNED)


def read_word_order(directory: Path) -> WordOrder:
    """Read what the step wrote."""
    return WordOrder.read(directory / WORD_ORDER)
