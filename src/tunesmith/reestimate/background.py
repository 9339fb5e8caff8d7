"""The pseudo-document that blocks begin with, and the scale of model scores, from a tuning set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.decode.base import AnyDecoder
from tunesmith.errors import InputError
from tunesmith.metrics import Bleu
from tunesmith.metrics.base import Segments
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["DECAY", "LIST", "Background", "scale_of", "tuning_background"]

DECAY = 0.9
"""Of the pseudo-document, per sentence (Chiang et al. 2008)."""
LIST = 100
"""Candidates per sentence from which the scale is computed."""
STEADY = DECAY / (1 - DECAY)
"""Sentences in a pseudo-document in the long run: O = 0.9 (O + c) if O = 9 c."""


@dataclass(frozen=True)
class Background:
    """Statistics O and source words O_f of the pseudo-document at the start of a block, and the scale a."""

    statistics: tuple[float, ...]
    words: float
    scale: float
    bleu_deviation: float
    """Standard deviation of B within lists."""
    model_deviation: float
    """The same of model scores."""
    given: bool = False
    """Whether the scale was given, not fitted."""

    def __post_init__(self) -> None:
        """Check the width of the statistics."""
        if len(self.statistics) != Bleu().width:
            raise ValueError(f"{len(self.statistics)} statistics; expected {Bleu().width}")

    def __str__(self) -> str:
        scale = f"{self.scale:.4g}{', as given' if self.given else ''}"
        return (
            f"model scores are multiplied by {scale}: within {LIST}-best lists of the tuning set, B"
            f" has the standard deviation {self.bleu_deviation:.4g} and h.w {self.model_deviation:.4g}"
        )


def tuning_background(
    decoder: AnyDecoder,
    source: Sequence[str],
    references: Sequence[Sequence[str]],
    mu: float,
    threads: int,
    scale: float | None = None,
) -> Background:
    """Return the background of a tokenized tuning set; `references[r][i]` is reference r of sentence i.

    O is 9 times the mean of the statistics of 1-best translations, and O_f 9 times the mean source length:
    what O <- 0.9 (O + c) approaches. a = sd(B) / sd(h.w), where both deviations are within lists: the root
    of the mean, over sentences, of the variance in a list of the 100 best; or a is the given `scale`.
    """
    if not source:
        raise InputError("the tuning set has no sentences")
    lists = list(decoder.kbest_all(source, LIST, threads=threads))
    offsets = np.cumsum([0, *map(len, lists)])
    texts = Texts.of([text for found in lists for text in found.texts])
    segments = Segments(texts, offsets, tuple(Texts.of(list(each)) for each in references))
    statistics = Bleu().measure(segments, threads)
    lengths = np.array([sum(1 for word in line.split(" ") if word) for line in source], dtype=np.float64)
    firsts = offsets[:-1][np.diff(offsets) > 0]
    if not len(firsts):
        raise InputError("no sentence of the tuning set has a translation")
    mean = STEADY * statistics[firsts].mean(axis=0)
    words = STEADY * float(lengths.mean())
    scores = np.concatenate([found.scores for found in lists])
    found, bleu, model = scale_of(statistics, scores, offsets, lengths, mean, words, mu, scale)
    return Background(tuple(mean.tolist()), words, found, bleu, model, given=scale is not None)


def scale_of(
    statistics: Stats,
    scores: FloatArray,
    offsets: IntArray,
    lengths: FloatArray,
    background: Stats,
    words: float,
    mu: float,
    given: float | None = None,
) -> tuple[float, float, float]:
    """Return a = sd(B) / sd(h.w), or the a that is given, and the two deviations, within lists.

    B = (O_f + |f|) BLEU(O + c) of each candidate. With mu > 0, unless a is given, it is an InputError if
    BLEU(O) is 0, or if no list has two different values of B, or two model scores. At mu = 0 a is
    not used, and may be 0.
    """
    owners = np.repeat(np.arange(len(lengths)), np.diff(offsets))
    gains = Bleu(sentence="none").score(statistics + background) * (words + lengths[owners])
    bleu, model = _deviation(gains, owners), _deviation(scores, owners)
    if given is not None:
        return given, bleu, model
    if mu > 0 and not Bleu().score(background) > 0:
        raise _no_bleu(background)
    for name, deviation in (("model score", model), ("BLEU", bleu)):
        if mu > 0 and not (deviation > 0 and np.isfinite(deviation)):
            raise InputError(
                f"all candidates of each sentence of the tuning set have the same {name}, so that model"
                " scores cannot be compared with BLEU; expected tuned weights and a tuning set that the model"
                " can translate"
            )
    return bleu / model if model > 0 else 0.0, bleu, model


def _no_bleu(background: Stats) -> InputError:
    """Return the error of statistics whose BLEU is 0: matches and totals of each length come first in them.

    BLEU is smoothed where there are n-grams without a match, but needs a match of words, and 4-grams.
    """
    if not background[0] > 0:
        return InputError(
            "the 1-best translations of the tuning set share no word with the references, so that model"
            " scores cannot be compared with BLEU; are the references those of the source, tokenized alike?"
        )
    order = Bleu().order
    return InputError(
        "no 1-best translation of the tuning set has {order} words, so that there are no {order}-grams, BLEU"
        " is 0 and model scores cannot be compared with it: the sentences are too short; give a tuning set"
        " with longer ones, or {}",
        "model_scale",
        order=order,
    )


def _deviation(values: FloatArray, owners: IntArray) -> float:
    """Return the root of the mean, over lists of several candidates, of the variance within the list."""
    counts = np.bincount(owners)
    means = np.bincount(owners, values) / np.maximum(counts, 1)
    squares = np.bincount(owners, np.square(values - means[owners])) / np.maximum(counts, 1)
    several = counts > 1
    return float(np.sqrt(squares[several].mean())) if several.any() else 0.0
