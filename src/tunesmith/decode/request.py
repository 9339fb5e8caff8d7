"""What is to be translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tunesmith import _native
from tunesmith.errors import InputError

__all__ = ["Lattice", "Request"]


@dataclass(frozen=True)
class Lattice:
    """A lattice of words that might have been said, in PLF: `((('A',0.5,1),('C',0.25,1),),(('B',2,1),),)`.

    For each node a tuple of arcs (word, value, distance to the node where the arc ends). The logs of the
    values, not below -100, are the feature InputFeature0; a dict of named scores is summed as it is. What
    lies between two neighboring nodes is a column; an arc covers all columns between its nodes.
    """

    plf: str

    @cached_property
    def native(self) -> _native.WordLattice:
        """The parsed lattice; what is not one is an InputError."""
        return _native.parse_plf(self.plf)

    @property
    def columns(self) -> int:
        """The number of columns: of nodes, but for the last."""
        return self.native.columns

    @property
    def has_scores(self) -> bool:
        """Whether an arc has a value other than 1: then the model needs a weight for InputFeature0."""
        return self.native.has_scores

    def __reduce__(self) -> tuple[object, ...]:
        return (Lattice, (self.plf,))


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
