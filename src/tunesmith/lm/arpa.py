"""Language models as ARPA text, and their conversion to the mapped binary form."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

from tunesmith import _native
from tunesmith.container import MAGIC
from tunesmith.errors import InputError, OptionError
from tunesmith.files import PathLike, check_outputs, parse_chunks, read_chunks
from tunesmith.lm.class_map import read_class_map
from tunesmith.lm.foreign import foreign_lm

__all__ = ["UNKNOWN_LOG10", "compile_lm", "read_arpa"]

UNKNOWN_LOG10 = -100.0
"""The log10 probability of `<unk>` if a model has none, as in KenLM."""

_KIND = "ngramlm"


def read_arpa(path: PathLike, sink: _native.NgramSink, *, unknown: float = UNKNOWN_LOG10) -> None:
    """Push the n-grams of an ARPA file into a sink; `.gz` etc. decompress, `-` is stdin.

    A model without `<unk>` gets one with the log10 probability `unknown`.
    """
    if not (math.isfinite(unknown) and unknown <= 0):
        raise OptionError(
            "{} must be a log10 probability, at most 0, not {unknown}", "unknown", unknown=unknown
        )
    parse_chunks(_native.ArpaReader(sink, unknown), _text_chunks(path), path)


def compile_lm(
    arpa: PathLike,
    output: PathLike,
    *,
    class_file: PathLike | None = None,
    unknown: float = UNKNOWN_LOG10,
    progress: Callable[[str], None] | None = None,
) -> None:
    """Compile an ARPA file to a memory-mapped binary. O(n-grams) time; memory of the size of the output.

    `class_file` is a file of words and their classes, for a class-based model: words are looked up by class.
    """
    check_outputs([output], [arpa, class_file])
    if class_file is None:
        sink = _native.NgramLmBuilder(str(output))
    else:
        sink = _native.NgramLmBuilder(str(output), read_class_map(class_file))
    read_arpa(arpa, sink, unknown=unknown)
    if progress is not None:
        model = _native.NgramLm(str(output), False)
        counts = " ".join(str(count) for count in model.counts)
        added = (
            f", {sum(model.blanks)} added for n-grams without suffix or context" if any(model.blanks) else ""
        )
        progress(f"order {model.order}, n-grams: {counts}{added}")


def _text_chunks(path: PathLike) -> Iterator[bytes]:
    """Yield the chunks of a file; a binary, detected by its first bytes, is an InputError that says whose."""
    chunks = read_chunks(path)
    first = next(chunks, b"")
    if first.startswith(MAGIC):
        kind = first[len(MAGIC) : 2 * len(MAGIC)].rstrip(b"\0").decode("ascii", "replace")
        what = "is compiled already" if kind == _KIND else f"is a Tunesmith binary file of {kind!r}"
        raise InputError(f"{what}; expected an ARPA file", path=path)
    if foreign := foreign_lm(path, first):
        raise foreign
    yield from itertools.chain([first] if first else [], chunks)
