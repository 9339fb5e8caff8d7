"""Writing forests of any format to a file, or to a folder with a file a sentence."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, content_suffix
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
    """Write forests with the ids of their sentences, one at a time; return how many.

    The suffix tells the format if none is given. Where a file can hold one sentence, `path` may be a folder
    (one that exists, or a name that ends in `/`): sentence 3 goes to `3.gz` in it. Two forests of one id, and
    an id that would not be read back, are an InputError.
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
    raise OptionError(f"{path}: the suffix tells no forest format; name one, or end the name in {known}")


def _write_folder(folder: Path, items: Iterable[tuple[str, Forest]], writer: Writer) -> int:
    folder.mkdir(exist_ok=True)
    seen: set[str] = set()
    suffix = ".gz" if writer.name == "moses-hypergraph" else writer.suffixes[0]
    for sentence, forest in items:
        if not (sentence.isascii() and sentence.isdecimal()):
            raise InputError(
                f"the id {sentence!r} is no number, which files of a folder are named by", path=folder
            )
        check_new(sentence, seen, folder)
        seen.add(sentence)
        writer.write(folder / f"{sentence}{suffix}", [(sentence, forest)])
    return len(seen)
