"""The interface of feature templates: named values of phrase pairs, of their places, or of derivations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Generic, NamedTuple, Self, TypeAlias, TypeVar

from tunesmith import _native
from tunesmith.registry import Registry

__all__ = [
    "TEMPLATES",
    "VETO",
    "Pair",
    "PairTemplate",
    "PlacedTemplate",
    "Sentence",
    "Span",
    "StatefulTemplate",
    "Step",
    "Template",
    "Twin",
    "Values",
]

Values = Mapping[str, float]
"""Features by name. One without a weight has weight 0, and still appears in forests and n-best lists."""

VETO: Final = None
"""Returned by a stateful template to forbid a step, or the end of a derivation."""


@dataclass(frozen=True)
class Pair:
    """A phrase pair or a rule: its two sides, the links between them, and its scores by feature name.

    Scores are feature values: natural logs of a table's probabilities, or the features of a grammar that the
    model has. A rule of a chart decoder may have gaps on both sides: -1 is the first gap of the source side,
    -2 the second; the target side may reorder them. An unknown word is paired with itself (or with no word,
    if unknown words are dropped), has no scores and is not `known`.
    """

    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    alignment: tuple[tuple[int, int], ...]
    scores: Values
    known: bool = True


@dataclass(frozen=True)
class Sentence:
    """The input: its words (empty for a lattice), and the number of its columns."""

    words: tuple[str, ...]
    columns: int


class Span(NamedTuple):
    """The source columns [begin, end) of a phrase pair or rule, and those of each gap of its source side."""

    begin: int
    end: int
    gaps: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Step:
    """A phrase pair or a rule applied to source columns [begin, end), those of its gaps included."""

    pair: Pair
    span: tuple[int, int]
    target: tuple[str | int, ...]
    """The new yield as in forests: words, and -1 - i for the yield of tail i.

    In a phrase decoder that is (-1, *pair.target), in a chart decoder it is pair.target.
    """
    covered: int = 0
    """Bit i is set if column i was translated before the step; 0 in a chart decoder."""


State = TypeVar("State", bound=Hashable)


Twin: TypeAlias = _native.PairFeature | _native.ScoreFeature | _native.PlacedFeature | _native.StatefulFeature
"""A native feature."""


class Template(ABC):
    """Features with the names `name` or `name_...`. Templates are pure: several threads may use one."""

    name: str

    def owns(self, name: str) -> bool:
        """Return whether a feature of this name may come from the template: `name` or `name_...`."""
        return name == self.name or name.startswith(f"{self.name}_")

    def admits(self, name: str) -> bool:
        """Return whether a feature of the template can have this name.

        That is stricter than `owns`: the rest of the name has the right form, and words of the template's
        lists. Weights of other names are reported [default: whether the template owns it].
        """
        return self.owns(name)

    def rest_of(self, name: str) -> str | None:
        """Return what follows `name_` in the name of a feature; None if it begins otherwise."""
        start = f"{self.name}_"
        return name.removeprefix(start) if name.startswith(start) else None

    def with_lists(self, directory: Path) -> Self:
        """Return the template with its word lists and classes, read from the folder of a model."""
        return self

    def twin(self) -> Twin | tuple[Twin, ...] | None:
        """Return native features that together give the same, to be used instead; None if there are none."""
        return None


class PairTemplate(Template):
    """Features that depend only on the phrase pair. Each pair is computed once and cached."""

    sees_unknown: ClassVar[bool] = False
    """Whether `values` is also called for unknown words and for phrases that the input gives."""

    @abstractmethod
    def values(self, pair: Pair) -> Values:
        """Return the features of a pair of a table, or of a rule.

        Unknown words and given phrases of the input have no such features unless `sees_unknown` is set; the
        source side of a given phrase is then empty.
        """


class PlacedTemplate(Template):
    """Features that depend on the phrase pair and its place in the input, without state.

    Each pair is computed once per place, before the search.
    """

    sees_unknown: ClassVar[bool] = False
    """As of `PairTemplate`."""

    @abstractmethod
    def values(self, pair: Pair, span: Span, sentence: Sentence) -> Values:
        """Return the features of a pair that translates a span of the sentence."""


class StatefulTemplate(Template, Generic[State]):
    """Features that depend on what is around a phrase pair.

    `State` is any hashable value; hypotheses with equal states are recombined, so it must contain everything
    that later steps depend on. All methods must be pure: a decoder calls them in any order, repeatedly, and
    from several threads. `tails` has one state in a phrase decoder, and one per gap of the rule in a chart
    decoder. There, a state describes a piece that may be extended on both sides: rules without gaps create
    pieces, and the piece at the start of the sentence has the state `start`.
    """

    @abstractmethod
    def start(self, sentence: Sentence) -> State:
        """Return the state before the first step; in a chart decoder, of the piece at the sentence start.

        That piece has no words. Rules append the other pieces to its right, until `finish` ends it.
        """

    @abstractmethod
    def apply(self, tails: tuple[State, ...], step: Step) -> tuple[State, Values] | None:
        """Return the state after a step and the features that it adds, or `VETO` to forbid it."""

    def finish(self, state: State) -> Values | None:
        """Return the features that the end adds, or `VETO` if a derivation cannot end so."""
        return {}

    def estimate(self, pair: Pair) -> Values:
        """Return a context-free estimate of a pair's features, which guides the search."""
        return {}


TEMPLATES: Registry[type[Template]] = Registry("feature template", "tunesmith.features")
