"""What a feature template is: values by name, of phrase pairs or of steps of a derivation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from tunesmith import _native
from tunesmith.registry import Registry

__all__ = [
    "TEMPLATES",
    "VETO",
    "Pair",
    "PairTemplate",
    "Sentence",
    "StatefulTemplate",
    "Step",
    "Template",
    "Values",
]

Values = Mapping[str, float]
"""Features by name. One without a weight counts 0, and still appears in forests and n-best lists."""

VETO: Final = None
"""What a stateful template returns to forbid a step, or the end of a derivation."""


@dataclass(frozen=True)
class Pair:
    """A phrase pair or a rule: its two sides, the links between them, and its scores by feature name.

    Scores are values of features: natural logs of a table's probabilities, or the features of a grammar
    that have names in the model. A rule of a chart decoder may have gaps on both sides: -1 is the first gap
    of the source side, -2 the second, and the target side names them in its own order. A word that no table
    has is a pair with itself (or with no word, where such words are dropped), has no scores and is not
    `known`.
    """

    source: tuple[str | int, ...]
    target: tuple[str | int, ...]
    alignment: tuple[tuple[int, int], ...]
    scores: Values
    known: bool = True


@dataclass(frozen=True)
class Sentence:
    """The input: its words, of which a lattice shows none, and the number of its columns."""

    words: tuple[str, ...]
    columns: int


@dataclass(frozen=True)
class Step:
    """A phrase pair or a rule at its place: source columns [begin, end), those of its gaps included."""

    pair: Pair
    span: tuple[int, int]
    target: tuple[str | int, ...]
    """The new yield as forests have it: words, and -1 - i where the yield of tail i stands.

    In a phrase decoder that is (-1, *pair.target), in a chart decoder it is pair.target.
    """
    covered: int = 0
    """Bit i tells whether column i was translated before the step; 0 in a chart decoder."""


State = TypeVar("State", bound=Hashable)


class PairTemplate(ABC):
    """Features of phrase pairs alone. Each pair is asked for once, and its values are kept."""

    name: str

    @abstractmethod
    def values(self, pair: Pair) -> Values:
        """Return the features of a pair that a table has.

        Neither unknown words nor phrases that the input gives are asked for: they have no such features.
        """

    def owns(self, name: str) -> bool:
        """Tell whether a feature of this name may come from the template: `name` or `name_...`."""
        return _belongs(name, self.name)

    def twin(self) -> _native.PairFeature | _native.ScoreFeature | None:
        """Return a native feature that says the same, to be used instead; None if there is none."""
        return None


class StatefulTemplate(ABC, Generic[State]):
    """Features that depend on what is around a phrase pair.

    `State` is any hashable value; hypotheses with equal states are taken for equal, so it must hold all
    that later steps depend on. All methods must be pure: a decoder asks in any order, more than once, and
    from several threads. `tails` has one state in a phrase decoder, and one for each gap of the rule in a
    chart decoder: there, states are of pieces that get neighbors on both sides, rules without gaps make the
    first ones, and the piece that begins the sentence is in the state `start`.
    """

    name: str

    @abstractmethod
    def start(self, sentence: Sentence) -> State:
        """Return the state before the first step; in a chart decoder, of the piece that begins the sentence.

        That piece has no words. Rules add the other pieces to it, on its right, until `finish` ends it.
        """

    @abstractmethod
    def apply(self, tails: tuple[State, ...], step: Step) -> tuple[State, Values] | None:
        """Return the state after a step and the features that it adds, or `VETO` to forbid it."""

    def finish(self, state: State) -> Values | None:
        """Return the features that the end adds, or `VETO` if a derivation cannot end so."""
        return {}

    def estimate(self, pair: Pair) -> Values:
        """Return what a pair is expected to add where its context is not known; it guides the search."""
        return {}

    def owns(self, name: str) -> bool:
        """Tell whether a feature of this name may come from the template: `name` or `name_...`."""
        return _belongs(name, self.name)

    def twin(self) -> _native.StatefulFeature | None:
        """Return a native feature that says the same, to be used instead; None if there is none."""
        return None


Template = PairTemplate | StatefulTemplate[Any]

TEMPLATES: Registry[type[Template]] = Registry("feature template", "tunesmith.features")


def _belongs(name: str, template: str) -> bool:
    return name == template or name.startswith(f"{template}_")
