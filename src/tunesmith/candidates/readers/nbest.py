"""The n-best lists of decoders: one candidate per line, fields separated by `|||`.

The styles differ in how features are written. A Moses label with one value is the feature `Label`; with
several they are `Label_0`, `Label_1`, ... In `name=v` the last `=` separates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tunesmith import _native
from tunesmith.candidates.missing import with_remedy
from tunesmith.candidates.pool import Pool
from tunesmith.candidates.readers.base import READERS, Reader, Source, assemble, feed
from tunesmith.errors import InputError

__all__ = ["STYLES", "NbestReader", "style_of"]

Style = Literal["moses", "moses-old", "cdec", "travatar"]

STYLES: dict[Style, tuple[str, str]] = {
    "moses": ("n-best lists of Moses", "ID ||| text ||| Label= v v v name= v ||| total [||| ...]"),
    "moses-old": (
        "n-best lists of Moses in its old style",
        "ID ||| text ||| label: v v label: v ||| total [||| ...], blanks around ||| optional",
    ),
    "cdec": ("n-best lists of cdec and Joshua", "ID ||| text ||| name=v name=v ||| total [||| ...]"),
    "travatar": ("n-best lists of Travatar", "ID ||| text ||| total ||| name=v name=v [||| ...]"),
}
"""The summary and the layout of each style."""


@dataclass(frozen=True)
class NbestReader(Reader):
    """Reads one of the `STYLES`."""

    numbered: ClassVar[bool] = True
    name: ClassVar[Style]

    @classmethod
    def recognizes(cls, head: bytes) -> bool:
        return style_of(head) == cls.name

    def parse(self, source: Source) -> Pool:
        parser = _native.NbestParser(self.name)
        try:
            feed(parser, source.chunks())
            arrays = parser.finish()
        except InputError as error:
            raise with_remedy(error) from None
        return assemble(arrays, source.missing)


for _style, (_summary, _layout) in STYLES.items():
    _own = {"name": _style, "summary": _summary, "__doc__": f"`{_layout}`", "__module__": __name__}
    READERS.register(_style)(type(f"NbestReader[{_style}]", (NbestReader,), _own))


def style_of(head: bytes) -> Style | None:
    """Detect the style from the first line that has features; without any, all styles are equivalent.

    The first feature decides: `Label= v` is Moses, `label: v` old Moses, `name=v` cdec, and a bare
    number in place of features is Travatar's total. No line is valid in two styles, so a file of
    another style fails on its first line with features.
    """
    lines = head.split(b"\n")
    if len(lines) > 1:
        lines.pop()  # empty, or truncated by the end of the chunk
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
