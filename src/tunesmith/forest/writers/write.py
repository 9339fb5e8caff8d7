"""Writing forests of any format to a file, or to a folder with one file per sentence."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, content_suffix
from tunesmith.folders import make_folder
from tunesmith.forest.forest import Forest
from tunesmith.forest.writers.base import WRITERS, Writer, check_new
from tunesmith.options import build

__all__ = ["write_forests"]


def write_forests(
    path: PathLike,
    items: Iterable[tuple[str, Forest]],
    format: str | None = None,  # noqa: A002 - the word users know
    **options: Any,
) -> int:
    """Write forests with the ids of their sentences, one at a time; return their number.

    The default format follows from the suffix. If the format allows one sentence per file, `path` may be a
    folder (existing, or a name that ends in `/`): sentence 3 goes to `3.gz` in it. Two forests with the same
    id, and an id that would not be read back, are an InputError.
    """
    folder = str(path).endswith(os.sep) or Path(path).is_dir()
    writer = WRITERS[format] if format is not None else _by_suffix(path, folder)
    configured = build(writer, f"format {writer.name!r}", options)
    if not folder:
        return configured.write(path, items)
    if not (writer.single or writer.unnamed):
        raise InputError(f"is a folder; the format {writer.name} has all sentences in one file", path=path)
    return _write_folder(Path(path), items, configured)


def _by_suffix(path: PathLike, folder: bool) -> type[Writer]:
    if folder:
        return WRITERS["moses-hypergraph"]
    suffix = content_suffix(path)
    for writer in WRITERS.values():
        if suffix in writer.suffixes:
            return writer
    known = ", ".join(f"{suffix} ({name})" for name in WRITERS for suffix in WRITERS[name].suffixes)
    raise OptionError(
        f"{path}: no forest format has this suffix; name a format, or end the file name in {known}"
    )


def _write_folder(folder: Path, items: Iterable[tuple[str, Forest]], writer: Writer) -> int:
    make_folder(folder)
    seen: set[str] = set()
    suffix = ".gz" if writer.name == "moses-hypergraph" else writer.suffixes[0]
    for sentence, forest in items:
        if not (sentence.isascii() and sentence.isdecimal()):
            raise InputError(
                f"the id {sentence!r} is not a number; files in a folder are named by ids", path=folder
            )
        check_new(sentence, seen, folder)
        seen.add(sentence)
        writer.write(folder / f"{sentence}{suffix}", [(sentence, forest)])
    return len(seen)
