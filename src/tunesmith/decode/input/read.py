"""Reading requests in batches, as soon as input is available."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from tunesmith.corpus.clean import space_lines
from tunesmith.corpus.sets import EvaluationSet, read_set
from tunesmith.decode.input.base import INPUT_FORMATS, detect
from tunesmith.decode.request import Request
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, read_chunks
from tunesmith.texts import Texts

__all__ = ["Prepare", "read_requests"]

Prepare = Callable[[Texts], Texts]

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_requests(
    path: PathLike,
    format: str | None = None,  # noqa: A002 - the word users know
    *,
    prepare: Prepare | None = None,
    casing: Prepare | None = None,
    grammar_root: PathLike | None = None,
    sentences: int = 256,
    words: int = 1 << 16,
) -> Iterator[list[Request]]:
    """Yield batches of requests, one per line, with ids and line numbers; `-` is standard input.

    The default format is detected per line. A batch has at most this many `sentences`, and ends with the
    sentence that reaches this many `words`; on a pipe it has the available lines, so that a slow writer gets
    answers. White space becomes spaces and control characters are removed, as in training; then `prepare` is
    applied, and `casing`, which changes the case: requests keep the words as they were in `written`. The
    source of an evaluation set (see `corpus.sets`) is read as text. Grammars named by lines are looked up in
    the current folder, then in that of the input; with `grammar_root` in that folder alone, and one outside
    it is an InputError.
    """
    root = None if grammar_root is None else _root(grammar_root)
    kind = None if format is None else INPUT_FORMATS[format]
    ids = _Ids()
    found = read_set(path)
    if found is not None and kind is None:
        kind = INPUT_FORMATS["text"]  # a segment of a set is text, whatever it looks like
    order = 0
    for lines in _available_lines(path) if found is None else [_segments(found, path)]:
        batch: list[Request] = []
        size = 0
        for number, line in lines:
            try:
                request = (kind or detect(line)).parse(line)
                named = replace(
                    request,
                    id=ids.add(request.id, order),
                    grammar=None if request.grammar is None else _found(request.grammar, path, root),
                    line=number,
                )
            except InputError as error:
                raise InputError(error.message, path=path, line=number) from None
            batch.append(named)
            order += 1
            size += line.count(" ") + 1
            if len(batch) == sentences or size >= words:
                yield _prepared(batch, prepare, casing)
                batch, size = [], 0
        if batch:
            yield _prepared(batch, prepare, casing)


def _segments(found: EvaluationSet, path: PathLike) -> list[tuple[int, str]]:
    """Return the source segments of a set, each with the line where it starts."""
    if not found.source:
        raise InputError("the set has no source: expected <srcset>, or <src> in its documents", path=path)
    return [(segment.line, segment.text) for segment in found.source.values()]


def _root(folder: PathLike) -> Path:
    if not Path(folder).is_dir():
        raise OptionError("{}: {folder} is not a folder", "grammar_root", folder=folder)
    return Path(folder).resolve()


def _found(grammar: Path, path: PathLike, root: Path | None) -> Path:
    """Return the path of a grammar: in the root, or relative to the current folder or that of the input."""
    is_there = _exists(grammar)
    if root is not None:
        place = Path(os.path.realpath(root / grammar))
        if not place.is_relative_to(root):  # the same whether it exists or not
            raise InputError(
                "the grammar {name!r} is outside of {} {root}", "grammar_root", name=str(grammar), root=root
            )
        if not _exists(place):
            raise InputError(f"there is no grammar {str(grammar)!r} in {root}")
        return place
    if is_there:
        return grammar
    folder = Path() if str(path) == "-" else Path(path).parent
    if _exists(folder / grammar):
        return folder / grammar
    places = "" if grammar.is_absolute() else "; looked in the current folder"
    if places and folder != Path():
        places += f" and in {folder}"
    raise InputError(f"there is no grammar {str(grammar)!r}{places}")


def _exists(grammar: Path) -> bool:
    """Return whether there is a file; a name that no file can have is an InputError."""
    try:
        grammar.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError) as error:  # ValueError: a NUL, or a lone surrogate
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read the grammar {str(grammar)!r:.60}: {reason}") from None
    return True


def _prepared(batch: list[Request], prepare: Prepare | None, casing: Prepare | None) -> list[Request]:
    texts, _ = space_lines(Texts.of(request.source for request in batch))
    if prepare is not None:
        for request in batch:
            if request.phrases:
                raise InputError(
                    "preparation would change the words that given phrases refer to;"
                    " prepare the text before adding markup",
                    line=request.line,
                )
        texts = prepare(texts)
    cased = texts if casing is None else casing(texts)
    return [
        request
        if request.lattice is not None
        else replace(request, source=source, written="" if source == written else written)
        for request, source, written in zip(batch, cased, texts, strict=True)
    ]


def _available_lines(path: PathLike) -> Iterator[list[tuple[int, str]]]:
    """Yield the available lines, with their numbers from 1; LF and CRLF end a line."""
    number, rest = 1, [b""]
    for chunk in read_chunks(path):
        if b"\n" not in chunk:
            rest.append(chunk)  # joined once per line, for linear time
            continue
        *whole, last = b"".join([*rest, chunk]).split(b"\n")
        rest = [last]
        yield [(number + i, _decoded(line, path, number + i)) for i, line in enumerate(whole)]
        number += len(whole)
    if last := b"".join(rest):
        yield [(number, _decoded(last, path, number))]


def _decoded(line: bytes, path: PathLike, number: int) -> str:
    if number == 1:
        line = line.removeprefix(_BYTE_ORDER_MARK)
    try:
        return line.removesuffix(b"\r").decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"not UTF-8: byte 0x{line[error.start]:02x} at column {error.start + 1}"
        raise InputError(message, path=path, line=number) from None


class _Ids:
    """Checks that ids are unique; sentences without an id get their number."""

    def __init__(self) -> None:
        self._given: set[str] = set()
        self._numbered = 0  # sentences before the first id

    def add(self, given: str | None, number: int) -> str:
        name = str(number) if given is None else given
        if given is None and not self._given:
            self._numbered = number + 1
            return name
        taken = name.isascii() and name.isdigit() and name == str(int(name)) and int(name) < self._numbered
        if taken or name in self._given:
            raise InputError(
                f"two sentences have the id {name!r}; sentences without an id get their number, from 0"
            )
        self._given.add(name)
        return name
