"""Parallel text in, model directory out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tunesmith.corpus.pair_counts import PairCounts
from tunesmith.files import PathLike
from tunesmith.model.kinds import steps_of
from tunesmith.model.manifest import Manifest
from tunesmith.model.options import TrainingOptions
from tunesmith.model.parts.names import PAIRS
from tunesmith.model.steps import BuildReport, Progress, run_steps
from tunesmith.options import build

__all__ = ["Trained", "train", "train_model", "trained"]


@dataclass(frozen=True)
class Trained:
    """A model directory, and the report of each build step."""

    directory: Path
    manifest: Manifest
    steps: list[BuildReport]

    @property
    def pairs(self) -> PairCounts | None:
        """How many sentence pairs were kept, and why others were dropped; None if the model has no text."""
        return PairCounts.read(self.directory / PAIRS) if PAIRS in self.manifest.files else None


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

    If called again after a kill, or with other options, only missing or changed steps run.
    """
    given = build(TrainingOptions, "training", {"source": source, "target": target, **options})
    return train_model(given, directory, kind=kind, progress=progress)


def train_model(
    options: TrainingOptions,
    directory: PathLike,
    *,
    kind: str = "phrase",
    progress: Progress = lambda line: None,
) -> Trained:
    """Train a model as `train` does."""
    return trained(directory, run_steps(directory, kind, steps_of(kind, options), progress))


def trained(directory: PathLike, reports: list[BuildReport]) -> Trained:
    """Read the manifest of a directory whose steps were just run."""
    return Trained(Path(directory), Manifest.read(directory), reports)
