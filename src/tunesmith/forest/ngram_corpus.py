"""Forests compiled for repeated evaluation of expected n-gram counts and their gradients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.folders import temporary_place
from tunesmith.forest.context import check_order
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.references import reference_texts
from tunesmith.forest.refinement import MAX_EDGES, MAX_NODES
from tunesmith.forest.store import MEMORY
from tunesmith.forest.threads import each_forest
from tunesmith.memory import parse_bytes
from tunesmith.metrics.counts import CountSlopes, NgramCounts
from tunesmith.threads import thread_count
from tunesmith.types import FloatArray

__all__ = ["NgramCorpus"]


@dataclass(frozen=True, eq=False)
class NgramCorpus:
    """The forests of a pool, each n-gram of the references counted at the edge that adds it.

    p(d) is proportional to exp(scale * weights . features(d)). Forests whose n-grams are not local to edges
    (see `has_local_context`) are split by their reference context. Forests are kept in memory up to `memory`
    bytes; the others go to an unnamed file in `folder`, read at each evaluation. Evaluations take O(edges),
    and their results do not depend on the number of threads.
    """

    pool: ForestPool
    order: int = 4
    threads: int | None = None
    memory: int | str = MEMORY
    folder: PathLike | None = None

    def __post_init__(self) -> None:
        """Compile the forests now, so that errors are reported here."""
        check_order(self.order)
        if not self.pool.references:
            raise InputError("the forests have no references; expected at least one per sentence")
        _ = self.native

    def __reduce__(self) -> tuple[object, ...]:
        return (NgramCorpus, (self.pool, self.order, self.threads, self.memory, self.folder))

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.pool)

    def __repr__(self) -> str:
        return (
            f"<NgramCorpus: {len(self)} forests, {self.edge_count} edges of {self.bytes_per_edge:.1f} bytes,"
            f" {self.bytes_on_disk} bytes on disk>"
        )

    @cached_property
    def native(self) -> _native.NgramForests:
        """The forests, compiled a few at a time."""
        corpus = _native.NgramForests(
            self.order,
            len(self.pool.feature_names),
            parse_bytes(self.memory),
            str(self.folder or temporary_place()),
        )
        for packed in each_forest(self._pack, range(len(self.pool)), threads=self.threads):
            corpus.add(packed)
        return corpus

    @property
    def edge_count(self) -> int:
        """The number of edges, after nodes were split."""
        return self.native.edge_count

    @property
    def bytes_per_edge(self) -> float:
        """Mean number of bytes per edge."""
        return self.native.bytes / self.native.edge_count

    @property
    def bytes_on_disk(self) -> int:
        """Number of bytes that did not fit into `memory`."""
        return self.native.bytes_on_disk

    def counts(self, weights: FloatArray, scale: float = 1.0) -> NgramCounts:
        """Return E[c] of the references' n-grams and of all n-grams of each order."""
        return self.expected(weights, scale)[0]

    def expected(self, weights: FloatArray, scale: float = 1.0) -> tuple[NgramCounts, FloatArray]:
        """Return expected counts, and the entropy of each sentence in nats."""
        vector = np.ascontiguousarray(weights, dtype=np.float64)
        counts, totals, entropy = self.native.expected(vector, scale, self._workers)
        return replace(self.references, counts=counts, totals=totals), entropy

    def reward(
        self, weights: FloatArray, values: CountSlopes, *, scale: float = 1.0, temperature: float = 0.0
    ) -> tuple[float, FloatArray]:
        """Return sum over sentences of E[r] + temperature * H and its gradient by the weights.

        r(d) is the sum of the `values` of the n-grams of d. If `values` are the slopes of a function f of
        expected counts, the gradient (at temperature 0) is that of f: df/dw = E[r phi] - E[r] E[phi].
        """
        mean, entropy, gradient = self.native.reward(
            np.ascontiguousarray(weights, dtype=np.float64),
            scale,
            np.ascontiguousarray(values.counts, dtype=np.float64),
            np.ascontiguousarray(values.totals, dtype=np.float64),
            temperature,
            self._workers,
        )
        return mean + temperature * entropy, gradient

    @cached_property
    def references(self) -> NgramCounts:
        """The n-grams of the references, with hypothesis counts of zero."""
        offsets, lengths, limits, reference_lengths = self.native.references()
        nothing = np.zeros(len(lengths)), limits, np.zeros((len(self), self.order))
        return NgramCounts(offsets, lengths, *nothing, reference_lengths)

    @cached_property
    def _workers(self) -> int:
        return thread_count(self.threads)

    def _pack(self, sentence: int) -> _native.PackedNgramForest:
        forest = self.pool.forests[sentence]
        texts = reference_texts(self.pool.references_of(sentence))
        columns = self.pool.columns(forest).astype(np.uint32)
        try:
            return _native.pack_ngram_forest(
                forest.native, columns, texts.blob, texts.offsets, self.order, MAX_NODES, MAX_EDGES
            )
        except InputError as error:
            raise InputError(f"sentence {self.pool.ids[sentence]!r}: {error.message}") from None
