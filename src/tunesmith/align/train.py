"""Training an aligner, and aligning a bitext, in one call each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tunesmith.align.aligner import Aligner
from tunesmith.align.model import AlignmentModel, get_model
from tunesmith.align.symmetrize import check_symmetrization
from tunesmith.align.training import Parameters, Progress, Training
from tunesmith.corpus import Alignments, Bitext
from tunesmith.errors import InputError, OptionError
from tunesmith.texts import Texts
from tunesmith.threads import thread_count

__all__ = ["align_corpus", "train_aligner"]


def train_aligner(
    bitext: Bitext,
    model: str | AlignmentModel = "hmm",
    *,
    start: Aligner | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: object,
) -> Aligner:
    """Train a model ("ibm1", "diagonal", "hmm" or "ibm4") on a bitext, both directions at once.

    `options` are the model's own: em_iterations, smoothing, pseudo, null, ... With `start`, an aligner that
    was trained on the same bitext as the model's `predecessor` (the HMM of "ibm4"), training goes on from
    there, to the same result. The result does not depend on the number of threads. Pairs with an empty side,
    or with more than 2^20 cells (source words times target words), are ignored.
    """
    chosen = get_model(model, **options)
    if start is not None and not isinstance(start, Aligner):
        raise OptionError(
            "{owner}: {} must be an aligner, such as train_aligner returns, not {found!r:.80}",
            "start",
            owner=chosen.name,
            found=start,
        )
    if start is not None and start.model != chosen.predecessor:
        raise OptionError(f"{chosen.name}: training cannot go on from {start.model}: {_wanted(chosen)}")
    training = Training.of(bitext, thread_count(threads), progress)
    parameters = _train(chosen, training) if start is None else chosen.train(_continue(training, start))
    return Aligner(
        chosen,
        training.table,
        parameters,
        bitext.source.vocabulary,
        bitext.target.vocabulary,
        tuple(training.history),
    )


def _wanted(model: AlignmentModel) -> str:
    if model.predecessor is None:
        return "it starts from uniform probabilities; omit start"
    return f"give an aligner of {model.predecessor}, or omit start"


def _continue(training: Training, start: Aligner) -> Training:
    """Begin with what an aligner was trained to; one of another text is an InputError."""
    bitext = training.bitext
    for known, side in ((start.source, bitext.source), (start.target, bitext.target)):
        if not _same(known.words(), side.vocabulary.words()):
            raise InputError("the aligner to start from was trained on other text; expected the same bitext")
    training.table.assign(start.table)  # an InputError if the word pairs differ
    training.history.extend(start.history)
    return replace(training, before=start.parameters)


def _train(model: AlignmentModel, training: Training) -> Parameters:
    """Train a model, its predecessor first."""
    if model.predecessor is not None:
        training = replace(training, before=_train(model.predecessor, training))
    return model.train(training)


def _same(one: Texts, other: Texts) -> bool:
    return np.array_equal(one.offsets, other.offsets) and np.array_equal(one.blob, other.blob)


def align_corpus(
    bitext: Bitext,
    model: str | AlignmentModel = "hmm",
    symmetrize: str = "grow-diag-final-and",
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Alignments:
    """Train a model on a bitext and return the symmetrized alignment of that bitext."""
    check_symmetrization(symmetrize)
    aligner = train_aligner(bitext, model, threads=threads, progress=progress, **options)
    return aligner.align(bitext, symmetrize, threads=threads)
