"""Minimum Bayes risk over lists, with any metric (Kumar and Byrne 2004)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from tunesmith.candidates import Pool, Reranked
from tunesmith.consensus.base import CONSENSUS, Chosen, ConsensusRule
from tunesmith.consensus.lists import candidate_texts
from tunesmith.consensus.metric import first_best
from tunesmith.consensus.ngram_posteriors import scaled
from tunesmith.consensus.sharpness import sharp_list_scale
from tunesmith.errors import InputError
from tunesmith.forest import Forest, Scores, edge_scores, kbest, map_forests
from tunesmith.metrics import Metric, Segments, get_metric
from tunesmith.options import require_at_least
from tunesmith.texts import Texts
from tunesmith.types import FloatArray

__all__ = ["MbrConsensus"]

MOST_PAIRS = 1 << 17
"""Maximum number of candidate pairs whose statistics are in memory at once."""


@CONSENSUS.register("mbr")
@dataclass(frozen=True)
class MbrConsensus(ConsensusRule):
    """Choose the candidate with the highest expected metric, all candidates serving as references.

    argmax over e of sum over e' of p(e') * metric(e; e')

    Candidates are the `size` most probable strings of a list; the `evidence` most probable of them (None:
    all) serve as references, their probabilities normalized. Works with the sentence score of any metric.
    O(size x evidence) comparisons. From a forest the candidates are its `size` best distinct strings, each
    with the probability of its best derivation.
    """

    name: ClassVar[str] = "mbr"
    hears_lists: ClassVar[bool] = True
    metric: str | Metric = "bleu"
    size: int = 100
    evidence: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, size=self.size, evidence=1 if self.evidence is None else self.evidence)
        _ = self._metric  # checks it

    def over_forest(self, forest: Forest, scores: Scores) -> Chosen:
        found = kbest(forest, edge_scores(forest, scores), self.size, unique=True)
        if not found:
            raise InputError("the forest has no derivation to choose: it is empty, or all scores are -inf")
        place, value = self.choose([one.text for one in found], np.array([one.score for one in found]))
        return Chosen(found[place].text, found[place], value)

    def over_pool(
        self,
        pool: Pool,
        weights: Mapping[str, float] | FloatArray | None = None,
        *,
        threads: int | None = None,
    ) -> Reranked:
        texts = list(candidate_texts(pool))
        scores = self.pool_scores(pool, weights, threads)
        offsets = pool.offsets.tolist()
        lists = [slice(begin, end) for begin, end in pairwise(offsets)]
        chosen = map_forests(lambda one: self.choose(texts[one], scores[one]), lists, threads=threads)
        return self.reranked(pool, weights, chosen)

    def choose(self, texts: Sequence[str], scores: FloatArray) -> tuple[int, float]:
        """Return the position and expected gain of the best candidate; among equals the most probable."""
        places, probabilities = self._distinct(texts, scores)
        candidates = [texts[place] for place in places]
        gains = self._expected(candidates, probabilities[: self.evidence])
        best = first_best(gains)
        return places[best], float(gains[best])

    def _distinct(self, texts: Sequence[str], scores: FloatArray) -> tuple[list[int], FloatArray]:
        """Return the `size` most probable strings, each as its best position, and their probabilities."""
        first: dict[str, int] = {}
        for place in np.argsort(-scores, kind="stable").tolist():
            first.setdefault(texts[place], place)
        numbers = {text: number for number, text in enumerate(first)}
        strings = np.array([numbers[text] for text in texts], dtype=np.int64)
        scale = self.scale
        if scale is None:
            scale = sharp_list_scale(scores, strings)
        sums = np.bincount(strings, weights=np.exp(scaled(scores - scores.max(), scale)))
        order = np.argsort(-sums, kind="stable")[: self.size]
        places = list(first.values())
        return [places[number] for number in order.tolist()], sums[order] / sums.sum()

    def _expected(self, candidates: Sequence[str], probabilities: FloatArray) -> FloatArray:
        """Return the expected gain of each candidate against the first len(probabilities) of them."""
        texts, count = Texts.of(candidates), len(candidates)
        gains = np.zeros(count)
        step = max(1, MOST_PAIRS // count)
        for begin in range(0, len(probabilities), step):
            part = probabilities[begin : begin + step]
            references = texts.take(np.arange(begin, begin + len(part)))
            pairs = Segments(
                texts.take(np.tile(np.arange(count), len(part))),
                np.arange(len(part) + 1, dtype=np.int64) * count,
                (references,),
            )
            gains += part @ self._metric.sentence_gain(self._metric.measure(pairs)).reshape(len(part), count)
        total: float = probabilities.sum()
        return gains / total

    @cached_property
    def _metric(self) -> Metric:
        return get_metric(self.metric)
