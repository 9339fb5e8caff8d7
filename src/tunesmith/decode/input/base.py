"""The interface of input formats: a line in, a request out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from tunesmith.decode.request import Request
from tunesmith.registry import Registry

__all__ = ["INPUT_FORMATS", "InputFormat", "detect"]

INPUT_FORMATS: Registry[type[InputFormat]] = Registry("input format", "tunesmith.decode.input")


class InputFormat(ABC):
    """Turns lines into requests."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @classmethod
    @abstractmethod
    def recognizes(cls, line: str) -> bool:
        """Return whether a line is of this format; other lines are plain text."""

    @classmethod
    @abstractmethod
    def parse(cls, line: str) -> Request:
        """Return the request of a line; errors need not have a line number."""


def detect(line: str) -> type[InputFormat]:
    """Return the format of a line."""
    for kind in INPUT_FORMATS.values():
        if kind.recognizes(line):
            return kind
    return INPUT_FORMATS["text"]
