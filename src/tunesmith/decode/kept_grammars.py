"""Requests whose rules are extracted once, into a file, however often they are translated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith.decode.grammars import extraction_text
from tunesmith.decode.request import Request
from tunesmith.files import PathLike
from tunesmith.model.kept_grammars import grammars_key, keep_grammars
from tunesmith.model.model import Model
from tunesmith.model.steps import Progress

__all__ = ["naming_grammars", "rows_to_extract", "with_kept_grammars"]


def with_kept_grammars(
    model: Model,
    requests: Sequence[Request],
    path: PathLike,
    *,
    span_limit: int | None = None,
    threads: int | None = None,
    progress: Progress = lambda line: None,
) -> list[Request]:
    """Extract the rules of all requests into a mapped file that they then name.

    They are the rules that the decoder would extract each time. Requests that bring rules keep them, and
    nothing is extracted for models without an index of rules, or with several sources of such rules.
    `span_limit` is that of the decoder [default: the model's].
    """
    rows, texts = rows_to_extract(model, requests, span_limit)
    if not rows:
        return list(requests)
    number = next(number for number, part in enumerate(model.rules) if part.source == "index")
    extractor = model.rule_extractor(number)
    excluded = [requests[row].exclude for row in rows]
    keep_grammars(
        path,
        model,
        extractor,
        lambda: extractor.grammars(texts, exclude_each=excluded, threads=threads),
        key=grammars_key(model.directory, extractor.options, texts, excluded),
        total=len(rows),
        progress=progress,
    )
    return naming_grammars(requests, zip(rows, range(len(rows)), strict=True), path)


def rows_to_extract(
    model: Model, requests: Sequence[Request], span_limit: int | None = None
) -> tuple[list[int], list[str]]:
    """Return which requests need extracted rules, and the text that these come from."""
    sources = [part for part in model.rules if part.source in ("index", "input")]
    rows = [row for row, request in enumerate(requests) if not request.brings_rules]
    if [part.source for part in sources] != ["index"] or not rows:
        return [], []
    span = sources[0].span_limit if span_limit is None else span_limit
    widest = model.rule_index()[1].rules.max_span
    return rows, [extraction_text(requests[row], span, widest) for row in rows]


def naming_grammars(
    requests: Sequence[Request], numbers: Iterable[tuple[int, int]], path: PathLike
) -> list[Request]:
    """Return requests of which some, by row and number, name a grammar of a file."""
    named = list(requests)
    for row, number in numbers:
        named[row] = replace(requests[row], grammar=Path(path).absolute(), grammar_number=number, exclude=())
    return named
