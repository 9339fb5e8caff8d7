"""Grammars of sentences as files, and the input that names them, as cdec's extractor writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from xml.sax.saxutils import quoteattr

from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.extract.rules import GrammarFormat
from tunesmith.extract.suffix_array import GrammarOptions, SuffixIndex
from tunesmith.files import COMPRESSIONS, PathLike, read_lines
from tunesmith.threads import thread_count

__all__ = ["read_exclusions", "write_grammars"]

_SHOWN = 100
"""Sentences between lines of progress."""


def write_grammars(
    index: SuffixIndex,
    sentences: Sequence[str],
    folder: PathLike,
    options: GrammarOptions | None = None,
    *,
    format_: GrammarFormat = "cdec",
    compression: str = "gz",
    exclude_each: Sequence[Sequence[int]] | None = None,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Iterator[str]:
    """Write `folder/grammar.N.gz` for sentence N and yield `<seg id="N" grammar="...">words</seg>`.

    Files are compressed on threads while the next grammars are extracted. Each appears whole or not at all.
    """
    suffix = "" if compression == "none" else f".{compression}"
    if suffix and suffix not in COMPRESSIONS:
        choices = ["none", *(known.removeprefix(".") for known in COMPRESSIONS)]
        raise OptionError(f"no compression {compression!r}{suggest(compression, choices)}")
    into = Path(folder)
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror}", path=folder) from error
    count = thread_count(threads)
    grammars = index.grammars(sentences, options, exclude_each=exclude_each, threads=count)
    pending: list[tuple[Future[None], str]] = []
    with ThreadPoolExecutor(count) as pool:
        for number, (sentence, grammar) in enumerate(zip(sentences, grammars, strict=True)):
            path = into / f"grammar.{number}{suffix}"
            segment = f'<seg id="{number}" grammar={quoteattr(str(path))}>{sentence}</seg>'
            pending.append((pool.submit(grammar.write, path, format_), segment))
            if len(pending) > 2 * count:
                yield _finished(pending)
            if progress and (number + 1) % _SHOWN == 0:
                progress(f"{number + 1} of {len(sentences)} sentences")
        while pending:
            yield _finished(pending)


def _finished(pending: list[tuple[Future[None], str]]) -> str:
    written, segment = pending.pop(0)
    written.result()
    return segment


def read_exclusions(path: PathLike, sentences: int) -> list[list[int]]:
    """Read a line of pair numbers a sentence."""
    lines = read_lines(path)
    if len(lines) != sentences:
        raise InputError(
            f"has {len(lines)} lines for {sentences} sentences; expected a line a sentence", path=path
        )
    numbers = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not all(word.isascii() and word.isdigit() for word in words):
            raise InputError(
                f"found {line!r}; expected numbers of sentence pairs, from 0", path=path, line=number
            )
        numbers.append([int(word) for word in words])
    return numbers
