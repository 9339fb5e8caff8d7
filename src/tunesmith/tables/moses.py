"""Phrase and reordering tables in Moses' text format."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.files import COMPRESSIONS, PathLike, check_output, open_write, parse_chunks, read_chunks
from tunesmith.tables.foreign import check_no_binary_table
from tunesmith.tables.notes import MOSES_SCORES, note, order_of, score_names
from tunesmith.tables.phrase_table import PhraseTable

__all__ = ["read_moses_table", "write_moses_table"]

CHUNK_BYTES = 1 << 20

Progress = Callable[[str], None]


def read_moses_table(
    path: PathLike,
    output: PathLike,
    *,
    reordering: PathLike | Sequence[PathLike] | None = None,
    reordering_types: Sequence[str] = (),
    scores: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> PhraseTable:
    """Read a text table, join reordering tables to it by phrase pair, and write the mapped form.

    The pairs of a source phrase must be contiguous, as in any sorted table; reordering tables may be in any
    order. A pair missing from a reordering table gets probabilities of 1 (no cost), as in Moses. A
    probability of 0 is kept; decoders take its log as -100. Sparse scores (`name value ...`, the field after
    the counts) are kept; properties, which no score depends on, are not. `reordering_types` [default:
    detected from the file names]. O(pairs) time; memory for the distinct phrases.
    """
    check_output(output)
    tell = progress or (lambda line: None)
    paths = _listed(reordering)
    for each in (path, *paths):
        check_no_binary_table(each)
    if reordering_types and len(reordering_types) != len(paths):
        raise InputError(f"{len(paths)} reordering tables have {len(reordering_types)} types")
    tables = []
    for each in paths:
        table = _native.MosesReordering()
        parse_chunks(_Parser(table), read_chunks(each), each)
        tell(f"{each}: {len(table)} lines of {table.width} probabilities")
        tables.append(table)
    types = list(reordering_types) or [reordering_type(each) for each in paths]
    models = [(kind, table.width) for kind, table in zip(types, tables, strict=True)]
    parser = _native.MosesTableParser(str(output), tables, order_of(scores or MOSES_SCORES))
    try:
        parse_chunks(_Parser(parser), read_chunks(path), path)
        names = tuple(scores) if scores is not None else score_names(parser.score_count)
        if len(names) != parser.score_count:
            raise InputError(f"has {parser.score_count} scores; {len(names)} names were given", path=path)
        parser.write(note(names, models, source=Path(path).name))
    finally:
        parser.abandon()
    if parser.dropped_fields:
        tell(f"{path}: dropped {parser.dropped_fields} fields of properties, which no score depends on")
    if parser.sparse_pairs:
        tell(f"{path}: {parser.sparse_pairs} pairs have sparse scores")
    if parser.without_reordering:
        tell(f"{path}: {parser.without_reordering} pairs are not in the reordering tables")
    written = PhraseTable.open(output)
    tell(f"{output}: {len(written)} pairs")
    return written


def write_moses_table(
    table: PhraseTable,
    path: PathLike,
    reordering: PathLike | Sequence[PathLike] | None = None,
) -> None:
    """Write a table in Moses' format and line order, six digits; `reordering` has one file per model."""
    paths = _listed(reordering)
    columns = table.reordering_columns
    if paths and len(paths) != len(columns):
        raise InputError(
            f"has {len(columns)} reordering models; {len(paths)} files were named", path=table.path
        )
    writer = _native.MosesWriter(table.native)
    with open_write(path) as stream:
        while chunk := writer.next_phrases(CHUNK_BYTES):
            stream.write(chunk)
    for each, (begin, end) in zip(paths, columns, strict=bool(paths)):
        writer = _native.MosesWriter(table.native)
        with open_write(each) as stream:
            while chunk := writer.next_reordering(CHUNK_BYTES, begin, end):
                stream.write(chunk)


def reordering_type(path: PathLike) -> str:
    """Return the model type in a name such as `reordering-table.wbe-msd-bidirectional-fe.gz`."""
    name = Path(path).name
    for suffix in COMPRESSIONS:
        name = name.removesuffix(suffix)
    for part in name.split("."):
        if part.endswith(("-f", "-fe")):
            return part
    return name


def _listed(paths: PathLike | Sequence[PathLike] | None) -> list[PathLike]:
    if paths is None:
        return []
    return [paths] if isinstance(paths, str | os.PathLike) else list(paths)


class _Parser:
    """A native parser that is itself the parsed result."""

    def __init__(self, native: _native.MosesTableParser | _native.MosesReordering) -> None:
        self.feed = native.feed
        self.finish = native.finish
