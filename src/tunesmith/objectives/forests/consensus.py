"""The former module of `ExpectedCounts`."""

from __future__ import annotations

import warnings

from tunesmith.objectives.forests.expected_counts import ExpectedCounts


def __getattr__(name: str) -> type[ExpectedCounts]:
    if name != "Consensus":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn("Consensus is now expected_counts.ExpectedCounts", DeprecationWarning, stacklevel=2)
    return ExpectedCounts
