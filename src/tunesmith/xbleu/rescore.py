"""Adds the features of a trained reordering model to n-best lists with the phrases of derivations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tunesmith.errors import InputError
from tunesmith.features.base import Pair
from tunesmith.features.bridge import TemplateSession
from tunesmith.files import PathLike, open_write, read_lines
from tunesmith.xbleu.reordering import TrainedReordering

__all__ = ["Rescored", "rescore"]

_SEPARATOR = " ||| "
_UNKNOWN = "UnknownWordPenalty"
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
    sentences as they were decoded; ID counts its lines from 0. The values are those that a decoder with the
    model attached has for the same derivations. A word that is copied counts as unknown, so that it has no
    identity as a phrase, if the candidate has an UnknownWordPenalty and the model has no weight for it as a
    source phrase.

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
    if not count:
        raise InputError("has no candidates; expected n-best lists", path=lists)
    return Rescored(len(seen), count, names)


@dataclass(frozen=True)
class _Line:
    """A line of a list, and its fields that matter here."""

    fields: list[str]
    sentence: int
    words: list[str]
    features: str
    segments: list[tuple[int, int, int, int]]
    """Source begin and end, target begin and end, in target order."""

    @classmethod
    def parse(cls, text: str, path: PathLike, number: int) -> _Line:
        fields = [part.strip(" ") for part in text.split("|||")]
        segments = cls._segments(fields[4]) if len(fields) >= 5 else None
        if segments is None:
            raise InputError(
                "has no phrases of the derivation: expected a fifth field such as '0-1=0-1 2=2'; " + _HOW,
                path=path,
                line=number,
            )
        if not fields[0].isdecimal():
            raise InputError(
                f"expected the number of a sentence, found {fields[0]!r:.60}", path=path, line=number
            )
        return cls(fields, int(fields[0]), fields[1].split(), fields[2], segments)

    @staticmethod
    def _segments(text: str) -> list[tuple[int, int, int, int]] | None:
        found = []
        at = 0
        for part in text.split():
            source, equals, target = part.partition("=")
            spans = [_span(side) for side in (source, target)]
            if not equals or spans[0] is None or (target and spans[1] is None):
                return None
            begin, end = spans[1] or (at, at)
            found.append((*spans[0], begin, end))
            at = end
        return found or None

    def with_features(self, names: Sequence[str], values: Sequence[float]) -> str:
        """Return the line with further features."""
        added = " ".join(f"{name}= {value:.9g}" for name, value in zip(names, values, strict=True))
        features = f"{self.features} {added}" if self.features else added
        return _SEPARATOR.join([*self.fields[:2], features, *self.fields[3:]])


def _span(text: str) -> tuple[int, int] | None:
    """Return [begin, end) of `first-last` or of one position."""
    first, _, last = text.partition("-")
    if not first.isdecimal() or (last and not last.isdecimal()):
        return None
    return int(first), int(last or first) + 1


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
        has_unknown = _UNKNOWN in line.features and self._has_penalty(line.features)
        for begin, end, first, last in line.segments:
            columns = ((1 << (end - begin)) - 1) << begin
            if end > len(self._words) or covered & columns or first != at or last > len(line.words):
                raise InputError(
                    f"has phrases that do not cover its {len(self._words)} source words and"
                    f" {len(line.words)} target words once each; is the source the text that was decoded?"
                )
            target = tuple(line.words[first:last])
            known = not (has_unknown and self._is_unknown(self._words[begin:end], target))
            key = (state, begin, end, target, known, covered)
            if key not in self._known:
                self._known[key] = self._apply(state, (begin, end), target, known, covered)
            state, values = self._known[key]
            for number, value in enumerate(values):
                sums[number] += value
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

    def _is_unknown(self, source: tuple[str, ...], target: tuple[str, ...]) -> bool:
        """Return whether a phrase is a word that is passed through or dropped."""
        if len(source) != 1 or target not in ((), source):
            return False
        begin = f"{self.trained.template.name}_source_{source[0]}"
        return not any(f"{begin}{end}" in self.trained.weights for end in self._ends)

    def _has_penalty(self, features: str) -> bool:
        return any(value != 0 for value in _values(features.split()))


def _values(words: list[str]) -> Iterator[float]:
    """Yield the values of the penalties of unknown words."""
    counting = False
    for word in words:
        if word.endswith("="):
            counting = word.startswith(_UNKNOWN)
        elif counting:
            yield float(word)
