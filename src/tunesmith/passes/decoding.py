"""How a text is decoded: with which weights and search, without which folds, and where."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.distribute import Executor
from tunesmith.errors import Message, OptionError, TunesmithWarning
from tunesmith.features.base import Template
from tunesmith.files import PathLike
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.parts.names import FOLDS
from tunesmith.model.steps import Progress

__all__ = ["Decoding"]


@dataclass(frozen=True, kw_only=True)
class Decoding:
    """What all passes over a text take.

    `weights`, `search` and `templates` are those of `open_decoder`, which calls `announce` with what a file
    of weights brings. `jackknife` says how the models without a fold are built, and which folds other text
    has. With an `executor` its workers decode, else `threads` of this process: results are the same.
    """

    weights: Mapping[str, float] | PathLike | None = None
    search: SearchOptions | ChartOptions | Mapping[str, Any] | None = None
    templates: Sequence[Template] = ()
    jackknife: JackknifeOptions | None = None
    threads: int | None = None
    executor: Executor | None = None
    progress: Progress = lambda line: None
    announce: Callable[[str], None] | None = None

    def open(
        self, model: PathLike, *, changes: Mapping[str, float] | None = None, verify: bool = False
    ) -> AnyDecoder:
        """Open the decoder of a whole model; see `open_decoder`."""
        given = self.weights, self.search, self.templates
        return open_decoder(model, *given, changes=changes, verify=verify, announce=self.announce)

    def left_out(self, model: Path, *, jackknife: bool, otherwise: Message) -> JackknifeOptions | None:
        """Return how folds are left out, None if they are not to be.

        A model without folds is an OptionError, which says what to do `otherwise`.
        """
        if not jackknife:
            return None
        if not (FoldModels(model).home / FOLDS).is_file():
            raise OptionError(
                "{model} was not trained with folds, so that none can be left out: train it with"
                f" `tunesmith train --folds 10`, or {otherwise.template}",
                *otherwise.options,
                model=model,
            )
        return self.jackknife or JackknifeOptions(jackknife=True)

    def fold_models(self, model: Path, folds: JackknifeOptions | None, *, is_own: bool) -> FoldModels | None:
        """Return the models that translate a text fold by fold, and warn of what they do not leave out.

        None if no options are given: the whole model translates all. If the text `is_own`, that is the one
        the model was trained on, each translates sentences of its own fold only, and is confined to them.
        """
        if folds is None:
            return None
        models = FoldModels.of(model, folds, threads=self.threads)
        for message in models.messages:
            warnings.warn(message, TunesmithWarning, stacklevel=3)
        return replace(models, confined=not models.keep) if is_own else models
