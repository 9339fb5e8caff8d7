"""Sentences with rules of their own: as requests, and what is found for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.input import read_requests
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.request import Request
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.extract.write_grammars import write_grammars
from tunesmith.model import Model

ESCAPED = ("der | hund [x] schläft", "the | dog [x] sleeps", "0-0 1-1 2-2 3-3 4-4")
"""A pair with words that grammars cannot hold as they are."""


def found(
    decoder: ChartDecoder, requests: Iterable[str | Request | Lattice]
) -> list[tuple[str, float, dict[str, float]]]:
    """Return texts, scores and features without zeros."""
    return [
        (each.text, each.score, {name: value for name, value in each.features.items() if value})
        for each in decoder.translate_all(requests, threads=2)
    ]


def with_files(model: Model, sentences: list[str], folder: Path, **options) -> list[Request]:
    """Return the requests of what `tunesmith extract grammars` prints."""
    index = model.rule_source(0)
    assert isinstance(index, SuffixIndex)
    segments = write_grammars(index, sentences, folder / "g & h", model.grammar_options(0), **options)
    (folder / "in.sgm").write_text("".join(f"{line}\n" for line in segments))
    return list(itertools.chain(*read_requests(folder / "in.sgm")))
