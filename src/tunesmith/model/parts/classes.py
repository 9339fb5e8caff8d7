"""The steps that train word classes of both sides."""

from __future__ import annotations

from tunesmith.corpus import Sentences
from tunesmith.extract.classes import train_classes
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import SOURCE, TARGET, target_classes
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["train_word_classes"]


def train_word_classes(options: TrainingOptions) -> list[BuildStep]:
    """Return one step per side and requested number of classes."""
    sides = (("source", SOURCE), ("target", TARGET))
    return [_step(side, text, count, options) for count in options.classes for side, text in sides]


def _step(side: str, text: str, count: int, options: TrainingOptions) -> BuildStep:
    output = target_classes(count) if side == "target" else f"classes.{side}.{count}.txt"

    def run(shop: Workshop) -> None:
        sentences = Sentences.read(shop[text])
        trained = train_classes(sentences, count, threads=options.threads, progress=shop.progress)
        trained.write(shop[output])

    return BuildStep(f"{count} {side} classes", (output,), run, needs=(text,), options={"classes": count})
