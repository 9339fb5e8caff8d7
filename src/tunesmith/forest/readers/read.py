"""Reading forests of any format from a file, or from a folder with one file per sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tunesmith.candidates.readers import Source
from tunesmith.errors import InputError
from tunesmith.files import PathLike, read_chunks
from tunesmith.forest.forest import Forest
from tunesmith.forest.readers.base import READERS, Reader
from tunesmith.options import build

__all__ = ["NUMBERED", "read_forests"]

NUMBERED = re.compile(r"(\d+)(\.\w+)*")
"""The names of the files that are read of a folder: the number of the sentence, and suffixes."""


def read_forests(
    path: PathLike,
    format: str | None = None,  # noqa: A002 - the word users know
    **options: Any,
) -> Iterator[tuple[str, Forest]]:
    """Yield the forests of a file with the ids of their sentences, one at a time.

    `path` may be a folder with one file per sentence (`0.gz`, `1.gz`, ...; others are skipped), or `-` for
    standard input. The default format is detected from the content; `options` are those of its reader.
    """
    if format is not None:
        _configured(READERS[format], options)  # reports a wrong name now, not at the first forest
    return _read(path, format, options)


def _configured(reader: type[Reader], options: dict[str, Any]) -> Reader:
    return build(reader, f"format {reader.name!r}", options)


def _read(path: PathLike, format_: str | None, options: dict[str, Any]) -> Iterator[tuple[str, Forest]]:
    if str(path) != "-" and Path(path).is_dir():
        for file in _numbered_files(Path(path)):
            yield from _read_file(file, format_, options)
    else:
        yield from _read_file(path, format_, options)


def _numbered_files(folder: Path) -> list[Path]:
    numbered = [(match, file) for file in folder.iterdir() if (match := NUMBERED.fullmatch(file.name))]
    if not numbered:
        raise InputError(
            "the folder has no file such as 0.gz; expected one per sentence, named by its number", path=folder
        )
    return [file for _, file in sorted(numbered, key=lambda item: (int(item[0][1]), item[1].name))]


def _read_file(path: PathLike, format_: str | None, options: dict[str, Any]) -> Iterator[tuple[str, Forest]]:
    chunks = read_chunks(path)
    source = Source(path, next(chunks, b""), chunks)
    reader = READERS[format_] if format_ is not None else _recognize(source)
    try:
        yield from _configured(reader, options).read(source)
    except InputError as error:
        if error.path is not None:
            raise
        raise InputError(error.message, path=path, line=error.line) from None


def _recognize(source: Source) -> type[Reader]:
    for reader in READERS.values():
        if reader.recognizes(source.head):
            return reader
    raise InputError(
        f"cannot detect the forest format; if it is one of {', '.join(READERS)}, name it",
        path=source.path,
    )
