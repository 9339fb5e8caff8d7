"""Writing candidate lists to files."""

from __future__ import annotations

from tunesmith.candidates.pool import Pool
from tunesmith.candidates.writers.base import WRITERS, Writer
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, content_suffix, open_write

__all__ = ["write", "writer_of"]


def write(pool: Pool, path: PathLike, format: str | None = None) -> None:  # noqa: A002 - as in read
    """Write a pool; `format` [default: detected from the name, `.jsonl`, `.csv`, ...]; `.gz` etc. compress.

    JSONL and Parquet keep everything except cached statistics; so do CSV and TSV, unless a feature has the
    name of another column. Moses and cdec keep texts, features,
    totals and ids that are whole numbers (others become 0, 1, ...); surrounding blanks of a text are
    lost, and `|||` in it is escaped.
    """
    if len(set(pool.ids)) != len(pool):
        raise InputError("two lists of the pool have the same id, which readers reject")
    writer = WRITERS[format] if format is not None else writer_of(path)
    if writer is None:
        raise OptionError(
            "cannot detect the format from the name {path}; set {} to one of {known}",
            "format",
            path=path,
            known=", ".join(WRITERS),
        )
    with open_write(path) as stream:
        stream.write(writer().head(pool))
        for chunk in writer().chunks(pool):
            stream.write(chunk)


def writer_of(path: PathLike) -> type[Writer] | None:
    """Return the writer for a file name; None if its suffix is unknown."""
    suffix = content_suffix(path)
    for writer in WRITERS.values():
        if suffix in writer.suffixes:
            return writer
    return None
