"""The steps that align words."""

from __future__ import annotations

from tunesmith.align import Aligner, train_aligner
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import (
    ALIGNER,
    ALIGNMENT,
    JOINED_STEP,
    SOURCE,
    TARGET,
    joined_alignment,
    read_bitext,
)
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["align_words"]


def align_words(options: TrainingOptions) -> list[BuildStep]:
    """Return one step per aligner, none if an alignment is given.

    The first aligner is saved, to align more text.
    """
    if options.alignment is not None:
        return []

    def run(shop: Workshop) -> None:
        _align(options, options.aligner[0], ALIGNMENT, shop).save(shop[ALIGNER])

    wanted = {"aligner": options.aligner[0], "symmetrize": options.symmetrize}
    first = BuildStep("alignment", (ALIGNMENT, ALIGNER), run, needs=(SOURCE, TARGET), options=wanted)
    return [first, *(_join(options, name) for name in options.joined_aligners)]


def _join(options: TrainingOptions, name: str) -> BuildStep:
    """Return the step of an aligner that is not the first."""
    file = joined_alignment(name)

    def run(shop: Workshop) -> None:
        _align(options, name, file, shop)

    wanted = {"aligner": name, "symmetrize": options.symmetrize}
    return BuildStep(JOINED_STEP + name, (file,), run, needs=(SOURCE, TARGET), options=wanted)


def _align(options: TrainingOptions, name: str, file: str, shop: Workshop) -> Aligner:
    bitext = read_bitext(shop)
    aligner = train_aligner(bitext, name, threads=options.threads, progress=shop.progress)
    shop.progress("symmetrizing the two directions")
    aligner.align(bitext, options.symmetrize, threads=options.threads).write(shop[file])
    return aligner
