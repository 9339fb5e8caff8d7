"""Requests: what to translate, and constraints on the translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tunesmith import _native
from tunesmith.decode.constraints import GivenPhrase, LeaveOneOut, Relaxation, native_constraints
from tunesmith.decode.lattice import Lattice
from tunesmith.errors import InputError

__all__ = ["Request", "plain_sources"]


@dataclass(frozen=True)
class Request:
    """A sentence or a lattice to translate, and constraints on its translation.

    `target` is the whole translation (forced decoding) or, with `is_prefix`, its first (complete) words.
    `phrases` give translations of spans (begin, end, target[, probability]) that do not overlap, except that
    a span may have several; if `exclusive`, one of them must be used, otherwise they compete with the model's
    own.

    `grammar` names a file of rules for this sentence (grammar `grammar_number` of a mapped file of many, see
    `tunesmith.extract.grammar_file`), and `rules` are rules, one per line; both are for chart decoders. So is
    `exclude`: the numbers of training pairs, from 0, to ignore when rules are extracted on
    demand.

    `written` has the source words in the case of the input, if preparation changed it: readable output gives
    unknown words this case.

    `id` names the sentence in outputs [default: its number, from 0]. `attributes` are those of a `<seg>`
    line. `line` is the line number of the input, for errors.
    """

    source: str
    target: str | None = None
    is_prefix: bool = False
    phrases: tuple[GivenPhrase, ...] = ()
    exclusive: bool = True
    leave_one_out: LeaveOneOut | None = None
    relaxation: Relaxation = field(default_factory=Relaxation)
    lattice: Lattice | None = None
    grammar: Path | None = None
    grammar_number: int | None = None
    rules: str | None = None
    exclude: tuple[int, ...] = ()
    written: str = ""
    id: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "phrases", _phrases(self.phrases, self.source))
        object.__setattr__(self, "exclude", tuple(self.exclude))
        if self.grammar is not None:
            object.__setattr__(self, "grammar", Path(self.grammar))
            if str(self.grammar) == "-":
                raise InputError("the grammar of a sentence cannot be standard input; expected a file")
        if self.is_prefix and self.target is None:
            raise InputError("a request with is_prefix has no target; expected its first words")

    @classmethod
    def of(cls, text: str | Lattice | Request) -> Request:
        """Return the request, converting a text or a lattice."""
        if isinstance(text, Lattice):
            return cls("", lattice=text)
        if isinstance(text, Request):
            return text
        if not isinstance(text, str):
            raise InputError(f"cannot translate {text!r:.60}; expected a text, a Lattice or a Request")
        if "\n" in text:
            raise InputError(
                f"the sentence {text[:60]!r} contains a line break; expected one sentence per line"
            )
        return cls(text)

    @property
    def columns(self) -> int:
        """The number of source words, or of the columns of a lattice."""
        return len(self.words) if self.lattice is None else self.lattice.columns

    @property
    def words(self) -> list[str]:
        """The source words; none for a lattice."""
        return [word for word in self.source.split(" ") if word]

    @property
    def brings_rules(self) -> bool:
        """Whether the sentence has its own rules."""
        return self.grammar is not None or self.rules is not None

    def native(self) -> _native.DecoderRequest:
        """Return the native request."""
        made = _native.WordLattice.sentence(self.source) if self.lattice is None else self.lattice.native
        request = _native.DecoderRequest(made, self.target, self.is_prefix)
        if self.phrases or self.leave_one_out is not None or self.relaxation != Relaxation():
            request.constraints = native_constraints(
                self.phrases, self.exclusive, self.leave_one_out, self.relaxation
            )
        return request


def plain_sources(requests: Iterable[Request]) -> list[str]:
    """Return the texts of requests that are sentences, not lattices."""
    return [request.source for request in requests if request.lattice is None]


def _phrases(phrases: Iterable[GivenPhrase], source: str) -> tuple[GivenPhrase, ...]:
    checked = tuple(GivenPhrase.of(phrase) for phrase in phrases)
    length = sum(1 for word in source.split(" ") if word) if checked else 0
    for phrase in checked:
        if not 0 <= phrase.begin < phrase.end <= length:
            raise InputError(
                f"a phrase is given for the words {phrase.begin}-{phrase.end};"
                f" expected 0 <= begin < end <= {length}, the words of the sentence"
            )
        if not 0 < phrase.probability <= 1:
            raise InputError(
                f"the phrase {phrase.target!r} has the probability {phrase.probability};"
                " expected one above 0, at most 1"
            )
    return checked
