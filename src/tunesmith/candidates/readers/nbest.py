"""The n-best lists of decoders: a candidate a line, fields between `|||`."""

from __future__ import annotations

from typing import Literal

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import Source, assemble, feed

__all__ = ["Style", "parse_nbest", "style_of"]

Style = Literal["moses", "moses-old", "cdec", "travatar"]


def parse_nbest(style: Style, source: Source) -> Pool:
    """Parse a whole file of one style."""
    parser = _native.NbestParser(style)
    feed(parser, source.chunks())
    return assemble(parser.finish())


def style_of(head: bytes) -> Style | None:
    """Tell the style from the first line that has features; without any, all styles mean the same.

    The first feature decides: `Label= v` is Moses, `label: v` old Moses, `name=v` cdec, and a bare
    number where features should be is Travatar's total. No line can be read in two of these
    ways, so that a file of another style fails on its first line with features.
    """
    lines = head.split(b"\n")
    if len(lines) > 1:
        lines.pop()  # empty, or cut by the end of the chunk
    for line in lines:
        fields = line.split(b"|||")
        if len(fields) < 3:
            return None
        features = fields[2].split()
        if not features:
            continue
        return _style_of_feature(features[0], bare=len(features) == 1 and len(fields) > 3)
    return "moses"


def _style_of_feature(first: bytes, *, bare: bool) -> Style | None:
    if first.endswith(b"="):
        return "moses"
    if first.endswith(b":"):
        return "moses-old"
    if b"=" in first:
        return "cdec"
    return "travatar" if bare else None
