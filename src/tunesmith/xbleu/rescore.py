"""Adds the features of a trained reordering model to n-best lists with the phrases of derivations."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tunesmith.decode.output.nbest import NO_PAIR
from tunesmith.errors import InputError
from tunesmith.features.base import Pair
from tunesmith.features.bridge import TemplateSession
from tunesmith.files import PathLike, open_write, read_lines
from tunesmith.xbleu.reordering import TrainedReordering

__all__ = ["Rescored", "rescore"]

_SEPARATOR = " ||| "
_UNKNOWN = re.compile("UnknownWordPenalty[0-9]*=")
_PENALTY = -100.0
"""Of an unknown word, here and in Moses."""
_LARGEST = 1e9
_NUMBER = re.compile("[0-9]{1,9}")
_SPAN = re.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?")
_HOW = (
    "write the lists with `tunesmith decode MODEL --nbest-output LISTS --nbest-segments`, or by Moses with"
    " -print-alignment-info and -n-best-list"
)


@dataclass(frozen=True)
class Rescored:
    """Numbers of lists and candidates, and the names of the added features."""

    lists: int
    candidates: int
    names: tuple[str, ...]


def rescore(lists: PathLike, reordering: PathLike, output: PathLike, *, source: PathLike) -> Rescored:
    """Write n-best lists again, each candidate with the feature NAME_ORIENTATION per orientation.

    Lines are those of Moses with the phrases as fifth field: `ID ||| text ||| features ||| total ||| 0-1=0-1
    2=2`; nothing else of them changes, so totals are those of the decoder that wrote them. `source` has the
    words that were decoded, without markup; ID counts its lines from 0. The values are those that a decoder
    with the model attached has for the same derivations.

    Unknown words and phrases given by the input have no identity as a phrase. Our lists mark them, `2=2*`. In
    lists without marks, such as those of Moses, the UnknownWordPenalty says how many words are unknown. If as
    many words are copied or dropped, they are those; otherwise it is those for which the model has no weight
    as a source phrase, so values may differ from the decoder's.

    O(1) look-ups per distinct phrase, orientation and block of a list.
    """
    trained = TrainedReordering.open(reordering)
    names = tuple(f"{trained.template.name}_{each}" for each in trained.orientations)
    sentences = list(read_lines(source))
    scorer = _Scorer(trained)
    seen: set[int] = set()
    current, count = -1, 0
    with open_write(output) as stream:
        for number, text in enumerate(read_lines(lists), 1):
            line = _Line.parse(text, lists, number)
            line.check_new(names, lists, number)
            if not 0 <= line.sentence < len(sentences):
                raise InputError(
                    f"is a candidate of sentence {line.sentence}, but {source} has {len(sentences)} lines;"
                    " expected the text that was decoded",
                    path=lists,
                    line=number,
                )
            if line.sentence != current:
                current = line.sentence
                scorer.begin(tuple(sentences[current].split()))
                seen.add(current)
            try:
                sums = scorer.score(line)
            except InputError as error:
                raise InputError(error.message, path=lists, line=number) from None
            stream.write((line.with_features(names, sums) + "\n").encode())
            count += 1
        if not count:  # checked here, so that an empty file does not replace what was there
            raise InputError("has no candidates; expected n-best lists", path=lists)
    return Rescored(len(seen), count, names)


@dataclass(frozen=True)
class _Segment:
    """A phrase: source words and target words [begin, end); whether it is marked as no pair of a table."""

    source: tuple[int, int]
    target: tuple[int, int]
    is_marked: bool

    @classmethod
    def parse(cls, text: str, at: int) -> _Segment | None:
        """Read `0-1=0-1`; `at` is where the target words of the phrase before end. None if it is damaged."""
        source, equals, target = text.removesuffix(NO_PAIR).partition("=")
        columns, words = _span(source), _span(target) if target else (at, at)
        if not equals or columns is None or words is None:
            return None
        return cls(columns, words, text.endswith(NO_PAIR))


@dataclass(frozen=True)
class _Line:
    """A line of a list, and its fields that matter here."""

    fields: list[str]
    sentence: int
    words: list[str]
    features: str
    segments: list[_Segment]
    """In target order."""
    unknown: int
    """The number of unknown words."""

    @classmethod
    def parse(cls, text: str, path: PathLike, number: int) -> _Line:
        fields = [part.strip(" ") for part in text.split("|||")]
        try:
            is_empty = len(fields) >= 5 and not fields[1] and not fields[4]  # of a sentence without words
            if not is_empty and (len(fields) < 5 or "=" not in fields[4]):
                raise InputError(
                    "has no phrases of the derivation: expected a fifth field such as '0-1=0-1 2=2'; " + _HOW
                )
            if not _NUMBER.fullmatch(fields[0]):
                raise InputError(f"expected the number of a sentence, found {fields[0]!r:.60}")
            segments, unknown = cls._segments(fields[4]), _unknown_words(fields[2])
        except InputError as error:
            raise InputError(error.message, path=path, line=number) from None
        return cls(fields, int(fields[0]), fields[1].split(), fields[2], segments, unknown)

    @staticmethod
    def _segments(text: str) -> list[_Segment]:
        found: list[_Segment] = []
        for part in text.split():
            segment = _Segment.parse(part, found[-1].target[1] if found else 0)
            if segment is None:
                raise InputError(
                    f"has the phrase {part!r:.60}; expected source words = target words, each as first-last,"
                    " such as '0-1=0-1'"
                )
            found.append(segment)
        return found

    def check_new(self, names: Sequence[str], path: PathLike, number: int) -> None:
        """Raise InputError if the line has one of the features."""
        known = set(self.features.split())
        for name in names:
            if f"{name}=" in known:
                raise InputError(
                    f"has the feature {name} already: the lists were rescored before, or made by a model with"
                    " the reordering model attached; expected lists without it",
                    path=path,
                    line=number,
                )

    def with_features(self, names: Sequence[str], values: Sequence[float]) -> str:
        """Return the line with further features."""
        added = " ".join(f"{name}= {value:.9g}" for name, value in zip(names, values, strict=True))
        features = f"{self.features} {added}" if self.features else added
        return _SEPARATOR.join([*self.fields[:2], features, *self.fields[3:]])


def _span(text: str) -> tuple[int, int] | None:
    """Return [begin, end) of `first-last` or of one position; None if it is neither."""
    found = _SPAN.fullmatch(text)
    if found is None:
        return None
    first = int(found[1])
    last = first if found[2] is None else int(found[2])
    return (first, last + 1) if first <= last else None


def _unknown_words(features: str) -> int:
    """Return the number of unknown words, from their penalties."""
    return round(sum(_penalties(features.split())) / _PENALTY)


def _penalties(words: list[str]) -> Iterator[float]:
    """Yield the penalties of unknown words among features `NAME= value`."""
    counting = False
    for word in words:
        if word.endswith("="):
            counting = _UNKNOWN.fullmatch(word) is not None
        elif counting:
            try:
                value = float(word)
            except ValueError:
                value = math.nan
            if not abs(value) <= _LARGEST:  # nor NaN
                raise InputError(f"has the UnknownWordPenalty {word!r:.60}; expected a number")
            yield value


@dataclass
class _Scorer:
    """The sums of weights by orientation; what derivations of one sentence share is computed once."""

    trained: TrainedReordering
    _words: tuple[str, ...] = ()
    _known: dict[tuple[object, ...], tuple[int, tuple[float, ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._session = TemplateSession(self.trained.template)
        self._ends = tuple(f"_{each}" for each in self.trained.orientations)

    def begin(self, words: tuple[str, ...]) -> None:
        """Begin a sentence."""
        self._words = words
        self._known.clear()
        self._session.begin(words, len(words))

    def score(self, line: _Line) -> list[float]:
        """Return one sum per orientation."""
        sums = [0.0] * len(self._ends)
        state, covered, at = self._session.start(), 0, 0
        unknown = self._unknown(line)
        for number, segment in enumerate(line.segments):
            (begin, end), (first, last) = segment.source, segment.target
            is_inside = end <= len(self._words) and last <= len(line.words)
            columns = ((1 << (end - begin)) - 1) << begin if is_inside else 0
            if not is_inside or covered & columns or first != at:
                raise InputError(
                    f"has phrases that do not cover its {len(self._words)} source words and"
                    f" {len(line.words)} target words once each; is the source the text that was decoded,"
                    " without markup?"
                )
            target, known = tuple(line.words[first:last]), number not in unknown
            key = (state, begin, end, target, known, covered)
            if key not in self._known:
                self._known[key] = self._apply(state, (begin, end), target, known, covered)
            state, values = self._known[key]
            for orientation, value in enumerate(values):
                sums[orientation] += value
            covered, at = covered | columns, last
        if covered != (1 << len(self._words)) - 1 or at != len(line.words):
            raise InputError("has phrases that leave out words; expected all of both sides")
        return sums

    def _apply(
        self, state: int, span: tuple[int, int], target: tuple[str, ...], known: bool, covered: int
    ) -> tuple[int, tuple[float, ...]]:
        pair = Pair(self._words[slice(*span)], target, (), {}, known=known)
        bits = covered.to_bytes((len(self._words) + 7) // 8, "little")
        answer = self._session.apply((state,), pair, span, 0, bits)
        assert answer is not None  # the template forbids nothing
        sums = [0.0] * len(self._ends)
        for name, value in answer[1]:
            orientation = next(i for i, end in enumerate(self._ends) if name.endswith(end))
            sums[orientation] += self.trained.weights.get(name, 0.0) * value
        return answer[0], tuple(sums)

    def _unknown(self, line: _Line) -> set[int]:
        """Return the phrases that are no pairs of a table: marked ones, or else as the penalty says."""
        marked = {number for number, segment in enumerate(line.segments) if segment.is_marked}
        if marked or not line.unknown:
            return marked
        copied = {number for number, segment in enumerate(line.segments) if self._is_copied(segment, line)}
        if len(copied) == line.unknown:
            return copied
        return {number for number in copied if not self._has_weight(line.segments[number])}

    def _is_copied(self, segment: _Segment, line: _Line) -> bool:
        """Return whether a phrase is a word that stays as it is, or is dropped."""
        source, target = self._words[slice(*segment.source)], tuple(line.words[slice(*segment.target)])
        return len(source) == 1 and target in ((), source)

    def _has_weight(self, segment: _Segment) -> bool:
        """Return whether the model has a weight for the source side of a phrase of one word."""
        begin = f"{self.trained.template.name}_source_{self._words[segment.source[0]]}"
        return any(f"{begin}{end}" in self.trained.weights for end in self._ends)
