"""The version that is running."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

__all__ = ["__version__"]


def _version() -> str:
    """Return the version of the installed package; of sources that are not installed, `0.1.0+source`."""
    try:
        return importlib.metadata.version("tunesmith")
    except importlib.metadata.PackageNotFoundError:
        project = Path(__file__).resolve().parents[2] / "pyproject.toml"
        found = (
            re.search(r'^version = "(.+)"$', project.read_text(), re.MULTILINE) if project.is_file() else None
        )
        return f"{found[1] if found else '0'}+source"


__version__ = _version()
