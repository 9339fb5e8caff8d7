"""The step that trains the recaser of a lowercased target side."""

from __future__ import annotations

from collections.abc import Iterator

from tunesmith.corpus.blocks import read_blocks
from tunesmith.corpus.clean import space_lines
from tunesmith.corpus.recase import train_recaser
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import RECASER
from tunesmith.model.steps import BuildStep, Workshop
from tunesmith.texts import Texts

__all__ = ["train_target_recaser"]


def train_target_recaser(options: TrainingOptions) -> list[BuildStep]:
    """Return the step for case "lower": the raw target side, and more target text, in their own case."""
    if options.case != "lower":
        return []
    side = options.preparation.sides[1]
    files = (options.target, *options.lm_text)

    def run(shop: Workshop) -> None:
        def blocks() -> Iterator[Texts]:
            for path in files:
                for lines in read_blocks(path):
                    yield side.tokenized(space_lines(lines)[0], options.threads)
                    shop.progress(f"read {path.name}")

        recaser = train_recaser(blocks)
        if not recaser.forms:
            shop.progress("the target text has no capital letters to learn from")
        recaser.save(shop[RECASER])

    wanted = {
        "tokenize": options.tokenize,
        "language": options.target_language,
        **options.preparation.segmentation("target"),
        **options.preparation.recorded_characters,
    }
    inputs = {f"text {number}": path for number, path in enumerate(files)}
    return [BuildStep("recaser", (RECASER,), run, inputs=inputs, options=wanted)]
