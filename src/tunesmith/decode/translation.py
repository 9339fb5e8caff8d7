"""Translations: the results of decoders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tunesmith import _native
from tunesmith.decode.rules import RuleApplication, bracketed, rule_events
from tunesmith.forest import Forest

__all__ = ["BORDER", "GIVEN", "UNKNOWN_WORD", "Phrase", "ReplayedPhrase", "Translation", "sum_by_name"]

ReplayedPhrase = tuple[int, int, str] | tuple[int, int, str, int]
"""A phrase of a derivation: begin and end of its source, its target, and its rule if known."""

UNKNOWN_WORD = -1
"""The rule of a word that was passed through or dropped."""
GIVEN = -2
"""The rule of a phrase that the input gave."""
BORDER = -3
"""The rule of forest edges that are not phrases: the start and the end of each translation."""


@dataclass(frozen=True)
class Phrase:
    """A phrase of a translation: source and target words [begin, end).

    For a chart decoder: a rule together with all that fills its gaps.
    """

    source: tuple[int, int]
    target: tuple[int, int]
    rule: int
    """The number of the pair in its table; -1 for a word passed through or dropped, -2 for a given phrase."""


@dataclass(frozen=True)
class Translation:
    """The best derivation of a sentence, and if requested the forest of all that were kept.

    If no derivation reaches a required target, `found` is false and the text empty.
    """

    text: str
    score: float
    found: bool
    native: _native.Translation
    model: _native.WeightedModel

    @classmethod
    def of(cls, native: _native.Translation, model: _native.WeightedModel) -> Translation:
        """Wrap a native translation."""
        return cls(native.text.decode("utf-8"), native.score, native.found, native, model)

    def __repr__(self) -> str:
        return f"<Translation: {self.text!r}, {f'score {self.score:.4f}' if self.found else 'not found'}>"

    @cached_property
    def steps(self) -> tuple[Mapping[str, float], ...]:
        """The features that each phrase or rule adds; for phrases, followed by those of the sentence end."""
        return tuple(sum_by_name(row) for row in self.native.steps(self.model))

    @cached_property
    def features(self) -> Mapping[str, float]:
        """The features of the derivation; `score` is their product with the weights."""
        return sum_by_name(pair for step in self.steps for pair in step.items())

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases in target order.

        For a chart decoder: `rules` without categories and arities, each before those in its gaps, whose
        source and target lie within its own; `segments` do not overlap.
        """
        return tuple(Phrase((a, b), (c, d), rule) for a, b, c, d, rule in self.native.phrases)

    @property
    def rules(self) -> tuple[RuleApplication, ...]:
        """The rules of a chart decoder, each before those in its gaps; empty for a phrase decoder."""
        return tuple(
            RuleApplication(category, (a, b), (c, d), rule, arity)
            for (a, b, c, d, rule), (category, arity) in zip(
                self.native.phrases, self.native.shapes, strict=True
            )
            if category
        )

    @property
    def tree(self) -> str:
        """The rules of a chart decoder in brackets, `[S:0-2 [X:0-1 the house] [X:2 is]]`; see `bracketed`.

        Empty for a phrase decoder, and if nothing was found.
        """
        return bracketed(self.rules, self.text.split(" "))

    @property
    def memory(self) -> int:
        """The memory of the search, in bytes."""
        return self.native.bytes

    @property
    def segments(self) -> tuple[Phrase, ...]:
        """The target words in segments, in order, each with its source words.

        Segments are the phrases or, for a chart decoder, runs of words of one rule, and rules without words
        and gaps. The source of a segment is all that its rule covers, including gaps.
        """
        rules = self.rules
        return tuple(_segments(rules)) if rules else self.phrases

    @property
    def derivation(self) -> tuple[tuple[int, int, str, int], ...]:
        """The phrases (begin, end, target, rule), as input for `PhraseDecoder.replay`.

        Empty for a chart decoder, which has no replay: use `rules` and `steps`.
        """
        if self.rules:
            return ()
        words = self.text.split(" ")
        return tuple(
            (*phrase.source, " ".join(words[slice(*phrase.target)]), phrase.rule) for phrase in self.phrases
        )

    @property
    def unknown_words(self) -> int:
        """Number of words that were passed through or dropped."""
        return sum(rule == UNKNOWN_WORD for *_, rule in self.native.phrases)

    @property
    def pruned(self) -> bool:
        """Whether derivations were left out of the forest before a consensus rule chose from it."""
        return False

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """Links of source and target words."""
        return tuple(self.native.alignment)

    @cached_property
    def forest(self) -> Forest | None:
        """All derivations that the search kept.

        The rules of its edges are numbered as in `phrases`; the start and the end have `BORDER`.
        """
        found = self.native.forest
        return None if found is None else Forest(found)


def _segments(rules: Sequence[RuleApplication]) -> Iterator[Phrase]:
    for kind, rule, target in rule_events(rules):
        is_empty = rule.arity == 0 and rule.target[0] == rule.target[1] and rule.source[0] < rule.source[1]
        if kind == "words" or (kind == "close" and is_empty):
            yield Phrase(rule.source, target, rule.rule)


def sum_by_name(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Sum the values of each name."""
    values: dict[str, float] = {}
    for name, value in pairs:
        values[name] = values.get(name, 0.0) + value
    return values
