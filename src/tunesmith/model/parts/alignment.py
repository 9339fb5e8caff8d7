"""The step that aligns words."""

from __future__ import annotations

from tunesmith.align import train_aligner
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import ALIGNER, ALIGNMENT, SOURCE, TARGET, read_bitext
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["align_words"]


def align_words(options: TrainingOptions) -> list[BuildStep]:
    """Return the step, unless an alignment is given; the aligner is saved, to align more text."""
    if options.alignment is not None:
        return []

    def run(shop: Workshop) -> None:
        bitext = read_bitext(shop)
        aligner = train_aligner(bitext, options.aligner, threads=options.threads, progress=shop.progress)
        shop.progress("symmetrizing the two directions")
        aligner.align(bitext, options.symmetrize, threads=options.threads).write(shop[ALIGNMENT])
        aligner.save(shop[ALIGNER])

    wanted = {"aligner": options.aligner, "symmetrize": options.symmetrize}
    return [BuildStep("alignment", (ALIGNMENT, ALIGNER), run, needs=(SOURCE, TARGET), options=wanted)]
