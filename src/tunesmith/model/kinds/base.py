"""What a kind of model is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tunesmith.model.options import TrainingOptions
from tunesmith.model.steps import Step
from tunesmith.registry import Registry

__all__ = ["KINDS", "Kind"]

Kind: TypeAlias = Callable[[TrainingOptions], list[Step]]

KINDS: Registry[Kind] = Registry("kind of model", __package__)
