"""Records whose numbers JSON can express."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["finite"]


def finite(record: Any) -> Any:
    """Return a record with null for infinities and NaN, for which JSON has no number."""
    if isinstance(record, dict):
        return {name: finite(value) for name, value in record.items()}
    if isinstance(record, list | tuple):
        return [finite(value) for value in record]
    return None if isinstance(record, float) and not math.isfinite(record) else record
