"""The hope and the fear of a forest (Chiang 2012), found by a search for clipped BLEU."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith.decode.scored_forest import ScoredForest
from tunesmith.errors import OptionError
from tunesmith.forest import Derivation, oracle_bleu, viterbi
from tunesmith.metrics.base import Metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.plain_ngrams import require_plain_words
from tunesmith.systems.candidates import Ranked
from tunesmith.texts import Texts
from tunesmith.tuning.online.documents import Document

__all__ = ["SentenceForest", "require_forest_metric"]


@dataclass(frozen=True)
class SentenceForest:
    """All derivations of a sentence that the search kept, with the references of the sentence."""

    found: ScoredForest
    metric: Bleu
    references: tuple[Texts, ...]

    def candidates(self, document: Document, words: int, beam: int) -> Ranked:
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

        found = (viterbi(forest, scores), extreme(1.0), extreme(-1.0))
        texts, totals = Texts.of(each.text for each in found), np.array([each.score for each in found])
        features = lambda index: self.found.features(found[index])  # noqa: E731
        return Ranked(texts, totals, features, self.metric, self.references)


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
