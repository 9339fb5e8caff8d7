"""The step that records which sentences a model is trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tunesmith.corpus.blocks import read_blocks
from tunesmith.corpus.line_keys import LineKeys, line_keys
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import SOURCE, TARGET
from tunesmith.model.seen import SEEN, Seen
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["record_seen"]


def record_seen(options: TrainingOptions) -> BuildStep:
    """Return the step, over the prepared text, and further text of the language model."""

    def run(shop: Workshop) -> None:
        targets = [shop[TARGET], *options.lm_text]
        Seen.of(_keys([shop[SOURCE]]), _keys(targets)).save(shop[SEEN])

    inputs = {f"text {number}": path for number, path in enumerate(options.lm_text)}
    return BuildStep("seen sentences", (SEEN,), run, inputs=inputs, needs=(SOURCE, TARGET))


def _keys(paths: Sequence[Path]) -> Iterator[LineKeys]:
    return (line_keys(block) for path in paths for block in read_blocks(path))
