"""What is to be translated."""

from __future__ import annotations

from dataclasses import dataclass

from tunesmith import _native

__all__ = ["Request"]


@dataclass(frozen=True)
class Request:
    """A sentence to be translated, and what its translation must be.

    `target` is the whole translation (forced decoding) or, with `is_prefix`, its first words.
    """

    source: str
    target: str | None = None
    is_prefix: bool = False

    @classmethod
    def of(cls, text: str | Request) -> Request:
        """Return a request, or one for a text."""
        return cls(text) if isinstance(text, str) else text

    def native(self) -> _native.DecoderRequest:
        """Return what the native decoder takes."""
        return _native.DecoderRequest(_native.WordLattice.sentence(self.source), self.target, self.is_prefix)
