"""Warnings that show the line of the user's own program, however deep the call went here."""

from __future__ import annotations

import sys
import warnings

__all__ = ["warn_user"]


def warn_user(warning: Warning) -> None:
    """Issue a warning at the innermost call that is not made in this package."""
    frame, level = sys._getframe(1), 3
    package = __name__.partition(".")[0]
    while frame.f_back is not None and _package(frame.f_back.f_globals) == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(warning, stacklevel=level)


def _package(names: dict[str, object]) -> str:
    return str(names.get("__name__", "")).partition(".")[0]
