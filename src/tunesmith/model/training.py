"""Parallel text in, model directory out."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tunesmith.errors import OptionError, suggest
from tunesmith.files import PathLike
from tunesmith.model.kinds import steps_of
from tunesmith.model.manifest import Manifest
from tunesmith.model.options import TrainingOptions
from tunesmith.model.steps import Progress, StepReport, run_steps

__all__ = ["Trained", "train", "trained"]


@dataclass(frozen=True)
class Trained:
    """A model directory, and how each step of its training went."""

    directory: Path
    manifest: Manifest
    steps: list[StepReport]


def train(
    source: PathLike,
    target: PathLike,
    directory: PathLike,
    *,
    kind: str = "phrase",
    progress: Progress = lambda line: None,
    **options: Any,
) -> Trained:
    """Train a model from parallel text; the options are those of `TrainingOptions`.

    Called again after a kill, or with other options, it redoes only what is not done or has changed.
    """
    known = {field.name for field in fields(TrainingOptions)}
    for name in options:
        if name not in known:
            raise OptionError(f"there is no training option {name!r}{suggest(name, known)}")
    given = TrainingOptions(source=Path(source), target=Path(target), **options)
    return trained(directory, run_steps(directory, kind, steps_of(kind, given), progress))


def trained(directory: PathLike, reports: list[StepReport]) -> Trained:
    """Read the manifest of a directory whose steps were just run."""
    return Trained(Path(directory), Manifest.read(directory), reports)
