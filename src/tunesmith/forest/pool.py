"""Forests of many sentences with their references: the training data of forest methods."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith.candidates.pool import Pool
from tunesmith.corpus.sets import read_reference_texts
from tunesmith.errors import DegenerateError, InputError
from tunesmith.files import PathLike
from tunesmith.forest.file import ForestFile
from tunesmith.forest.forest import Forest
from tunesmith.forest.kbest import kbest_pool
from tunesmith.forest.names import Names
from tunesmith.forest.threads import map_forests
from tunesmith.forest.viterbi import viterbi
from tunesmith.metrics.base import Metric, Segments
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import BoolArray, FloatArray, IntArray, Stats

__all__ = ["ForestPool"]


@dataclass(frozen=True, eq=False)
class ForestPool:
    """One forest per sentence with its references; the counterpart of `Pool` for forest methods.

    `forests` may be a list, or a `ForestFile`, whose forests are decompressed on access and
    share one set of names. Every forest has a derivation. An array of weights has the order of
    `feature_names`: the names of all forests, in order of first occurrence.
    """

    ids: tuple[str, ...]
    forests: Sequence[Forest]
    references: tuple[Texts, ...] = ()

    noun: ClassVar[str] = "forests"
    texts_noun: ClassVar[str] = "the forests' translations"
    baseline: ClassVar[str] = "start weights"

    def __post_init__(self) -> None:
        """Check the numbers of ids and references."""
        count = len(self.forests)
        if count == 0:
            raise InputError("a pool of forests needs at least one, found none")
        if len(self.ids) != count:
            raise InputError(f"{len(self.ids)} ids for {count} forests")
        for reference in self.references:
            if len(reference) != count:
                raise InputError(f"a reference has {len(reference)} lines for {count} forests")
        for name, edges in zip(self.ids, self.edge_counts.tolist(), strict=True):
            if edges == 0:
                raise InputError(f"the forest of sentence {name!r} is empty: no derivation was found")

    @classmethod
    def of(
        cls, forests: Sequence[Forest], references: Sequence[Sequence[str]], ids: Sequence[str] | None = None
    ) -> ForestPool:
        """Return the pool of forests and references: `references[r][i]` is reference r of forest i."""
        names = tuple(map(str, range(len(forests)))) if ids is None else tuple(ids)
        return cls(names, forests, tuple(Texts.of(reference) for reference in references))

    @classmethod
    def open(cls, path: PathLike, references: Sequence[PathLike]) -> ForestPool:
        """Open a file of forests; line i of each file of references belongs to forest i."""
        file = ForestFile.open(path)
        return cls(file.ids, file, tuple(texts for _, texts in read_reference_texts(references)))

    def __reduce__(self) -> tuple[object, ...]:
        # Pickled forests drop unused names; keep all names so that arrays of weights still fit.
        state = {"feature_names": self.feature_names}
        return (ForestPool, (self.ids, self.forests, self.references), state)

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.forests)

    def __repr__(self) -> str:
        return f"<ForestPool: {len(self)} forests, {self.contents}>"

    @cached_property
    def edge_counts(self) -> IntArray:
        """The number of edges of each forest."""
        if isinstance(self.forests, ForestFile):
            return self.forests.edge_counts.astype(np.int64)
        return np.array([forest.edge_count for forest in self.forests], dtype=np.int64)

    @property
    def edge_count(self) -> int:
        """The number of edges of all forests."""
        return int(self.edge_counts.sum())

    @property
    def contents(self) -> str:
        """A description of the size of the pool."""
        return f"{self.edge_count} edges, {len(self.feature_names)} features"

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features, in the order of weight arrays."""
        if isinstance(self.forests, ForestFile):
            return self.forests.feature_names
        known: dict[str, None] = {}
        for names in dict.fromkeys(forest.names for forest in self.forests):
            known.update(dict.fromkeys(names.features))
        return tuple(known)

    def columns(self, forest: Forest) -> IntArray:
        """Return the index of each feature of a forest in `feature_names`."""
        places = self._columns.get(forest.names)
        if places is None:
            places = np.array([self.places[name] for name in forest.feature_names], dtype=np.int64)
            self._columns[forest.names] = places
        return places

    def scores(self, forest: Forest, weights: FloatArray) -> FloatArray:
        """Return the scores of a forest's edges under weights in the order of `feature_names`."""
        return forest.scores(weights[self.columns(forest)])

    def weights(self, array: FloatArray) -> dict[str, float]:
        """Return weights by name."""
        return dict(zip(self.feature_names, array.tolist(), strict=True))

    def references_of(self, sentence: int) -> list[str]:
        """Return the references of one sentence."""
        return [reference[sentence] for reference in self.references]

    def nbest(self, weights: Mapping[str, float], size: int, *, threads: int | None = None) -> Pool:
        """Return the best distinct translations under weights as candidate lists with references."""
        pool = kbest_pool(
            self.forests, weights, size, unique=True, ids=self.ids, missing=0.0, threads=threads
        )
        return replace(pool, references=self.references)

    def sample_texts(self, most: int) -> Texts:
        """Return a translation from each of the first forests; of which derivation does not matter."""
        firsts = (self.forests[number] for number in range(min(most, len(self))))
        return Texts.of(viterbi(forest, np.zeros(forest.edge_count)).text for forest in firsts)

    def best_stats(self, metric: Metric, weights: FloatArray, threads: int | None = None) -> Stats:
        """Return the statistics of the Viterbi derivation of each forest."""

        def text(forest: Forest) -> str:
            return viterbi(forest, self.scores(forest, weights)).text

        texts = map_forests(text, self.forests, threads=threads)
        return metric.measure(Segments.of(texts, self.references), thread_count(threads))

    def baseline_stats(self, metric: Metric, start: FloatArray, threads: int | None = None) -> Stats:
        """Return the statistics of the best derivations under the start weights."""
        return self.best_stats(metric, start, threads)

    def fingerprint_arrays(self, metric: Metric, threads: int | None = None) -> list[npt.NDArray[Any]]:
        """Return everything that tuned weights depend on, except the feature names."""
        digests = b"".join(map(_digest, self.forests))
        references = [array for text in self.references for array in (text.offsets, text.blob)]
        return [np.frombuffer(digests, dtype=np.uint8), *references]

    def refuse_hopeless(self, metric: Metric, free: BoolArray, threads: int | None = None) -> None:
        """Raise DegenerateError if no weights can make a difference."""
        if all(np.diff(forest.native.edge_offsets).max() <= 1 for forest in self.forests):
            raise DegenerateError("nothing to learn: every forest has one derivation only")
        if metric.ngram_order and not any(map(self._has_match, range(len(self)))):
            raise DegenerateError(
                "nothing to learn: no forest has a word of its references; check that they belong together"
            )

    def _has_match(self, sentence: int) -> bool:
        forest = self.forests[sentence]
        targets = np.unique(forest.native.targets)
        words = {forest.words[number] for number in targets[targets >= 0].tolist()}
        return any(words.intersection(text.split()) for text in self.references_of(sentence))

    @cached_property
    def places(self) -> dict[str, int]:
        """The index of each feature in `feature_names`."""
        return {name: place for place, name in enumerate(self.feature_names)}

    @cached_property
    def _columns(self) -> dict[Names, IntArray]:
        return {}


def _digest(forest: Forest) -> bytes:
    """Return a digest of a forest, including the names of words and features."""
    native, digest = forest.native, hashlib.blake2b(digest_size=16)
    digest.update(repr(forest.feature_names).encode())
    digest.update(forest.words.offsets.tobytes() + forest.words.blob.tobytes())
    for array in (
        native.edge_offsets,
        native.tail_offsets,
        native.tails,
        native.edge_rules,
        native.target_offsets,
        native.targets,
        native.rule_feature_offsets,
        native.rule_feature_columns,
        native.rule_feature_values,
        native.edge_feature_offsets,
        native.edge_feature_columns,
        native.edge_feature_values,
    ):
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
