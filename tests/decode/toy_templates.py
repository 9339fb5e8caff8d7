"""Small templates for the tests of decoders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tunesmith.features import VETO, Pair, PairTemplate, Sentence, StatefulTemplate, Step, Values


@dataclass(frozen=True)
class Ends(PairTemplate):
    """The last words of the two phrases, and how many links a pair has."""

    name: str = "Ends"

    def values(self, pair: Pair) -> Values:
        return {f"Ends_{pair.source[-1]}_{pair.target[-1]}": 1.0, "Ends": float(len(pair.alignment))}


@dataclass(frozen=True)
class Alternation(StatefulTemplate[tuple[int, int]]):
    """Parity of the words of a piece and the sum of its parities: depends on all that came before.

    It works with any number of tails: the state of a piece is (words mod 2, steps mod 3).
    """

    name: str = "Alternation"

    def start(self, sentence: Sentence) -> tuple[int, int]:
        return (sentence.columns % 2, 0)

    def apply(self, tails: tuple[tuple[int, int], ...], step: Step) -> tuple[tuple[int, int], Values]:
        words = sum(isinstance(symbol, str) for symbol in step.target) + sum(tail[0] for tail in tails)
        steps = 1 + sum(tail[1] for tail in tails)
        # A step adds what depends on its own words, its place and the states of its tails.
        value = float((words % 2) * (steps % 3) + step.span[0] % 2)
        return (words % 2, steps % 3), {f"Alternation_{words % 2}": value, "Alternation_steps": 1.0}

    def finish(self, state: tuple[int, int]) -> Values:
        return {"Alternation_end": float(state[1])}

    def estimate(self, pair: Pair) -> Values:
        return {"Alternation_steps": 1.0}


@dataclass(frozen=True)
class NoJumpBack(StatefulTemplate[int]):
    """Forbids to translate to the left of what was translated: a constraint."""

    name: str = "NoJumpBack"

    def start(self, sentence: Sentence) -> int:
        return 0

    def apply(self, tails: tuple[int, ...], step: Step) -> tuple[int, Values] | None:
        assert all(step.covered >> column & 1 for column in range(tails[0]))
        assert not any(step.covered >> column & 1 for column in range(*step.span))
        return VETO if step.span[0] != tails[0] else (step.span[1], {})


@dataclass(frozen=True)
class NoEnd(StatefulTemplate[int]):
    """Forbids every derivation, at its end."""

    name: str = "NoEnd"

    def start(self, sentence: Sentence) -> int:
        return 0

    def apply(self, tails: tuple[int, ...], step: Step) -> tuple[int, Values]:
        return 0, {}

    def finish(self, state: int) -> Values | None:
        return VETO


class Made(StatefulTemplate[Any]):
    """A template made of functions."""

    name = "Made"

    def __init__(self, **methods: Callable[..., Any]) -> None:
        self.methods = methods

    def start(self, sentence: Sentence) -> Any:
        return self.methods.get("start", lambda sentence: 0)(sentence)

    def apply(self, tails: tuple[Any, ...], step: Step) -> Any:
        return self.methods.get("apply", lambda tails, step: (0, {}))(tails, step)

    def finish(self, state: Any) -> Any:
        return self.methods.get("finish", lambda state: {})(state)

    def estimate(self, pair: Pair) -> Any:
        return self.methods.get("estimate", lambda pair: {})(pair)


class MadePairs(PairTemplate):
    """A template of pairs made of a function."""

    name = "MadePairs"

    def __init__(self, values: Callable[[Pair], Any]) -> None:
        self.function = values

    def values(self, pair: Pair) -> Any:
        return self.function(pair)
