"""The hope/fear hinge of lattice MIRA (Cherry and Foster 2012) over forests, one pass at a time."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from tunesmith import _native
from tunesmith.candidates.pool import Pool
from tunesmith.errors import InputError, OptionError
from tunesmith.folders import temporary_place
from tunesmith.forest.ngram_corpus import NgramCorpus
from tunesmith.forest.oracle import is_monotone
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.references import reference_texts
from tunesmith.forest.store import MEMORY, store_forests
from tunesmith.forest.threads import each_forest
from tunesmith.memory import parse_bytes
from tunesmith.metrics.base import Metric
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.plain_ngrams import require_plain_words
from tunesmith.objectives.base import OBJECTIVES
from tunesmith.objectives.hope_fear import MarginObjective, Passed
from tunesmith.types import FloatArray, IntArray, Stats

__all__ = ["ForestHopeFear", "require_bleu"]


@OBJECTIVES.register("forest-hope-fear")
@dataclass(frozen=True, eq=False)
class ForestHopeFear(MarginObjective):
    """Margins between hope and fear derivations of forests, in a decaying background of past hopes.

    hope = argmax over derivations d of score(d) + B(d), fear = argmax of score(d) - B(d), with
    B(d) = BLEU(background + stats(d)) * size(background + stats(d)), as in `hope-fear`. The `oracle` is

    - `linear`: Viterbi for B linearized at the background: the reward of a word is the sum of the slopes of
      all totals, that of a reference n-gram the slope of the matches of its order, not clipped. O(edges).
    - `beam`: a search for B itself that keeps `beam` items per node (`oracle_bleu`). Much slower.

    In both cases the update uses the true, clipped B of the derivations found. `loss`, by which the best pass
    is chosen, is -gain of the derivations that the weights rank first. Forests are compiled once, when first
    needed, with nodes split by the boundary words that occur in references; time and memory are linear in the
    edges after splitting. Compiled forests that exceed `memory` go to an unnamed temporary file, read at each
    visit; `beam` also keeps the original forests (of a file, only up to `memory`).
    """

    learns_from: ClassVar[type[Pool] | type[ForestPool]] = ForestPool

    pool: ForestPool
    metric: Bleu
    decay: float = 0.999
    oracle: Literal["linear", "beam"] = "linear"
    beam: int = 16
    threads: int = 1
    memory: int | str = MEMORY

    @classmethod
    def build(
        cls, pool: ForestPool, metric: Metric, *, seed: int = 1, threads: int = 1, **options: Any
    ) -> Self:
        return cls(pool, require_bleu(metric), threads=threads, **options)

    def __post_init__(self) -> None:
        """Check the options."""
        if self.oracle not in ("linear", "beam"):
            raise OptionError(f"the oracle must be 'linear' or 'beam', not {self.oracle!r}")
        if self.beam < 1:
            raise OptionError(f"the beam must be at least 1, not {self.beam}")

    @property
    def lists(self) -> int:
        return len(self.pool)

    def loss(self, weights: FloatArray) -> float:
        return -float(self.metric.gain(self.stats(weights).sum(axis=0)))

    def stats(self, weights: FloatArray) -> Stats:
        """Return the statistics of the best derivation, one row per forest.

        Zero weights rank nothing: theirs are the statistics of expected counts under the uniform distribution
        over derivations.
        """
        if weights.any():
            return self.compiled.statistics(np.ascontiguousarray(weights, dtype=np.float64), self.threads)
        return self._even_stats

    @cached_property
    def _even_stats(self) -> Stats:
        """Statistics of expected counts, all derivations equally likely; cached."""
        corpus = NgramCorpus(self.pool, self.metric.order, self.threads, self.memory)
        return self.metric.stats_from_counts(corpus.counts(np.zeros(len(self.pool.feature_names))))

    def begin(self, weights: FloatArray) -> Passed:
        return Passed.start(weights, self.metric.width)

    def learn(
        self, order: IntArray, aggressiveness: float, lower: FloatArray, upper: FloatArray, at: Passed
    ) -> Passed:
        return Passed(
            *self.compiled.learn(
                self._finder,
                order,
                aggressiveness,
                self.decay,
                lower,
                upper,
                at.weights,
                at.drift,
                at.background,
                at.steps,
                self.threads
                if self.oracle == "beam"
                else 1,  # starting a thread costs more than a Viterbi pass
            )
        )

    @property
    def bytes_per_edge(self) -> float:
        """Bytes per edge of the compiled forests, without the originals that `beam` keeps."""
        return self.compiled.bytes / self.compiled.edge_count

    @cached_property
    def compiled(self) -> _native.HopeFearForests:
        """The forests with the matches that edges add, in memory as far as they fit."""
        corpus = _native.HopeFearForests(
            self.metric.scorer(),
            len(self.pool.feature_names),
            parse_bytes(self.memory),
            temporary_place(),
        )
        for packed in each_forest(self._pack, range(len(self.pool)), threads=self.threads):
            corpus.add(packed)
        return corpus

    @cached_property
    def _finder(self) -> _native.HopeFearFinder:
        if self.oracle == "linear":
            return _native.linear_finder(self.metric.scorer())
        return _native.beam_finder(
            store_forests(self.pool, self.memory, self.threads),
            [(reference.blob, reference.offsets) for reference in self.pool.references],
            self.metric.scorer(),
            self.metric.reference_length,
            is_monotone(self.metric),
            self.beam,
        )

    def _pack(self, sentence: int) -> _native.PackedHopeFearForest:
        forest = self.pool.forests[sentence]
        texts = reference_texts(self.pool.references_of(sentence))
        columns, width = self.pool.columns(forest), len(self.pool.feature_names)
        bleu = self.metric.order, self.metric.reference_length
        try:
            return _native.pack_hope_fear_forest(
                forest.native, columns, width, texts.blob, texts.offsets, *bleu
            )
        except InputError as error:
            raise InputError(f"sentence {self.pool.ids[sentence]!r}: {error.message}") from None

    def __getstate__(self) -> dict[str, object]:
        # Native objects are compiled again when needed.
        return {field.name: getattr(self, field.name) for field in fields(self)}


def require_bleu(metric: Metric) -> Bleu:
    """Return the metric; an OptionError unless it is BLEU on plain words."""
    if not isinstance(metric, Bleu):
        raise OptionError(
            "hope and fear of forests need bleu, not {name}: choose {} bleu, or mira on candidate lists,"
            " which takes any metric",
            "metric",
            name=metric.name,
        )
    require_plain_words(metric, "forest-mira", "mira on candidate lists")
    return metric
