"""Noise as in real corpora: typos, dropped and doubled words, free and wrong translations.

Noise changes only the pair itself, not its further references. Links of removed words are dropped, so that
the alignment stays correct.
"""

from __future__ import annotations

from collections.abc import Callable

from tunesmith.generated.draw import Choice, Draw
from tunesmith.generated.grammar.tokens import NOTHING, Anchor, Tokens
from tunesmith.generated.pairs import sentence_case

__all__ = ["KINDS", "disturb"]

OPENERS = (("in", "fact", ","), ("I", "think", "that"), ("as", "you", "know", ","), ("well", ","))

Another = Callable[[], Tokens]


def disturb(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Change one thing in a pair and begin both sides with a capital, unless case is what changes.

    `another` makes the English of some other sentence.
    """
    change = _KINDS(draw)
    if change is _casing:
        sentence_case(source.words)
        sentence_case(target.words)
        change(source, target, draw, another)
    else:
        change(source, target, draw, another)
        sentence_case(source.words)
        sentence_case(target.words)


def _typo(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Swap, drop or double a letter within a word of four or more."""
    side = _side(source, target, draw)
    long = [i for i, word in enumerate(side.words) if len(word) > 3]
    if not long:
        return
    i = long[int(draw() * len(long))]
    word = side.words[i]
    at = 1 + int(draw() * (len(word) - 2))
    kind = int(draw() * 3)
    letters = (word[at + 1] + word[at], word[at + 1], word[at] * 2 + word[at + 1])[kind]
    side.words[i] = word[:at] + letters + word[at + 2 :]


def _dropped(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Leave an English word out."""
    if len(target.words) > 2:
        i = int(draw() * (len(target.words) - 1))
        del target.words[i], target.anchors[i]


def _doubled(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Say a word twice."""
    side = _side(source, target, draw)
    i = int(draw() * len(side.words))
    side.words.insert(i, side.words[i])
    side.anchors.insert(i, side.anchors[i])


def _punctuation(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Leave the last mark out, or set another."""
    side = _side(source, target, draw)
    if draw() < 0.5 and len(side.words) > 1:
        side.words.pop()
        side.anchors.pop()
    else:
        side.words[-1] = "!" if side.words[-1] == "." else "..."


def _casing(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Write a side all in capitals, or all without."""
    side = _side(source, target, draw)
    upper = draw() < 0.4
    side.words[:] = [word.upper() if upper else word.lower() for word in side.words]


def _untranslated(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Keep a German word in the English sentence."""
    meanings = {
        anchor: word for word, anchor in zip(source.words, source.anchors, strict=True) if len(word) > 3
    }
    known = [i for i, anchor in enumerate(target.anchors) if anchor in meanings]
    if known:
        i = known[int(draw() * len(known))]
        target.words[i] = meanings[target.anchors[i]]


def _free(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Begin with words of which the German says nothing."""
    opener = OPENERS[int(draw() * len(OPENERS))]
    target.words[:0] = opener
    target.anchors[:0] = [NOTHING] * len(opener)


def _shortened(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Break the English off."""
    keep = 1 + int(draw() * (len(target.words) - 1))
    del target.words[keep:], target.anchors[keep:]


def _misaligned(source: Tokens, target: Tokens, draw: Draw, another: Another) -> None:
    """Put the translation of another sentence in the place of this one."""
    target.words[:] = another().words
    nothing: list[Anchor] = [NOTHING] * len(target.words)
    target.anchors[:] = nothing


def _side(source: Tokens, target: Tokens, draw: Draw) -> Tokens:
    return source if draw() < 0.5 else target


KINDS: dict[str, tuple[Callable[[Tokens, Tokens, Draw, Another], None], float]] = {
    "typo": (_typo, 25.0),
    "dropped": (_dropped, 15.0),
    "punctuation": (_punctuation, 14.0),
    "free": (_free, 12.0),
    "untranslated": (_untranslated, 10.0),
    "misaligned": (_misaligned, 8.0),
    "casing": (_casing, 6.0),
    "shortened": (_shortened, 5.0),
    "doubled": (_doubled, 5.0),
}
"""The kinds of noise and their weights."""

_KINDS = Choice(KINDS.values())
