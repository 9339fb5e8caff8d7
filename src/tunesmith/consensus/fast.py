"""Fast consensus decoding (DeNero, Chiang and Knight 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from tunesmith.consensus.base import CONSENSUS, Chosen, ConsensusRule
from tunesmith.consensus.lists import best_strings
from tunesmith.consensus.metric import first_best, ngram_metric
from tunesmith.consensus.ngram_posteriors import NgramPosteriors, localize
from tunesmith.forest import Derivation, Forest, Scores, edge_scores
from tunesmith.metrics import Metric, MetricSpec
from tunesmith.metrics.counts import NgramCounts
from tunesmith.options import require_at_least

__all__ = ["FastConsensus"]


@CONSENSUS.register("fast")
@dataclass(frozen=True)
class FastConsensus(ConsensusRule):
    """Choose the candidate with the highest metric against the expected n-gram counts as the reference.

    argmax over e of metric(e; E[c], E[words])

    Candidates are the `size` best distinct strings by model score [default: all of a list, 100 of a forest].
    Matches of an n-gram g are
    min(c_g(e), E[c_g]), and the expected length is the reference length. The metric must be a function of
    n-gram counts; its sentence score is used (BLEU with add-one smoothing, to distinguish candidates of less
    than four words; `bleu(sentence='none')` has none). One pass over the forest plus O(size x words);
    pairwise MBR takes O(size^2 x words). Forests with more than `max_edges` edges are pruned.
    """

    name: ClassVar[str] = "fast"
    hears_lists: ClassVar[bool] = True
    metric: MetricSpec = "bleu"
    size: int | None = None
    max_edges: int = 1_000_000

    def __post_init__(self) -> None:
        super().__post_init__()
        require_at_least(1, self.name, size=1 if self.size is None else self.size, max_edges=self.max_edges)
        _ = self._metric  # checks it

    @property
    def context(self) -> int:
        return self._metric.ngram_order - 1

    def over_forest(self, forest: Forest, scores: Scores) -> Chosen:
        array = edge_scores(forest, scores)
        scale, order = self.scale_for(forest, array), self._metric.ngram_order
        posteriors = localize(forest, array, order, scale=scale, max_edges=self.max_edges)
        candidates = best_strings(posteriors.forest, posteriors.scores, self.size)
        counts = _counts(posteriors, candidates)
        values = self._metric.sentence_gain(self._metric.stats_from_counts(counts))
        best = first_best(values)
        found = Derivation(forest, posteriors.original(candidates[best].edges), candidates[best].score)
        return Chosen(found.text, found, float(values[best]), posteriors.pruned)

    @cached_property
    def _metric(self) -> Metric:
        return ngram_metric(self.name, self.metric)


def _counts(posteriors: NgramPosteriors, candidates: list[Derivation]) -> NgramCounts:
    """Return the n-gram counts of candidates, with the expected counts as those of the reference."""
    incidence = posteriors.incidence
    offsets = np.cumsum([0, *(len(one.edges) for one in candidates)])
    edges = np.concatenate([one.edges for one in candidates]).astype(np.int64)
    shape = (len(candidates), posteriors.forest.edge_count)
    from scipy.sparse import csr_array

    uses = csr_array((np.ones(len(edges)), edges, offsets), shape=shape)
    found = csr_array(uses @ incidence.matrix)
    found.sort_indices()
    words = np.asarray(uses @ incidence.edge_words)
    return NgramCounts(
        found.indptr.astype(np.int64),
        incidence.lengths[found.indices],
        found.data,
        posteriors.counts[found.indices],
        np.maximum(words[:, None] - np.arange(incidence.order), 0.0),
        np.full((len(candidates), 1), posteriors.words),
    )
