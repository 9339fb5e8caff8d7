"""Orientations of phrases, with the words and classes around them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple, Self

from tunesmith import _native
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import TEMPLATES, Sentence, StatefulTemplate, Step, Values
from tunesmith.features.label_sets import LabelSets
from tunesmith.features.lexical import SOURCE_CLASSES, TARGET_CLASSES, Lexical
from tunesmith.features.orientations import START, Range, Stack, backward, beside, class_of, forward, push
from tunesmith.features.whitelist import Whitelist
from tunesmith.features.word_parts import is_word_part, word_part
from tunesmith.options import check_options, option, same_option
from tunesmith.tables.reordering import ReorderingSpec

__all__ = [
    "FREQUENT_SOURCE",
    "FREQUENT_TARGET",
    "IDENTITIES",
    "PARTS",
    "WORDS_SOURCE",
    "WORDS_TARGET",
    "SparseReordering",
]

FREQUENT_SOURCE, FREQUENT_TARGET = "frequent.source.txt", "frequent.target.txt"
"""The lists of the model: the most frequent words of the training text."""

WORDS_SOURCE, WORDS_TARGET = "words.source.txt", "words.target.txt"
"""All words of the training text by frequency."""

PARTS = ("phrase", "stack", "between")
IDENTITIES = ("source", "target", "pair")
"""What names have after the name of the template."""

Labels = tuple[str, ...]
"""The labels of one word."""

_STACKS = {
    "none": _native.StackWords.NONE,
    "previous": _native.StackWords.PREVIOUS,
    "block": _native.StackWords.BLOCK,
}
_NO_LABELS = LabelSets({})

DISCONTINUOUS = ("discontinuous", "left", "right")
"""The orientations with words in between."""


class State(NamedTuple):
    """What orientations depend on, and the labels of the first and last target word of the last phrase."""

    sentence: Sentence
    stack: Stack = ()
    before: Range = START
    first: Labels = ()
    last: Labels = ()


@TEMPLATES.register("sparse-reordering")
@dataclass(frozen=True)
class SparseReordering(StatefulTemplate[State]):
    """Counts of orientations with words and classes (Cherry 2013; in the form of Moses by default).

    - `SparseReordering_phrase_source_first_w_f_swap`: the first (or last) word of the source (or target) side
      of a phrase is f, one of the `top` most frequent words; its backward orientation is swap. Its class 3 of
      20 gives `C20_c3` in place of `w_f`, for each number of `classes`.
    - `SparseReordering_stack_...`: the same of the previous phrase, with its forward orientation; with
      `stack=block`, of the block on top of the stack, with the backward orientation of the phrase after it.
    - `SparseReordering_between_w_f_right`: f is between the two in the source, and the backward orientation
      is discontinuous.
    - `SparseReordering_source_f1_f2_swap`, `SparseReordering_target_e1_swap` and
      `SparseReordering_pair_f1_f2_~_e1_swap` with `identities`: the sides of a phrase pair and the whole,
      with its backward orientation (Auli, Galley and Gao 2014). Words that are passed through and phrases
      that the input gives have none.

    With `uncommon`, all words of the training text have features of their own. Orientations are those of
    hierarchical (`hier`) or phrase-based models. The words of a block are the first one of the phrase that
    began it and the last one of the phrase that was added last. In a lattice, source words are those of
    phrase pairs alone: not those of blocks and between. Not defined in charts.
    """

    name: str = "SparseReordering"
    top: int = option(80, help="Number of words with features of their own.", least=0)
    classes: tuple[int, ...] = option((), help="Numbers of classes, such as 20+50.", least=1)
    model: Literal["hier", "phrase"] = option("hier", help="Kind of orientations: {choices}.")
    orientations: Literal["msd", "mslr", "mslrg"] = option("mslr", help="Classes of orientations: {choices}.")
    phrase: bool = option(True, help="Features of the phrase.")
    stack: Literal["previous", "block", "none"] = option("previous", help="What is on the stack: {choices}.")
    between: bool = option(True, help="Features of the source words between phrase and stack.")
    identities: bool = option(False, help="Features of whole phrases and phrase pairs.")
    uncommon: bool = option(False, help="Features of all words of the training text: `top` is no limit.")
    only: str = same_option(Lexical, "only")
    least: float = same_option(Lexical, "least")
    source_labels: LabelSets | None = None
    target_labels: LabelSets | None = None
    whitelist: Whitelist | None = None

    def __post_init__(self) -> None:
        check_options(self, self.name)
        ReorderingSpec(self.model, self.orientations)  # refuses mslrg without blocks
        if self.stack == "block" and self.model != "hier":
            raise OptionError(f"{self.name}: stack=block needs blocks of any size: use model=hier")
        if not (self.phrase or self.between or self.stack != "none" or self.identities):
            raise OptionError(f"{self.name}: has no part: set phrase, between, stack or identities")
        if self.only and self.whitelist is None:
            object.__setattr__(self, "whitelist", Whitelist.read(Path(self.only), self.least))

    def owns(self, name: str) -> bool:
        """Return whether a feature may come from the template: `NAME_phrase_...` and the like.

        Not all of `NAME_...`: a template that is imported has the name of a dense feature.
        """
        parts = (*PARTS, *IDENTITIES) if self.identities else PARTS
        return name == self.name or name.startswith(tuple(f"{self.name}_{part}_" for part in parts))

    def admits(self, name: str) -> bool:
        """Return whether a name has an orientation, and a place with a label of its side, or an identity."""
        rest = self.rest_of(name) or ""
        begin, _, orientation = rest.rpartition("_")
        if not self.owns(name) or orientation not in self.classes_of_orientations:
            return False
        if self.whitelist is not None and name not in self.whitelist.names:
            return False
        part, _, what = begin.partition("_")
        if part in IDENTITIES:
            sides = what.split("_~_")
            words = [word for side in sides for word in side.split("_")]
            return len(sides) == (2 if part == "pair" else 1) and all(map(is_word_part, words))
        if part == "between":
            return self.between and orientation in DISCONTINUOUS and what in _known(self.source_labels)
        side, place, label = (*what.split("_", 2), "", "")[:3]
        labels = {"source": self.source_labels, "target": self.target_labels}.get(side)
        is_used = self.phrase if part == "phrase" else self.stack != "none"
        return is_used and place in ("first", "last") and label in _known(labels)

    def with_lists(self, directory: Path) -> Self:
        """Return the template with its words and classes."""
        words: tuple[str, str] = (FREQUENT_SOURCE, FREQUENT_TARGET)
        most: int | None = self.top
        if self.uncommon:
            words, most = (WORDS_SOURCE, WORDS_TARGET), None
        source, target = (
            LabelSets.read(directory, listed, most, {count: file.format(count) for count in self.classes})
            for listed, file in zip(words, (SOURCE_CLASSES, TARGET_CLASSES), strict=True)
        )
        return replace(self, source_labels=source, target_labels=target)

    def start(self, sentence: Sentence) -> State:
        """Return the state before the first phrase."""
        return State(sentence)

    def apply(self, tails: tuple[State, ...], step: Step) -> tuple[State, Values]:
        """Count the features of a phrase, and those of what was before it."""
        if len(tails) != 1 or any(isinstance(word, int) for word in step.pair.target):
            raise InputError(
                f"the feature {self.name!r} needs a decoder that goes from left to right; remove it for a"
                " chart decoder"
            )
        state, known = tails[0], self.target_labels or _NO_LABELS
        labels = [known[str(word)] for word in step.pair.target] or [()]
        first, last = labels[0], labels[-1]
        counts = Counter(self._features(state, step, first, last))
        stack = push(state.stack, step.span, first if self.stack == "block" else ())
        values: Values = counts if self.whitelist is None else self.whitelist.reduce(counts)
        return State(state.sentence, stack, step.span, first, last), values

    def twin(self) -> _native.SparseReorderingFeature:
        """Return the native feature."""
        return _native.SparseReorderingFeature(self.native_parts())

    @property
    def classes_of_orientations(self) -> tuple[str, ...]:
        """The names of the classes, in order: the ends of the names of features."""
        return ReorderingSpec(self.model, self.orientations).labels

    def native_parts(self) -> _native.SparseReorderingParts:
        """Return the parts as native code takes them, for both forms of the feature."""
        spec = ReorderingSpec(self.model, self.orientations)
        return _native.SparseReorderingParts(
            self.name,
            spec.native,
            list(spec.labels),
            (self.source_labels or _NO_LABELS).native,
            (self.target_labels or _NO_LABELS).native,
            phrase=self.phrase,
            stack=_STACKS[self.stack],
            between=self.between,
            identities=self.identities,
            only=None if self.whitelist is None else self.whitelist.native,
        )

    def _features(self, state: State, step: Step, first: Labels, last: Labels) -> Iterator[str]:
        words, known = state.sentence.words, self.source_labels or _NO_LABELS
        source = [known[word] for word in words]
        found = self._backward(state, step.span)
        if self.phrase:
            own = source[slice(*step.span)] or [known[str(word)] for word in step.pair.source]
            yield from self._borders("phrase", own, (0, len(own)), (first, last), found)
        if self.identities and step.pair.known:
            sides = [
                "_".join(word_part(str(word)) for word in side)
                for side in (step.pair.source, step.pair.target)
            ]
            for identity, text in zip(IDENTITIES, (*sides, "_~_".join(sides)), strict=True):
                yield f"{self.name}_{identity}_{text}_{found}"
        before, opened, following = state.before, state.first, ""
        if self.stack == "block" and state.stack:
            (before, opened), following = state.stack[-1], found
        if self.stack != "none" and before != START:
            following = following or self._forward(state, step)
            yield from self._borders("stack", source, before, (opened, state.last), following)
        if self.between and found in DISCONTINUOUS:
            begin, end = (before[1], step.span[0]) if step.span[0] >= before[1] else (step.span[1], before[0])
            for label in itertools.chain(*source[begin:end]):
                yield f"{self.name}_between_{label}_{found}"

    def _borders(
        self, part: str, source: list[Labels], span: Range, target: tuple[Labels, Labels], found: str
    ) -> Iterator[str]:
        """Yield the features of the words at the borders of a phrase or block."""
        within = source[span[0] : span[1]] or [()]
        places = ("source_first", "source_last", "target_first", "target_last")
        for place, labels in zip(places, (within[0], within[-1], *target), strict=True):
            for label in labels:
                yield f"{self.name}_{part}_{place}_{label}_{found}"

    def _backward(self, state: State, span: Range) -> str:
        found = backward(state.stack, span) if self.model == "hier" else beside(state.before, span)
        return class_of(self.orientations, found)

    def _forward(self, state: State, step: Step) -> str:
        found = beside(state.before, step.span)
        if self.model == "hier":
            found = forward(state.before, step.span, step.covered, state.sentence.columns)
        return class_of(self.orientations, found)


def _known(labels: LabelSets | None) -> frozenset[str]:
    return (labels or _NO_LABELS).labels
