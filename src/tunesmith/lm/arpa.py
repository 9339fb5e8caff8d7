"""Language models as ARPA text, and their way into the mapped binary form."""

from __future__ import annotations

import math
from collections.abc import Callable

from tunesmith import _native
from tunesmith.errors import OptionError
from tunesmith.files import PathLike, check_output, parse_chunks, read_chunks
from tunesmith.lm.class_map import read_class_map

__all__ = ["UNKNOWN_LOG10", "compile_lm", "read_arpa"]

UNKNOWN_LOG10 = -100.0
"""The log10 probability of `<unk>` where a model has none, as in KenLM."""


def read_arpa(path: PathLike, sink: _native.NgramSink, *, unknown: float = UNKNOWN_LOG10) -> None:
    """Push the n-grams of an ARPA file into a sink; compressed files by suffix, `-` is stdin.

    A model without `<unk>` gets one with the log10 probability `unknown`.
    """
    if not (math.isfinite(unknown) and unknown <= 0):
        raise OptionError(f"the log10 probability of unknown words is a number of at most 0, not {unknown}")
    parse_chunks(_native.ArpaReader(sink, unknown), read_chunks(path), path)


def compile_lm(
    arpa: PathLike,
    output: PathLike,
    *,
    classes: PathLike | None = None,
    unknown: float = UNKNOWN_LOG10,
    progress: Callable[[str], None] | None = None,
) -> None:
    """Turn an ARPA file into a binary that is mapped, not parsed. O(n-grams) time, memory as the output.

    `classes` is a file of words and their classes: text is then looked up by class, in a model of classes.
    """
    check_output(output)
    if classes is None:
        sink = _native.NgramLmBuilder(str(output))
    else:
        sink = _native.NgramLmBuilder(str(output), read_class_map(classes))
    read_arpa(arpa, sink, unknown=unknown)
    if progress is not None:
        model = _native.NgramLm(str(output), False)
        counts = " ".join(str(count) for count in model.counts)
        added = (
            f", {sum(model.blanks)} added for n-grams without suffix or context" if any(model.blanks) else ""
        )
        progress(f"order {model.order}, n-grams: {counts}{added}")
