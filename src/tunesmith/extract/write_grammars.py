"""Per-sentence grammars as files, and the input that refers to them, in the format of cdec's extractor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy.typing as npt

from tunesmith import _native
from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.extract.grammar_file import GrammarFileWriter
from tunesmith.extract.rules import GrammarFormat
from tunesmith.extract.suffix_array import GrammarOptions, SuffixIndex
from tunesmith.files import COMPRESSIONS, PathLike, read_lines
from tunesmith.threads import thread_count

__all__ = ["read_exclusions", "seg_line", "write_grammar_file", "write_grammars"]

_SHOWN = 100
"""Sentences per progress message."""


def write_grammars(
    index: SuffixIndex,
    sentences: Sequence[str],
    folder: PathLike,
    options: GrammarOptions | None = None,
    *,
    format_: GrammarFormat = "cdec",
    compression: str = "gz",
    exclude: npt.ArrayLike = (),
    exclude_each: Sequence[Sequence[int]] | None = None,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Iterator[str]:
    """Write `folder/grammar.N.gz` for sentence N and yield `<seg id="N" grammar="...">words</seg>`.

    Words are escaped as in the grammars, so that decoders find them there. `exclude` and `exclude_each` are
    as in `SuffixIndex.grammars`. Files are compressed on threads while the next grammars are extracted; each
    is written atomically.
    """
    suffix = "" if compression == "none" else f".{compression}"
    if suffix and suffix not in COMPRESSIONS:
        choices = ["none", *(known.removeprefix(".") for known in COMPRESSIONS)]
        hint = suggest(compression, choices)
        raise OptionError("{} cannot be {found!r}{hint}", "compression", found=compression, hint=hint)
    into = Path(folder)
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder: {error.strerror}", path=folder) from error
    count = thread_count(threads)
    grammars = index.grammars(sentences, options, exclude=exclude, exclude_each=exclude_each, threads=count)
    pending: list[tuple[Future[None], str]] = []
    with ThreadPoolExecutor(count) as pool:
        for number, (sentence, grammar) in enumerate(zip(sentences, grammars, strict=True)):
            path = into / f"grammar.{number}{suffix}"
            pending.append((pool.submit(grammar.write, path, format_), seg_line(number, str(path), sentence)))
            if len(pending) > 2 * count:
                yield _finished(pending)
            if progress and (number + 1) % _SHOWN == 0:
                progress(f"{number + 1} of {len(sentences)} sentences")
        while pending:
            yield _finished(pending)


def write_grammar_file(
    index: SuffixIndex,
    sentences: Sequence[str],
    path: PathLike,
    options: GrammarOptions | None = None,
    *,
    exclude: npt.ArrayLike = (),
    exclude_each: Sequence[Sequence[int]] | None = None,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> None:
    """Write the grammars of all sentences into one mapped file (`GrammarFile`), in their order."""
    extractor = index.extractor(options, exclude=exclude)
    with GrammarFileWriter(path, index, extractor) as writer:
        for grammar in extractor.grammars(sentences, exclude_each=exclude_each, threads=threads):
            writer.add(grammar)
            if progress and len(writer) % _SHOWN == 0:
                progress(f"{len(writer)} of {len(sentences)} sentences")


def seg_line(number: int, grammar: str, sentence: str) -> str:
    """Return a line of input that names a sentence's grammar; words are escaped as in grammars."""
    words = _native.escape_rule_words(sentence)
    return f'<seg id="{number}" grammar={quoteattr(grammar)}>{words}</seg>'


def _finished(pending: list[tuple[Future[None], str]]) -> str:
    written, segment = pending.pop(0)
    written.result()
    return segment


def read_exclusions(path: PathLike, sentences: int, pairs: int) -> list[list[int]]:
    """Read one line of pair numbers, below `pairs`, per sentence."""
    lines = read_lines(path)
    if len(lines) != sentences:
        raise InputError(
            f"has {len(lines)} lines for {sentences} sentences; expected one line per sentence", path=path
        )
    numbers = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not all(word.isascii() and word.isdigit() for word in words):
            raise InputError(
                f"found {line!r}; expected numbers of sentence pairs, from 0", path=path, line=number
            )
        row = [int(word) for word in words]
        if row and max(row) >= pairs:
            raise InputError(
                f"found the pair {max(row)}; the index has the pairs 0 to {pairs - 1}", path=path, line=number
            )
        numbers.append(row)
    return numbers
