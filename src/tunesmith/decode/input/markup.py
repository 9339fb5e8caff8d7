"""Sentences with translations of some of their phrases, in Moses' markup."""

from __future__ import annotations

from typing import ClassVar

from tunesmith.decode.input.base import INPUT_FORMATS, InputFormat
from tunesmith.decode.markup import MarkupMode, parse_markup
from tunesmith.decode.request import Request

__all__ = ["InclusiveMarkup", "Markup"]


@INPUT_FORMATS.register("markup")
class Markup(InputFormat):
    """`<np translation="the house">das haus</np> ist klein`: the given translation is used."""

    name: ClassVar[str] = "markup"
    summary: ClassVar[str] = 'Moses\' <np translation="the house">das haus</np>; the translation must be used'
    mode: ClassVar[MarkupMode] = "exclusive"

    @classmethod
    def recognizes(cls, line: str) -> bool:
        return False  # text may contain other tags: markup must be requested

    @classmethod
    def parse(cls, line: str) -> Request:
        return parse_markup(line, cls.mode)


@INPUT_FORMATS.register("markup-inclusive")
class InclusiveMarkup(Markup):
    """The same, but given translations compete with the model's own."""

    name: ClassVar[str] = "markup-inclusive"
    summary: ClassVar[str] = "the same, competing with the model's own translations"
    mode: ClassVar[MarkupMode] = "inclusive"
