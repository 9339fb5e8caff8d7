"""Whole folders, hidden files among them, to compare before and after."""

from __future__ import annotations

from pathlib import Path

from tunesmith.leftovers import temporary_name


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of each file of a folder and of those within, and the names of the folders."""
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): b"" if path.is_dir() else path.read_bytes() for path in paths}


def put_temporary_files(folder: Path) -> None:
    """Put files into a folder whose names are those of temporary files of a process that does not run."""
    host = temporary_name(folder / "x").name.split("-")[1]
    for name in (".notes.2023.tmp", ".x.99999998.tmp", f".x.99999998-{host}"):
        (folder / name).write_text(name)
