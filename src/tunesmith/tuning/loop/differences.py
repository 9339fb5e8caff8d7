"""How the settings of two runs differ, in the words of the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["differences"]

LEADING = ("--method", "--metric")
"""If one of these differs, others follow from it."""
LONGEST_SHOWN = 30
"""Longer values, such as digests, are not shown."""
MOST = 3
"""So many differences are told, and others counted."""


def differences(known: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Return `--seed 1, not 2, and another model`; what follows from another method or metric is left out."""
    keys = [key for key in {**known, **own} if known.get(key) != own.get(key)]
    keys = next(([key] for key in LEADING if key in keys), keys)
    told = [_difference(key, known.get(key), own.get(key)) for key in keys[:MOST]]
    if len(keys) > MOST:
        told.append(f"{len(keys) - MOST} more that differ")
    return ", and ".join(told)


def _difference(key: str, old: object, new: object) -> str:
    texts = [_shown(value) for value in (old, new)]
    if max(map(len, texts)) <= LONGEST_SHOWN:
        return f"{key} {texts[0]}, not {texts[1]}"
    return f"other {key}" if key.endswith("s") else f"another {key}"


def _shown(value: object) -> str:
    if value is None or value == []:
        return "none"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)
