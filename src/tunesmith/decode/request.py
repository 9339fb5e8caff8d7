"""What is to be translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tunesmith import _native
from tunesmith.decode.lattice import Lattice
from tunesmith.errors import InputError

__all__ = ["Request"]


@dataclass(frozen=True)
class Request:
    """A sentence or a lattice to be translated, and what its translation must be.

    `target` is the whole translation (forced decoding) or, with `is_prefix`, its first words. `id` names the
    sentence in outputs; by default its number does, from 0. `attributes` are those of a `<seg>` line. `line`
    is where it was read, for errors.
    """

    source: str
    target: str | None = None
    is_prefix: bool = False
    lattice: Lattice | None = None
    id: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None

    @classmethod
    def of(cls, text: str | Lattice | Request) -> Request:
        """Return a request, or one for a text or a lattice."""
        if isinstance(text, Lattice):
            return cls("", lattice=text)
        if isinstance(text, Request):
            return text
        if "\n" in text:
            raise InputError(f"the sentence {text[:60]!r} holds a line end; expected one line a sentence")
        return cls(text)

    @property
    def columns(self) -> int:
        """The number of source words, or of the columns of a lattice."""
        return len(self.words) if self.lattice is None else self.lattice.columns

    @property
    def words(self) -> list[str]:
        """The source words; none for a lattice."""
        return [word for word in self.source.split(" ") if word]

    def native(self) -> _native.DecoderRequest:
        """Return what the native decoder takes."""
        made = _native.WordLattice.sentence(self.source) if self.lattice is None else self.lattice.native
        return _native.DecoderRequest(made, self.target, self.is_prefix)
