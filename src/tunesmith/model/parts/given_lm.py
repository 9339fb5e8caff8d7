"""The steps that take language models from outside as they are."""

from __future__ import annotations

import shutil
import warnings
from itertools import islice
from pathlib import Path

from tunesmith.container import is_container
from tunesmith.errors import TunesmithWarning
from tunesmith.files import read_lines
from tunesmith.lm import LanguageModel, compile_lm
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import TARGET, given_lm
from tunesmith.model.steps import BuildStep, Workshop

__all__ = ["take_given_lms"]

LINES = 2000
"""Lines of the target side whose words are looked up."""
MOST_UNKNOWN = 0.3
"""A language model that lacks a larger share of the words is probably of text in another form."""


def take_given_lms(options: TrainingOptions) -> list[BuildStep]:
    """Return a step per given language model: it is compiled, or copied if it is compiled already."""
    return [_given(number, path) for number, path in enumerate(options.lm)]


def _given(number: int, path: Path) -> BuildStep:
    output = given_lm(number)

    def run(shop: Workshop) -> None:
        if is_container(path):
            LanguageModel.open(path, verify=True)
            shutil.copyfile(path, shop[output])
        else:
            compile_lm(path, shop[output], progress=shop.progress)
        _warn_of_unknown(path, LanguageModel.open(shop[output]), shop[TARGET])

    return BuildStep(
        f"given language model {number}", (output,), run, inputs={"model": path}, needs=(TARGET,)
    )


def _warn_of_unknown(path: Path, model: LanguageModel, text: Path) -> None:
    """Issue a TunesmithWarning if the model does not know many words of the target side."""
    words = [word for line in islice(read_lines(text), LINES) for word in line.split()]
    unknown = [word for word in words if word not in model]
    if len(unknown) > MOST_UNKNOWN * len(words):
        shown = ", ".join(dict.fromkeys(unknown[:20]))
        warnings.warn(
            f"{path}: the language model does not know {len(unknown) / len(words):.0%} of the words of the"
            f" target side ({shown:.120}); is its text tokenized and cased like the target side?",
            TunesmithWarning,
            stacklevel=2,
        )
