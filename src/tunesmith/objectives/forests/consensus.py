"""The former module of `ExpectedCounts`."""

from tunesmith.lazy import renamed
from tunesmith.objectives.forests.expected_counts import ExpectedCounts

__all__ = ["ExpectedCounts"]

__getattr__ = renamed(__name__, {"Consensus": "ExpectedCounts"})
