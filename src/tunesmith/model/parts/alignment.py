"""The steps that align words."""

from __future__ import annotations

from graphlib import TopologicalSorter

from tunesmith.align import Aligner, train_aligner
from tunesmith.align.model import get_model
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import (
    ALIGNER,
    ALIGNMENT,
    JOINED_STEP,
    SOURCE,
    TARGET,
    joined_aligner,
    joined_alignment,
    read_bitext,
)
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["align_words"]


def align_words(options: TrainingOptions) -> list[BuildStep]:
    """Return one step per aligner, none if an alignment is given.

    The first aligner is saved, to align more text, and so are those that others go on from, which come
    before these.
    """
    if options.alignment is not None:
        return []
    starts = {name: _start_of(name, options) for name in options.aligner}
    order = TopologicalSorter({name: [start] if start else [] for name, start in starts.items()})
    return [_align(options, name, starts) for name in order.static_order()]


def _start_of(name: str, options: TrainingOptions) -> str | None:
    """Return which of the aligners is the predecessor of one of them, with the same options."""
    wanted = get_model(name).predecessor
    return next((other for other in options.aligner if get_model(other) == wanted), None)


def _align(options: TrainingOptions, name: str, starts: dict[str, str | None]) -> BuildStep:
    """Return the step of an aligner; `starts` has the one that each goes on from."""
    first, start = options.aligner[0], starts[name]
    alignment = ALIGNMENT if name == first else joined_alignment(name)
    saved = name == first or name in starts.values()

    def run(shop: Workshop) -> None:
        bitext = read_bitext(shop)
        before = None if start is None else Aligner.open(shop[_file(start, first)])
        aligner = train_aligner(bitext, name, start=before, threads=options.threads, progress=shop.progress)
        shop.progress("symmetrizing the two directions")
        aligner.align(bitext, options.symmetrize, threads=options.threads).write(shop[alignment])
        if saved:
            aligner.save(shop[_file(name, first)])

    return BuildStep(
        "alignment" if name == first else JOINED_STEP + name,
        (alignment, *([_file(name, first)] if saved else [])),
        run,
        needs=(SOURCE, TARGET, *([_file(start, first)] if start else [])),
        options={"aligner": name, "symmetrize": options.symmetrize},
    )


def _file(name: str, first: str) -> str:
    """Return the file name of a saved aligner."""
    return ALIGNER if name == first else joined_aligner(name)
