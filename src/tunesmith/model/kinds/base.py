"""Kinds of models: the steps that build them, and their options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from tunesmith.errors import OptionError
from tunesmith.model.options import TrainingOptions
from tunesmith.model.steps import BuildStep
from tunesmith.registry import Registry

__all__ = ["KINDS", "Kind", "steps_of"]


@dataclass(frozen=True)
class Kind:
    """The steps that build a model, and the options that only some kinds have, this one included."""

    steps: Callable[[TrainingOptions], list[BuildStep]]
    options: frozenset[str] = frozenset()


KINDS: Registry[Kind] = Registry("kind of model", __package__)


def steps_of(kind: str, options: TrainingOptions) -> list[BuildStep]:
    """Return the steps; an OptionError if an option of other kinds only is set."""
    chosen = KINDS[kind]
    for field in fields(options):
        owners = [name for name, other in KINDS.items() if field.name in other.options]
        if owners and field.name not in chosen.options and getattr(options, field.name) != field.default:
            facts = {"others": " and ".join(owners), "kind": kind}
            raise OptionError("{} is an option of {others} models, not of {kind}", field.name, **facts)
    return chosen.steps(options)
