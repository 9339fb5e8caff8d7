"""The mistakes of an imperfect translation system, each a change to words and their links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.grammar.tokens import Tokens
from tunesmith.generated.lexicon.lexicon import lexicon
from tunesmith.generated.lexicon.tables.glosses import GLOSSES
from tunesmith.generated.reranking.lexical import NULL, LexicalModel

__all__ = ["MISTAKES", "Hypothesis", "blunder", "from_tokens"]

INSERTED = Choice(
    {
        "the": 10.0,
        "of": 6.0,
        "to": 6.0,
        "a": 5.0,
        "in": 4.0,
        "is": 4.0,
        "that": 3.0,
        "it": 3.0,
        ",": 3.0,
    }.items()
)
WINDOW = 7
"""Maximum distance, in words, of a mistake in word order."""


@dataclass(slots=True)
class Hypothesis:
    """A translation in the making: words, and for each the German positions that it comes from."""

    source: Sequence[str]
    words: list[str]
    links: list[tuple[int, ...]]

    def copy(self) -> Hypothesis:
        """Return a copy that can be changed."""
        return Hypothesis(self.source, self.words.copy(), self.links.copy())


def from_tokens(source: Tokens, target: Tokens) -> Hypothesis:
    """Return the translation that a tree says, with its true links."""
    places: dict[int, list[int]] = {}
    for i, anchor in enumerate(source.anchors):
        for number in (anchor,) if isinstance(anchor, int) else anchor:
            places.setdefault(number, []).append(i)
    links = []
    for anchor in target.anchors:
        numbers = (anchor,) if isinstance(anchor, int) else anchor
        links.append(tuple(i for number in numbers if number >= 0 for i in places.get(number, ())))
    return Hypothesis(source.words, target.words.copy(), links)


def blunder(hypothesis: Hypothesis, model: LexicalModel, draw: Draw) -> None:
    """Make one mistake, if the words allow the one that is drawn."""
    _MISTAKES(draw)(hypothesis, model, draw)


def _german_order(hypothesis: Hypothesis, model: LexicalModel, draw: Draw) -> None:
    """Leave a stretch of words in the order of the German."""
    count = len(hypothesis.words) - 1
    if count < 3:
        return
    start = int(draw() * (count - 2))
    end = min(count, start + 3 + int(draw() * (WINDOW - 2)))
    place = -1
    keys = []
    for links in hypothesis.links[start:end]:
        place = links[0] if links else place
        keys.append(place)
    order = sorted(range(start, end), key=lambda i: keys[i - start])
    hypothesis.words[start:end] = [hypothesis.words[i] for i in order]
    hypothesis.links[start:end] = [hypothesis.links[i] for i in order]


def _wrong_word(hypothesis: Hypothesis, model: LexicalModel, draw: Draw) -> None:
    """Take a translation of a German word that the model has learned, good or bad."""
    i = int(draw() * len(hypothesis.words))
    links = hypothesis.links[i]
    if not links:
        return
    chance = draw()
    for word, probability in model.forward.get(hypothesis.source[links[0]].lower(), {}).items():
        chance -= probability
        if chance < 0:
            if word != NULL:
                hypothesis.words[i] = word
            return


def _dropped(hypothesis: Hypothesis, model: LexicalModel, draw: Draw) -> None:
    if len(hypothesis.words) > 2:
        i = int(draw() * (len(hypothesis.words) - 1))
        del hypothesis.words[i], hypothesis.links[i]


def _inserted(hypothesis: Hypothesis, model: LexicalModel, draw: Draw) -> None:
    i = int(draw() * len(hypothesis.words))
    hypothesis.words.insert(i, INSERTED(draw))
    hypothesis.links.insert(i, ())


def _agreement(hypothesis: Hypothesis, model: LexicalModel, draw: Draw) -> None:
    """Put a verb into the wrong number, a noun too, or the wrong article."""
    pairs = _inflections()
    known = [i for i, word in enumerate(hypothesis.words) if word in pairs]
    if known:
        i = known[int(draw() * len(known))]
        hypothesis.words[i] = pairs[hypothesis.words[i]]


def _untranslated(hypothesis: Hypothesis, model: LexicalModel, draw: Draw) -> None:
    """Leave a German word as it is, compounds most of all."""
    long = [i for i, word in enumerate(hypothesis.source) if len(word) > 4]
    if not long:
        return
    long.sort(key=lambda i: -len(hypothesis.source[i]))
    _replace(hypothesis, long[int(draw() * draw() * len(long))], None)


def _literal(hypothesis: Hypothesis, model: LexicalModel, draw: Draw) -> None:
    """Take an idiom at its word, or translate one word by itself."""
    i = int(draw() * len(hypothesis.words))
    block = hypothesis.links[i]
    if len(block) < 2:
        return
    glosses = _glosses()
    if any(hypothesis.source[place] not in glosses for place in block):
        return
    first = next(j for j, links in enumerate(hypothesis.links) if links == block)
    kept = [j for j, links in enumerate(hypothesis.links) if links != block]
    words: list[str] = []
    links: list[tuple[int, ...]] = []
    for place in block:
        for word in glosses[hypothesis.source[place]]:
            words.append(word)
            links.append((place,))
    at = sum(j < first for j in kept)
    rest = [hypothesis.words[j] for j in kept], [hypothesis.links[j] for j in kept]
    hypothesis.words[:] = rest[0][:at] + words + rest[0][at:]
    hypothesis.links[:] = rest[1][:at] + links + rest[1][at:]


def _replace(hypothesis: Hypothesis, place: int, word: str | None) -> None:
    """Say one word for a German one, in the place of all that was said for it alone."""
    said = [j for j, links in enumerate(hypothesis.links) if links == (place,)]
    if not said:
        return
    hypothesis.words[said[0]] = word or hypothesis.source[place]
    for j in reversed(said[1:]):
        del hypothesis.words[j], hypothesis.links[j]


@cache
def _inflections() -> dict[str, str]:
    """Return words with a form that is wrong in their place."""
    pairs = {
        "is": "are",
        "are": "is",
        "was": "were",
        "were": "was",
        "has": "have",
        "does": "do",
        "do": "does",
    }
    pairs |= {"a": "an", "an": "a", "the": "a"}
    for group in lexicon().verbs.values():
        for verb in group:
            for pattern in verb.english.entries:
                forms = pattern.forms
                pairs.setdefault(forms.third, forms.base)
                pairs.setdefault(forms.base, forms.third)
                pairs.setdefault(forms.participle, forms.base)
    for noun in lexicon().nouns:
        for singular, plural in noun.english.entries:
            if len(singular) == 1 and singular != plural:
                pairs.setdefault(singular[0], plural[0])
                pairs.setdefault(plural[0], singular[0])
    return pairs


@cache
def _glosses() -> dict[str, tuple[str, ...]]:
    entries = [entry.split() for line in GLOSSES.split("\n") for entry in line.split(",") if entry.strip()]
    return {german: tuple(english) for german, *english in entries}


MISTAKES: dict[str, tuple[Callable[[Hypothesis, LexicalModel, Draw], None], float]] = {
    "german order": (_german_order, 24.0),
    "wrong word": (_wrong_word, 24.0),
    "dropped": (_dropped, 16.0),
    "agreement": (_agreement, 14.0),
    "inserted": (_inserted, 9.0),
    "untranslated": (_untranslated, 8.0),
    "literal": (_literal, 8.0),
}
"""The kinds of mistakes and their weights."""

_MISTAKES = Choice(MISTAKES.values())
