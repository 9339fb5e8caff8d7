"""The hope and the fear of a forest (Chiang 2012), found by a search for clipped BLEU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tunesmith import _native
from tunesmith.decode.scored_forest import ScoredForest
from tunesmith.errors import OptionError
from tunesmith.forest import Derivation, oracle_bleu, viterbi
from tunesmith.metrics.base import Metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.plain_ngrams import require_plain_words
from tunesmith.systems.candidates import difference_of, stats_of
from tunesmith.texts import Texts
from tunesmith.tuning.online.documents import Document
from tunesmith.types import FloatArray, Stats

__all__ = ["ForestCandidates", "SentenceForest", "require_forest_metric"]


@dataclass(frozen=True)
class ForestCandidates:
    """A few derivations of a forest; features are computed for those that are asked for."""

    forest: SentenceForest
    derivations: Sequence[Derivation]

    @cached_property
    def scores(self) -> FloatArray:
        return np.array([derivation.score for derivation in self.derivations])

    @cached_property
    def stats(self) -> Stats:
        texts = Texts.of(derivation.text for derivation in self.derivations)
        return stats_of(texts, self.forest.metric, self.forest.references)

    def features(self, index: int) -> _native.FeatureVector:
        return self.forest.found.features(self.derivations[index])

    def difference(self, plus: int, minus: int) -> _native.FeatureVector:
        return difference_of(self, plus, minus)


@dataclass(frozen=True)
class SentenceForest:
    """All derivations of a sentence that the search kept, with the references of the sentence."""

    found: ScoredForest
    metric: Bleu
    references: tuple[Texts, ...]

    def candidates(self, document: Document, words: int, beam: int) -> ForestCandidates:
        """Return the derivations best = argmax score, hope = argmax score + B and fear = argmax score - B.

        The best is exact. Hope and fear are found by a dynamic program over boundary words, lengths and
        clipped matches (`oracle_bleu`) that keeps `beam` partial translations per node; it may miss the
        optimum, so that which of the three is hope or fear is decided by their true B. O(edges x beam).
        """
        forest, scores, size = self.found.forest, self.found.scores, document.size(words)
        references = [text for reference in self.references for text in reference]

        def extreme(sign: float) -> Derivation:
            return oracle_bleu(
                forest,
                references,
                metric=self.metric,
                background=document.stats,
                scaled=size is None,
                scores=scores,
                model_weight=1.0,
                metric_weight=sign if size is None else sign * size,
                beam=beam,
            ).derivation

        return ForestCandidates(self, (viterbi(forest, scores), extreme(1.0), extreme(-1.0)))


def require_forest_metric(metric: Metric) -> Bleu:
    """Return the metric; an OptionError unless forests can be searched for it."""
    if not isinstance(metric, Bleu):
        raise OptionError(
            "{} forest needs bleu, not {name}: choose another {}, or nbest, which takes any",
            "hope_fear",
            "metric",
            name=metric.name,
        )
    require_plain_words(metric, "hope and fear of forests", "those of lists (nbest)")
    return metric
