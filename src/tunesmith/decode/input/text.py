"""Plain text, a tokenized sentence a line."""

from __future__ import annotations

from typing import ClassVar

from tunesmith.decode.input.base import INPUT_FORMATS, InputFormat
from tunesmith.decode.request import Request

__all__ = ["Text"]


@INPUT_FORMATS.register("text")
class Text(InputFormat):
    """Words with spaces between them."""

    name: ClassVar[str] = "text"
    summary: ClassVar[str] = "a tokenized sentence a line"

    @classmethod
    def recognizes(cls, line: str) -> bool:
        return False

    @classmethod
    def parse(cls, line: str) -> Request:
        return Request(line)
