"""The kinds of models, one file each: which steps build them."""

from tunesmith.model.kinds.base import KINDS, Kind

__all__ = ["KINDS", "Kind"]
