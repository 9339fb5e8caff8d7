"""The sentences of a set, as a model reads them, and their references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tunesmith.corpus.sets import read_reference_texts
from tunesmith.decode.input.read import read_requests
from tunesmith.decode.preparation import model_side
from tunesmith.decode.request import Request
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.model.model import Model
from tunesmith.texts import Texts

__all__ = ["check_length", "files_in", "preparation", "read_references", "read_sentences"]


def preparation(model: Model | PathLike, side: str, threads: int | None) -> Callable[[Texts], Texts]:
    """Return what makes raw text of the form of a model's training text."""
    return partial(model_side(model, side).prepare, threads=threads)


def read_sentences(
    source: PathLike, input_format: str | None, prepare: Callable[[Texts], Texts] | None
) -> list[Request]:
    """Read sentences, at least one, as `decode` reads them."""
    batches = read_requests(source, input_format, prepare=prepare)
    requests = [request for batch in batches for request in batch]
    if not requests:
        raise InputError("there are no sentences to translate", path=source)
    return requests


def files_in(files: PathLike | Sequence[PathLike]) -> list[PathLike]:
    """Return one file or several as a list."""
    return [files] if isinstance(files, str) or not isinstance(files, Sequence) else list(files)


def read_references(
    files: PathLike | Sequence[PathLike], prepare: Callable[[Texts], Texts] | None = None
) -> tuple[Texts, ...]:
    """Read references, one sentence per line or in sets; all must have the same number of lines."""
    paths = files_in(files)
    if not paths:
        raise InputError("expected a file of references, found none")
    named = read_reference_texts(paths)
    references = tuple(texts for _, texts in named)
    for path, reference in named:
        if len(reference) != len(references[0]):
            raise InputError(
                f"{paths[0]} has {len(references[0])} lines, but {path} has {len(reference)};"
                " expected one line per sentence in each reference"
            )
    return references if prepare is None else tuple(prepare(text) for text in references)


def check_length(sentences: int, source: object, references: Sequence[Texts], place: object) -> None:
    """Refuse a number of sentences that differs from the references; `place` names their file."""
    lines = len(references[0])
    if sentences != lines:
        raise InputError(
            f"{source} has {sentences} sentences, but {place} {lines} lines; expected one line per sentence"
        )
