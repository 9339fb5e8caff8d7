"""Linear interpolation of language models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike
from tunesmith.folders import temporary_folder
from tunesmith.lm.mixture_weights import TOLERANCE
from tunesmith.lm.model import LanguageModel
from tunesmith.lm.sorted_ngrams import SortedNgrams
from tunesmith.options import check_options, option
from tunesmith.threads import thread_count

__all__ = ["InterpolateOptions", "InterpolatedModel", "interpolate"]

_ROUNDING = 1e-6


@dataclass(frozen=True)
class InterpolateOptions:
    """Options of the interpolation of language models."""

    mixture_weights: tuple[float, ...] = option(
        (),
        help="Weights of the models, which sum to 1, such as 0.3,0.7 [default: the most likely for --text].",
        least=0,
        most=1,
        joined=True,
    )
    tolerance: float = option(
        TOLERANCE,
        help="Fit weights until the mean log-likelihood per token grows by this or less.",
        least=0,
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "mixture_weights", tuple(self.mixture_weights))
        check_options(self, "interpolation")
        if self.mixture_weights:
            _check_sum(self.mixture_weights)
            if self.tolerance != TOLERANCE:
                raise OptionError(
                    "interpolation: {} is for weights that are fitted, not given by {}; omit one of them",
                    "tolerance",
                    "mixture_weights",
                )


@dataclass(frozen=True, eq=False)
class InterpolatedModel(SortedNgrams[_native.LmMixture]):
    """A mixture, in memory."""

    weights: tuple[float, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of n-grams per order."""
        return tuple(self.native.counts)

    def language_model(self, folder: PathLike | None = None) -> LanguageModel:
        """Return the model to query, for this process.

        Its binary form is written into `folder` [default: that of temporary files], and removed at once.
        """
        with temporary_folder(".lm.", folder) as made:
            path = Path(made) / "lm.bin"
            self.write_binary(path)
            return LanguageModel(_native.NgramLm(str(path), False))  # stays mapped


def interpolate(
    models: Sequence[LanguageModel], mixture_weights: Sequence[float], *, threads: int | None = None
) -> InterpolatedModel:
    """Return the mixture of models as one back-off model; `MixtureText.fit` finds weights.

    The n-grams are those of all models, with

        p(w | h) = sum_i lambda_i p_i(w | h),

    where models back off for n-grams that they lack, and back-offs are computed anew so that each context
    sums to 1. A word that a model lacks has p_i(w | h) = 0. For n-grams that are stored this is the exact
    mixture; for others the mixture backs off, as in SRILM's `-mix-lm`. O(n) time and memory in the n-grams,
    20 bytes per n-gram of the models and as many per n-gram of the mixture, and the same again while sorting.
    """
    if len(models) != len(mixture_weights):
        raise OptionError(
            "interpolation: {found} {} for {models} language models; expected one per model",
            "mixture_weights",
            found=len(mixture_weights),
            models=len(models),
        )
    for number, model in enumerate(models, 1):
        if model.native.has_classes:
            raise InputError(
                f"language model {number} is class-based: interpolate ARPA files of the classes, and compile"
                " the result with `tunesmith lm compile --class-file`"
            )
    _check_sum(mixture_weights)
    natives = [model.native for model in models]
    total = sum(mixture_weights)
    chosen = tuple(float(weight) / total for weight in mixture_weights)
    return InterpolatedModel(_native.LmMixture(natives, list(chosen), thread_count(threads)), chosen)


def _check_sum(weights: Sequence[float]) -> None:
    if len(weights) < 2 or min(weights) <= 0 or not abs(sum(weights) - 1) < _ROUNDING:
        raise OptionError(
            "interpolation: {} must be two or more numbers above 0 that sum to 1, not {found}; leave out"
            " models that get nothing",
            "mixture_weights",
            found=",".join(f"{weight:g}" for weight in weights),
        )
