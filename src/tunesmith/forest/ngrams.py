"""Expected counts of target n-grams, from the posteriors of edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.forest.context import check_order
from tunesmith.forest.forest import Forest
from tunesmith.forest.inside import posteriors
from tunesmith.forest.references import reference_texts
from tunesmith.forest.scores import Scores
from tunesmith.texts import Texts
from tunesmith.types import FloatArray, Int32Array, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["NgramIncidence", "expected_ngrams", "ngram_incidence"]


@dataclass(frozen=True, eq=False)
class NgramIncidence:
    """The sparse matrix c(e, g): the number of occurrences of n-gram g that edge e adds.

    N-gram g is the row `ngrams[g]` of numbers of `words`, with -1 after its last word. The n-grams of edge e
    are `ids[offsets[e]:offsets[e + 1]]`, rising, each `counts` times. Over the edges of a derivation the
    rows sum to the n-gram counts of its yield: an n-gram is counted at the lowest edge that contains it.
    There are no sentence markers.
    """

    ngrams: Int32Array
    offsets: Int32Array
    ids: Int32Array
    counts: FloatArray
    edge_words: FloatArray
    """The number of words that each edge adds; sums to the length of the yield of a derivation."""
    words: Sequence[str]
    """The words that the numbers in `ngrams` index: the forest's, or the references'."""
    limits: IntArray | None = None
    """With references: the maximum number of matches of each n-gram, its largest count in one reference."""

    @property
    def order(self) -> int:
        """The maximum number of words of an n-gram."""
        return int(self.ngrams.shape[1])

    @cached_property
    def lengths(self) -> IntArray:
        """The number of words of each n-gram."""
        lengths: IntArray = (self.ngrams >= 0).sum(axis=1, dtype=np.int64)
        return lengths

    @cached_property
    def matrix(self) -> csr_array:
        """The matrix, sharing memory with the arrays."""
        from scipy.sparse import csr_array

        shape = (len(self.offsets) - 1, len(self.ngrams))
        return csr_array((self.counts, self.ids, self.offsets), shape=shape)

    def expected(self, edges: FloatArray) -> FloatArray:
        """Return E[c_g] = sum over edges e of p(e) c(e, g), given the posteriors of edges (`posteriors`)."""
        return np.asarray(self.matrix.T @ self._checked(edges, len(self.offsets) - 1, "edges"))

    def rewards(self, values: FloatArray) -> FloatArray:
        """Return r(e) = sum over n-grams g of c(e, g) v_g: the reward of each edge."""
        return np.asarray(self.matrix @ self._checked(values, len(self.ngrams), "n-grams"))

    @staticmethod
    def _checked(values: FloatArray, size: int, what: str) -> FloatArray:
        array = np.asarray(values, dtype=np.float64)
        if array.shape != (size,):
            raise InputError(f"values of shape {array.shape} for {size} {what}")
        return array


def ngram_incidence(forest: Forest, n: int = 4, *, references: Sequence[str] | None = None) -> NgramIncidence:
    """Return which n-grams of 1 to n words are new at each edge: in its words, or across its gaps.

    A forest whose nodes have different boundary words is an InputError: call `expand_context(forest, n)`
    first. N-grams are numbered by first occurrence, from edge 0 on. O(symbols * n^2).

    With `references` the n-grams are exactly those of the references, split into words as in BLEU, with the
    `limits` of BLEU's clipping; `expand_context(forest, n, references=references)` is enough.
    """
    if references is None:
        return NgramIncidence(*_native.ngram_incidence(forest.native, check_order(n)), forest.words)
    texts = reference_texts(references)
    arrays, limits, words = _native.reference_ngram_incidence(
        forest.native, check_order(n), texts.blob, texts.offsets
    )
    return NgramIncidence(*arrays, tuple(Texts(*words)), limits.astype(np.int64))


def expected_ngrams(forest: Forest, scores: Scores, n: int = 4) -> tuple[Int32Array, FloatArray]:
    """Return n-grams as rows of word numbers (-1 after the last), and their expected counts.

    Expectations are under p(d) = exp(score(d)) / Z; the forest must be local, as in `ngram_incidence`.
    """
    incidence = ngram_incidence(forest, n)
    return incidence.ngrams, incidence.expected(posteriors(forest, scores).edges)
