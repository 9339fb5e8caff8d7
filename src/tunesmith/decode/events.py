"""Events of derivations as flat arrays: phrases or rules, spans, links, orientations and blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.decode.event_arrays import EventRules, EventSteps, Rows
from tunesmith.decode.event_views import DerivationView, view_step
from tunesmith.decode.translation import Translation
from tunesmith.errors import InputError
from tunesmith.forest.derivation import Derivation
from tunesmith.forest.forest import Forest
from tunesmith.forest.kbest import PATIENCE, check_kbest
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.immutable import seal
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import BoolArray, FloatArray, IntArray

__all__ = ["DerivationEvents"]


@dataclass(frozen=True, eq=False)
class DerivationEvents:
    """Derivations of forests, in flat read-only arrays that native code fills.

    `kbest`, `of` and `of_translations` make one. Derivations of forest i are `lists[i]` to `lists[i + 1]`;
    derivation d has the steps `step_offsets[d]` to `step_offsets[d + 1]`: phrases in target order, or the
    rules of a chart in target order, each before those in its gaps. An element of the sequence is a view of
    one derivation, made of Python values, for readers; loops over many should use the arrays.
    """

    lists: IntArray
    scores: FloatArray
    """Model score of each derivation, under the weights or scores that were given."""
    of_phrases: BoolArray
    """Whether a derivation consists of phrases with known, disjoint source spans: then, and only then, its
    steps have orientations and blocks."""
    step_offsets: IntArray
    target_words: Rows
    """Words of each derivation, as indices of `words`."""
    source_words: Rows
    """Word of each column of the input; -1 if unknown. In a lattice, those of the path that the derivation
    translates: the words of a phrase are in its first columns, and the last one fills the rest."""
    steps: EventSteps
    rules: EventRules
    words: Texts
    """Vocabulary of both sides."""

    @classmethod
    def kbest(
        cls,
        forests: Forest | Sequence[Forest],
        scores: Scores | Sequence[FloatArray],
        k: int,
        *,
        unique: bool = False,
        missing: float | None = None,
        patience: int = PATIENCE,
        threads: int | None = None,
    ) -> DerivationEvents:
        """Read the k best derivations of each forest; options as in `tunesmith.forest.kbest`.

        `scores` are weights by name, or one array of edge scores per forest. An empty forest has an empty
        list. Native, on threads; the result does not depend on their number.
        """
        check_kbest(k, patience)
        several = [forests] if isinstance(forests, Forest) else list(forests)
        native = [forest.native for forest in several]
        options = k, unique, patience, thread_count(threads)
        if isinstance(scores, Mapping):
            names = Texts.of(scores)
            values = np.fromiter(scores.values(), dtype=np.float64, count=len(scores))
            named = names.blob, names.offsets
            try:
                return cls._of(_native.kbest_events(native, named, values, missing, *options))
            except InputError:
                for shared in {forest.names for forest in several}:
                    shared.weights(scores, missing)  # names all features without a weight; native code one
                raise
        given = [np.asarray(scores)] if isinstance(forests, Forest) else list(scores)
        if len(given) != len(several):
            raise InputError(f"{len(given)} arrays of scores for {len(several)} forests")
        arrays = [edge_scores(forest, each) for forest, each in zip(several, given, strict=True)]
        return cls._of(_native.kbest_events_by_scores(native, arrays, *options))

    @classmethod
    def of(cls, derivations: Iterable[Derivation], *, threads: int | None = None) -> DerivationEvents:
        """Read given derivations, such as oracles; consecutive ones of one forest form a list."""
        groups = [list(group) for _, group in groupby(derivations, key=lambda each: id(each.forest))]
        return cls._of_lists(
            [group[0].forest for group in groups],
            [[(each.score, each.edges) for each in group] for group in groups],
            threads,
        )

    @classmethod
    def of_translations(
        cls, translations: Iterable[Translation], *, threads: int | None = None
    ) -> DerivationEvents:
        """Read the best derivations of translations made with `forest=True`; empty lists if none was found.

        It is the derivation that the search found, also where another one has the same score.
        """
        forests, lists = [], []
        for number, translation in enumerate(translations):
            if translation.forest is None:
                raise InputError(
                    f"translation {number} has no forest, from which events are read;"
                    " expected one made with forest=True"
                )
            best = _native.first_derivation(translation.forest.native)
            forests.append(translation.forest)
            lists.append([(translation.score, best)] if translation.found else [])
        return cls._of_lists(forests, lists, threads)

    @classmethod
    def _of_lists(
        cls,
        forests: Sequence[Forest],
        lists: Sequence[Sequence[tuple[float, Sequence[int] | npt.NDArray[np.uint32]]]],
        threads: int | None,
    ) -> DerivationEvents:
        flat = []
        for derivations in lists:
            lengths = [0, *(len(edges) for _, edges in derivations)]
            edges = [np.asarray(edges, dtype=np.uint32) for _, edges in derivations]
            flat.append(
                (
                    np.array([score for score, _ in derivations], dtype=np.float64),
                    np.cumsum(lengths, dtype=np.int64),
                    np.concatenate([np.zeros(0, dtype=np.uint32), *edges]),
                )
            )
        native = [forest.native for forest in forests]
        return cls._of(_native.derivation_events(native, flat, thread_count(threads)))

    @classmethod
    def _of(cls, arrays: _native.EventArrays) -> DerivationEvents:
        return cls(
            seal(arrays.lists),
            seal(arrays.scores),
            seal(arrays.of_phrases.view(np.bool_)),
            seal(arrays.step_offsets),
            Rows.of(arrays.target_words),
            Rows.of(arrays.source_words),
            EventSteps.of(arrays),
            EventRules.of(arrays),
            Texts(*arrays.words),
        )

    @cached_property
    def texts(self) -> Texts:
        """The target text of each derivation."""
        vocabulary = self.words.blob, self.words.offsets
        return Texts(*_native.joined_words(vocabulary, self.target_words.offsets, self.target_words.values))

    @cached_property
    def step_derivations(self) -> IntArray:
        """The derivation of each step."""
        return seal(np.repeat(np.arange(len(self)), np.diff(self.step_offsets)))

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[DerivationView]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> DerivationView:
        number = range(len(self))[number]
        steps = range(int(self.step_offsets[number]), int(self.step_offsets[number + 1]))
        return DerivationView(
            float(self.scores[number]),
            tuple(None if word < 0 else self.words[word] for word in self.source_words[number].tolist()),
            tuple(self.words.take(self.target_words[number])),
            tuple(view_step(self.steps, self.rules, self.words, step) for step in steps),
        )

    def __repr__(self) -> str:
        return (
            f"<DerivationEvents: {len(self)} derivations, {len(self.steps)} steps, {len(self.rules)} rules>"
        )
