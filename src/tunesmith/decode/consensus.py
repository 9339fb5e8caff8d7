"""Consensus (MBR) translations, chosen from the forests of a decoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tunesmith.consensus import Chosen, ConsensusRule
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.placed_edges import PlacedEdge, placed_edges
from tunesmith.decode.rules import RuleApplication
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.decode.translation import BORDER, UNKNOWN_WORD, Phrase, Translation
from tunesmith.forest import map_forests

__all__ = ["ConsensusTranslation", "choose_translations", "with_context"]


@dataclass(frozen=True, repr=False)
class ConsensusTranslation(Translation):
    """A derivation chosen by a consensus rule, with its own phrases, rules, alignment and features.

    `score` is its model score, `chosen.score` that of the rule. Nodes, edges, memory and time are those of
    the search.
    """

    chosen: Chosen

    @property
    def steps(self) -> tuple[Mapping[str, float], ...]:
        """The features that each phrase or rule adds; for phrases, followed by those of the sentence end."""
        forest = self.chosen.derivation.forest
        placed = self._placed if self._is_chart else [each for each in self._placed if each.edge.tails]
        return tuple(forest.edge(each.number).features for each in placed)

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """The phrases in the order of the target, or the rules without their categories and arities."""
        if self._is_chart:
            return tuple(Phrase(each.edge.span, each.target, each.edge.rule) for each in self._placed)
        return tuple(
            Phrase(each.edge.span, each.added, each.edge.rule)
            for each in self._placed
            if each.edge.rule != BORDER
        )

    @property
    def rules(self) -> tuple[RuleApplication, ...]:
        """The rules of a chart decoder, each before those in its gaps; empty for a phrase decoder."""
        if not self._is_chart:
            return ()
        categories = self.native.node_categories
        return tuple(
            RuleApplication(
                categories[each.head], each.edge.span, each.target, each.edge.rule, len(each.edge.tails)
            )
            for each in self._placed
        )

    @property
    def unknown_words(self) -> int:
        """Number of words that were passed through or dropped."""
        return sum(phrase.rule == UNKNOWN_WORD for phrase in self.phrases)

    @property
    def pruned(self) -> bool:
        """Whether the forest was too large for the rule, so that unlikely derivations did not count."""
        return self.chosen.pruned

    @property
    def alignment(self) -> tuple[tuple[int, int], ...]:
        """Links of source and target words."""
        return self.chosen.derivation.alignment

    @property
    def _is_chart(self) -> bool:
        return bool(self.native.node_categories)

    @cached_property
    def _placed(self) -> list[PlacedEdge]:
        """The edges: for a chart each before those in its gaps, for phrases in target order."""
        placed = placed_edges(self.chosen.derivation)
        return placed if self._is_chart else placed[::-1]


def choose_translations(
    decoder: AnyDecoder, rule: ConsensusRule, found: Sequence[Translation], threads: int | None = None
) -> list[Translation]:
    """Return the rule's choice from the forest of each translation, computed in parallel.

    A sentence without a translation is returned unchanged.
    """

    def choose(translation: Translation) -> Translation:
        forest = translation.forest
        if forest is None or not translation.found:
            return translation
        weights = forest.weights(decoder.weights, missing=0.0)  # features of templates need no weight
        chosen = rule.over_forest(forest, forest.scores(weights))
        return ConsensusTranslation(
            chosen.text, chosen.derivation.score, True, translation.native, translation.model, chosen
        )

    return map_forests(choose, found, threads=threads)


def with_context(
    options: SearchOptions | ChartOptions | Mapping[str, Any] | None, rule: ConsensusRule | None
) -> SearchOptions | ChartOptions | Mapping[str, Any] | None:
    """Return search options with the context that the rule needs; an explicit context by name wins."""
    if rule is None:
        return options
    if isinstance(options, SearchOptions | ChartOptions):
        return replace(options, context=max(options.context, rule.context))
    return {"context": rule.context, **(options or {})}
