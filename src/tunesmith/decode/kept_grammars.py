"""Requests whose rules are extracted once, into a file, however often they are translated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tunesmith.decode.grammars import extraction_text
from tunesmith.decode.request import Request
from tunesmith.extract.sentence_grammar import SentenceGrammar
from tunesmith.extract.suffix_array import GrammarExtractor
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

    They are the rules that the decoder would extract each time. Requests that bring rules keep them, those
    that exclude training pairs stay as they are, and so do all of a model without an index, or with several
    sources of such rules. `span_limit` is that of the decoder [default: the model's].
    """
    rows, texts = rows_to_extract(model, requests, span_limit)
    if not rows:
        return list(requests)
    number = _number_of_index(model)

    def extract() -> tuple[GrammarExtractor, Iterator[SentenceGrammar]]:
        extractor = model.rule_extractor(number)
        return extractor, extractor.grammars(texts, threads=threads)

    key = grammars_key(model, model.grammar_options(number), texts)
    keep_grammars(path, model, extract, key=key, total=len(rows), progress=progress)
    return naming_grammars(requests, zip(rows, range(len(rows)), strict=True), path)


def rows_to_extract(
    model: Model, requests: Sequence[Request], span_limit: int | None = None
) -> tuple[list[int], list[str]]:
    """Return which requests need rules of a file, and the text that these come from."""
    if [part.source for part in model.rules if part.source in ("index", "input")] != ["index"]:
        return [], []
    number = _number_of_index(model)
    span = model.rules[number].span_limit if span_limit is None else span_limit
    widest = model.grammar_options(number).rules.max_span
    rows = [row for row, request in enumerate(requests) if not request.brings_rules and not request.exclude]
    return rows, [extraction_text(requests[row], span, widest) for row in rows]


def naming_grammars(
    requests: Sequence[Request], numbers: Iterable[tuple[int, int]], path: PathLike
) -> list[Request]:
    """Return requests of which some, by row and number, name a grammar of a file."""
    named = list(requests)
    for row, number in numbers:
        named[row] = replace(requests[row], grammar=Path(path).absolute(), grammar_number=number)
    return named


def _number_of_index(model: Model) -> int:
    return next(number for number, part in enumerate(model.rules) if part.source == "index")
