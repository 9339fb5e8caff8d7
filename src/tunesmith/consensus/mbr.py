"""Minimum Bayes risk over lists, with any metric (Kumar and Byrne 2004)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import ClassVar

import numpy as np

from tunesmith.candidates import Pool, Reranked
from tunesmith.candidates.rerank import GivenWeights, read_weights
from tunesmith.consensus.aggregation import aggregated_chrf
from tunesmith.consensus.base import CONSENSUS, Chosen, ConsensusRule
from tunesmith.consensus.lists import best_strings, candidate_texts, say_limit
from tunesmith.consensus.metric import first_best, pairwise_metric, score_columns
from tunesmith.consensus.ngram_posteriors import scaled
from tunesmith.consensus.progress import Counted, Say
from tunesmith.consensus.pseudo_references import PseudoReferences, references_by_list
from tunesmith.consensus.sharpness import sharp_list_scale
from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Forest, Scores, edge_scores, map_forests
from tunesmith.metrics import Metric, MetricSpec, Segments
from tunesmith.metrics.chrf import Chrf
from tunesmith.options import require_at_least
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, IntArray

__all__ = ["MbrConsensus"]

MOST_PAIRS = 1 << 17
"""Maximum number of candidate pairs whose statistics are in memory at once."""


@dataclass(frozen=True)
class _List:
    """The candidates of a sentence: model scores, metric scores by name, and references if given."""

    texts: Sequence[str]
    scores: FloatArray
    columns: Mapping[str, FloatArray] = field(default_factory=dict)
    references: Sequence[str] | None = None


@CONSENSUS.register("mbr")
@dataclass(frozen=True)
class MbrConsensus(ConsensusRule):
    """Choose the candidate with the highest expected metric, all candidates serving as references.

    argmax over e of sum over e' of p(e') * metric(e; e')

    Candidates are the `size` most probable strings of a list [default: all]; the `evidence` most probable of
    them [default: all] serve as references, their probabilities normalized. Works with the sentence score
    of any metric. O(size x evidence) comparisons. With `aggregate`, chrF is computed once per candidate,
    against the average n-gram counts of all references (Vamvas and Sennrich 2024): O(size + evidence). From a
    forest the candidates are its `size` [default: 100] best distinct strings, each with the probability of
    its best derivation.
    """

    name: ClassVar[str] = "mbr"
    hears_lists: ClassVar[bool] = True
    metric: MetricSpec = "bleu"
    size: int | None = None
    evidence: int | None = None
    aggregate: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        limits = {"size": self.size, "evidence": self.evidence}
        require_at_least(1, self.name, **{name: most for name, most in limits.items() if most is not None})
        metric = self._metric  # checks it
        if self.aggregate and not isinstance(metric, Chrf):
            raise OptionError(
                "{} needs the metric chrf, not {label}; for bleu the rule fast does nearly the same",
                "aggregate",
                label=metric.label,
            )

    def over_forest(self, forest: Forest, scores: Scores) -> Chosen:
        if columns := score_columns(self._metric):
            raise OptionError(
                f"mbr: {self._metric.label} needs the score {columns[0]!r} of each candidate, and forests"
                " have none; choose from candidate lists with scores, or by another metric"
            )
        found = best_strings(forest, edge_scores(forest, scores), self.size)
        if not found:
            raise InputError("the forest has no derivation to choose: it is empty, or all scores are -inf")
        place, value = self.choose([one.text for one in found], np.array([one.score for one in found]))
        return Chosen(found[place].text, found[place], value)

    def over_pool(
        self,
        pool: Pool,
        weights: GivenWeights | None = None,
        *,
        references: PseudoReferences | None = None,
        threads: int | None = None,
        progress: Say | None = None,
    ) -> Reranked:
        """Choose a candidate of each list; the scores returned are expected gains.

        With `references` (a pool with lists of the same ids, or texts per list), candidates are compared with
        them, each equally likely, instead of with each other; weights are then not needed, and only limit the
        candidates to the `size` most probable. `progress` takes a line every few seconds. A `size` or
        `evidence` that leaves out strings is an IgnoredInputWarning.
        """
        given = None if weights is None else read_weights(weights)
        lists = list(self._lists(pool, given, references, threads))
        counted = self._counted(lists, progress)
        chosen = map_forests(partial(self._choose, counted=counted), lists, threads=threads)
        return self.reranked(pool, given, chosen)

    def utilities(
        self,
        pool: Pool,
        weights: GivenWeights | None = None,
        *,
        references: PseudoReferences | None = None,
        threads: int | None = None,
    ) -> FloatArray:
        """Return the expected gain of every candidate of a pool, a feature for `Pool.with_features`.

        The references are those of `over_pool`, so that its choice has the highest utility among the `size`
        most probable candidates.
        """
        given = None if weights is None else read_weights(weights)
        lists = list(self._lists(pool, given, references, threads))
        return np.concatenate(map_forests(self._utilities, lists, threads=threads))

    def choose(self, texts: Sequence[str], scores: FloatArray) -> tuple[int, float]:
        """Return the position and expected gain of the best candidate; among equals the most probable."""
        return self._choose(_List(texts, scores))

    def _counted(self, lists: Sequence[_List], progress: Say | None) -> Counted:
        """Return what counts the comparisons; warn of strings that are left out."""
        strings = [len(set(one.texts)) for one in lists]
        compared = [min(size, self.size or size) for size in strings]
        others = [
            size if one.references is None else len(set(one.references))
            for one, size in zip(lists, compared, strict=True)
        ]
        say_limit("size", self.size, strings, "candidates")
        say_limit("evidence", self.evidence, others, "references")
        against = [min(size, self.evidence or size) for size in others]
        total = sum(left * right for left, right in zip(compared, against, strict=True))
        return Counted(total, "comparisons", progress)

    def _choose(self, one: _List, counted: Counted | None = None) -> tuple[int, float]:
        places, references, probabilities = self._compared(one)
        gains = self._expected(one, places, references, probabilities, counted)
        best = first_best(gains)
        return places[best], float(gains[best])

    def _utilities(self, one: _List) -> FloatArray:
        _, references, probabilities = self._compared(one)
        if score_columns(self._metric):  # equal strings may have different scores
            return self._expected(one, range(len(one.texts)), references, probabilities)
        first: dict[str, int] = {}
        for place, text in enumerate(one.texts):
            first.setdefault(text, place)
        gains = self._expected(one, list(first.values()), references, probabilities)
        known = dict(zip(first, gains.tolist(), strict=True))
        return np.array([known[text] for text in one.texts])

    def _lists(
        self,
        pool: Pool,
        weights: Mapping[str, float] | FloatArray | None,
        references: PseudoReferences | None,
        threads: int | None,
    ) -> Iterator[_List]:
        texts = list(candidate_texts(pool))
        columns = score_columns(self._metric)
        for name in columns:
            if name not in pool.scores:
                known = f"scores are {', '.join(pool.scores)}" if pool.scores else "they have no scores"
                raise InputError(f"mbr: the candidates have no score {name!r} ({known})")
        if references is not None and weights is None:
            scores = np.zeros(pool.n_candidates)
        else:
            scores = self.pool_scores(pool, weights, threads)
        given = None if references is None else references_by_list(pool, references)
        for place, (begin, end) in enumerate(pairwise(pool.offsets.tolist())):
            own = {name: pool.scores[name][begin:end] for name in columns}
            yield _List(texts[begin:end], scores[begin:end], own, None if given is None else given[place])

    def _compared(self, one: _List) -> tuple[list[int], list[str], FloatArray]:
        """Return the candidates to choose from, the references and their probabilities."""
        places, probabilities = self._distinct(one.texts, one.scores)
        if one.references is not None:
            counted = Counter(one.references).most_common(self.evidence)
            return places, [text for text, _ in counted], np.array([float(count) for _, count in counted])
        probabilities = probabilities[: self.evidence]
        return places, [one.texts[place] for place in places[: len(probabilities)]], probabilities

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

    def _expected(
        self,
        one: _List,
        places: Sequence[int],
        references: Sequence[str],
        probabilities: FloatArray,
        counted: Counted | None = None,
    ) -> FloatArray:
        """Return the expected gain of the candidates at `places` against the references."""
        candidates = [one.texts[place] for place in places]
        if self.aggregate:
            assert isinstance(self._metric, Chrf)
            stats = aggregated_chrf(self._metric, candidates, references, probabilities)
            return self._metric.sentence_gain(stats)
        texts, evidence, count = Texts.of(candidates), Texts.of(references), len(candidates)
        chosen: IntArray = np.array(places, dtype=np.int64)
        gains = np.zeros(count)
        step = max(1, MOST_PAIRS // count)
        for begin in range(0, len(probabilities), step):
            part = probabilities[begin : begin + step]
            pairs = Segments(
                texts.take(np.tile(np.arange(count), len(part))),
                np.arange(len(part) + 1, dtype=np.int64) * count,
                (evidence.take(np.arange(begin, begin + len(part))),),
                {name: np.tile(column[chosen], len(part)) for name, column in one.columns.items()},
            )
            gains += part @ self._metric.sentence_gain(self._metric.measure(pairs)).reshape(len(part), count)
            if counted is not None:
                counted.add(count * len(part))
        total: float = probabilities.sum()
        return gains / total

    @cached_property
    def _metric(self) -> Metric:
        return pairwise_metric(self.name, self.metric)
