"""Which files may be replaced by generated ones: those that a label beside them names as generated before."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tunesmith.errors import InputError
from tunesmith.generated.label import LABEL

__all__ = ["check_generated", "named_files"]


def named_files(files: Iterable[Path]) -> str:
    """Return the part of a label by which `check_generated` knows the files: a name per line."""
    return "".join(f"{path.name}\n" for path in files)


def check_generated(label: Path, files: Iterable[Path]) -> None:
    """Raise InputError if a file is there that the label does not name, or a label that is none of ours."""
    lines = label.read_text(encoding="utf-8", errors="replace").splitlines() if label.is_file() else []
    known = {label.name, *lines} if any(LABEL in line for line in lines) else set[str]()
    for path in (*files, label):
        if path.name not in known and os.path.lexists(path):
            raise InputError(
                f"is there already, and {label.name} does not name it as generated, so it is not replaced;"
                " choose another name or another folder",
                path=path,
            )
