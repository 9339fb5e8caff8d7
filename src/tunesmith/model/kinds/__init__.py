"""The kinds of models, one file each: which steps build them."""

from tunesmith.model.kinds.base import KINDS, Kind, steps_of

__all__ = ["KINDS", "Kind", "steps_of"]
