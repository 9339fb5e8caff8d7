"""Plain text, one tokenized sentence per line."""

from __future__ import annotations

from typing import ClassVar

from tunesmith.decode.input.base import INPUT_FORMATS, InputFormat
from tunesmith.decode.request import Request

__all__ = ["Text"]


@INPUT_FORMATS.register("text")
class Text(InputFormat):
    """Words separated by spaces."""

    name: ClassVar[str] = "text"
    summary: ClassVar[str] = "one tokenized sentence per line"

    @classmethod
    def recognizes(cls, line: str) -> bool:
        return False

    @classmethod
    def parse(cls, line: str) -> Request:
        return Request(line)
