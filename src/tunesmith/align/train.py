"""Training an aligner, and aligning a bitext, in one call each."""

from __future__ import annotations

import warnings
from typing import Any

from tunesmith.align.aligner import Aligner
from tunesmith.align.model import AlignmentModel, get_model
from tunesmith.align.symmetrize import check_symmetrization
from tunesmith.align.training import Progress, Training
from tunesmith.corpus import Alignments, Bitext
from tunesmith.threads import thread_count

__all__ = ["align", "align_corpus", "train_aligner"]


def train_aligner(
    bitext: Bitext,
    model: str | AlignmentModel = "hmm",
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: object,
) -> Aligner:
    """Train a model ("ibm1", "diagonal", "hmm" or "ibm4") on a bitext, both directions at once.

    `options` are the model's own: iterations, smoothing, pseudo, null, ... The result does not depend on
    the number of threads. Pairs with an empty side, or with more than 2^20 cells (source words times
    target words), are ignored.
    """
    chosen = get_model(model, **options)
    training = Training.of(bitext, thread_count(threads), progress)
    parameters = chosen.train(training)
    return Aligner(
        chosen,
        training.table,
        parameters,
        bitext.source.vocabulary,
        bitext.target.vocabulary,
        tuple(training.history),
    )


def align_corpus(
    bitext: Bitext,
    model: str | AlignmentModel = "hmm",
    symmetrize: str = "grow-diag-final-and",
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: object,
) -> Alignments:
    """Train a model on a bitext and return the symmetrized alignment of that bitext."""
    check_symmetrization(symmetrize)
    aligner = train_aligner(bitext, model, threads=threads, progress=progress, **options)
    return aligner.align(bitext, symmetrize, threads=threads)


def align(*given: Any, **options: Any) -> Alignments:
    """Deprecated alias of `align_corpus`."""
    warnings.warn("align is now called align_corpus", DeprecationWarning, stacklevel=2)
    return align_corpus(*given, **options)
