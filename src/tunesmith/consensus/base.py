"""Consensus (MBR) decoding: choose the translation that agrees most with the model's whole distribution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tunesmith.candidates import Pool, Reranked
from tunesmith.candidates.rerank import GivenWeights, read_weights, score_candidates, unused_weights
from tunesmith.consensus.lists import distinct_counts, list_forests, say_limit
from tunesmith.consensus.progress import Counted, Say
from tunesmith.consensus.sharpness import sharp_list_scale, sharp_scale
from tunesmith.errors import InputError
from tunesmith.forest import Derivation, Forest, Scores, map_forests
from tunesmith.options import build, check_options, require_at_least
from tunesmith.registry import Registry
from tunesmith.types import FloatArray, IntArray

__all__ = ["CONSENSUS", "Chosen", "ConsensusRule", "consensus_rule"]

CONSENSUS: Registry[type[ConsensusRule]] = Registry("consensus rule", "tunesmith.consensus")


@dataclass(frozen=True)
class Chosen:
    """A rule's choice from a forest: a yield, its best derivation, and the rule's `score` of it.

    The derivation is of the given forest and has its model score. `pruned` says that the forest was too large
    for the rule, so that unlikely derivations did not count.
    """

    text: str
    derivation: Derivation
    score: float
    pruned: bool = False


@dataclass(frozen=True)
class ConsensusRule(ABC):
    """A frozen dataclass of options. The model is the distribution

    p(d) proportional to exp(scale * score(d))

    over the derivations of a forest or the candidates of a list, summed over equal strings. Scale 0 is the
    uniform distribution, larger scales are sharper. None (the default) chooses a scale per sentence so that
    the sharpness does not depend on the size of the weights (see `tunesmith.consensus.sharpness`).
    """

    name: ClassVar[str]
    hears_lists: ClassVar[bool] = False
    """Whether the default scale for lists is nearly uniform, which suits rules that compare by a metric.

    Rules that add up rewards of n-grams need a sharper distribution, for lists as for forests.
    """
    scale: float | None = None

    def __post_init__(self) -> None:
        """Check the options; a subclass calls this before checks of its own."""
        check_options(self, self.name)
        if self.scale is not None:
            require_at_least(0, self.name, scale=self.scale)

    @property
    def context(self) -> int:
        """Number of boundary words per node needed; if the decoder keeps this many, no node is split."""
        return 0

    def scale_for(self, forest: Forest, scores: FloatArray) -> float:
        """Return the scale of a forest's scores."""
        return sharp_scale(forest, scores) if self.scale is None else self.scale

    @abstractmethod
    def over_forest(self, forest: Forest, scores: Scores) -> Chosen:
        """Choose a yield of a forest, given scores of edges, or weights by name.

        An empty forest, or scores that forbid all derivations, are an InputError.
        """

    def over_pool(
        self,
        pool: Pool,
        weights: GivenWeights | None = None,
        *,
        threads: int | None = None,
        progress: Say | None = None,
    ) -> Reranked:
        """Choose a candidate of each list; the scores returned are the rule's.

        `weights` are given by name, as an array or as the path of a weights file. `progress` takes a line
        every few seconds. A `size` of the rule that leaves out candidates is an IgnoredInputWarning.

        Words are split at white space, as in BLEU; references are not used. All-zero weights are an
        InputError, as for `rerank`, except at scale 0, which needs no weights.
        """
        weights = None if weights is None else read_weights(weights)
        lists = list_forests(pool, self.pool_scores(pool, weights, threads))
        if (size := getattr(self, "size", None)) is not None:
            say_limit("size", size, distinct_counts(pool), "candidates")
        counted = Counted(len(pool), "lists", progress)

        def choose(one: tuple[Forest, FloatArray]) -> tuple[int, float]:
            forest, scores = one
            rule = self
            if self.scale is None and self.hears_lists:
                rule = replace(self, scale=_list_scale(forest, scores))
            chosen = rule.over_forest(forest, scores)
            counted.add(1)
            return chosen.derivation.edges[0], chosen.score

        return self.reranked(pool, weights, map_forests(choose, lists, threads=threads))

    def pool_scores(
        self, pool: Pool, weights: Mapping[str, float] | FloatArray | None, threads: int | None
    ) -> FloatArray:
        """Return the model score of each candidate; all 0 at scale 0 without weights."""
        if self.scale == 0 and (weights is None or not np.any(list(_values(weights)))):
            return np.zeros(pool.n_candidates)
        if weights is None:
            raise InputError(
                "no weights; give some, or use scale 0 (all candidates equally likely), which needs none"
            )
        return score_candidates(pool, weights, threads)

    @staticmethod
    def reranked(
        pool: Pool, weights: Mapping[str, float] | FloatArray | None, chosen: list[tuple[int, float]]
    ) -> Reranked:
        """Return reranked candidates, given the chosen position and score per list."""
        places: IntArray = np.array([place for place, _ in chosen], dtype=np.int64)
        rows = pool.offsets[:-1] + places
        texts = [] if pool.texts is None else list(pool.texts.take(rows))
        unused = () if weights is None else unused_weights(pool, weights)
        return Reranked(places, rows, texts, np.array([score for _, score in chosen]), unused)


def consensus_rule(name: str = "fast", **options: Any) -> ConsensusRule:
    """Return the named rule; an unknown name or option is an OptionError with a suggestion."""
    return build(CONSENSUS[name], name, options)


def _list_scale(forest: Forest, scores: FloatArray) -> float:
    """Return the scale for a list given as a forest with one edge per candidate."""
    numbers: dict[tuple[str, ...], int] = {}
    strings = [
        numbers.setdefault(Derivation(forest, (edge,), 0.0).words, len(numbers))
        for edge in range(forest.edge_count)
    ]
    return sharp_list_scale(scores, np.array(strings, dtype=np.int64))


def _values(weights: Mapping[str, float] | FloatArray) -> Any:
    return weights.values() if isinstance(weights, Mapping) else weights
