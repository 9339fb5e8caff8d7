"""Noise as in real corpora: typos, dropped and doubled words, free and wrong translations.

Noise changes only the pair itself, not its further references. Words keep their anchors, so that the
alignment stays correct.
"""

from __future__ import annotations

from tunesmith.generated.draw import Draw, weighted
from tunesmith.generated.tokens import Say, Token, said

__all__ = ["KINDS", "disturbed"]

KINDS = weighted("typo 25; dropped 15; mark 14; opener 12; kept 10; other 8; case 6; cut 5; doubled 5")
"""The kinds of noise and their weights."""
OPENERS = ("in fact ,", "I think that", "as you know ,", "well ,")

Sides = tuple[list[Token], list[Token]]


def disturbed(source: list[Token], target: list[Token], other: Say, draw: Draw, kind: str = "") -> Sides:
    """Change one thing in a pair; `other` is the English of another sentence."""
    kind = kind or KINDS(draw)
    if kind == "other":
        return source, [(word, ()) for word, _ in other(draw)]
    if kind == "opener":
        return source, [*said(OPENERS[int(draw() * len(OPENERS))]), *target]
    if kind == "kept":
        return source, _kept(source, target, draw)
    if kind == "cut":
        return source, target[: 1 + int(draw() * (len(target) - 1))]
    if kind != "dropped" and draw() < 0.5:
        return _changed(source, kind, draw), target
    return source, _changed(target, kind, draw)


def _kept(source: list[Token], target: list[Token], draw: Draw) -> list[Token]:
    """Leave a German word in the English sentence."""
    words = {anchors: word for word, anchors in source if len(word) > 3 and anchors}
    known = [i for i, (_, anchors) in enumerate(target) if anchors in words]
    if not known:
        return target
    i = known[int(draw() * len(known))]
    return [*target[:i], (words[target[i][1]], target[i][1]), *target[i + 1 :]]


def _changed(tokens: list[Token], kind: str, draw: Draw) -> list[Token]:
    """Misspell a word, leave it out, say it twice, change the mark, or write all in capitals or none."""
    if kind == "case":
        upper = draw() < 0.4
        return [(word.upper() if upper else word.lower(), anchors) for word, anchors in tokens]
    if kind == "mark":
        (mark, anchors), left = tokens[-1], tokens[:-1]
        return left if left and draw() < 0.5 else [*left, ("!" if mark == "." else "...", anchors)]
    i = int(draw() * len(tokens))
    if kind == "dropped":
        return tokens[:i] + tokens[i + 1 :] if len(tokens) > 2 else tokens
    if kind == "doubled":
        return [*tokens[: i + 1], *tokens[i:]]
    long = [j for j, (word, _) in enumerate(tokens) if len(word) > 3]
    if not long:
        return tokens
    i = long[int(draw() * len(long))]
    word, at = tokens[i][0], 1 + int(draw() * (len(tokens[i][0]) - 2))
    letters = (word[at + 1] + word[at], word[at + 1], word[at] * 2 + word[at + 1])[int(draw() * 3)]
    return [*tokens[:i], (word[:at] + letters + word[at + 2 :], tokens[i][1]), *tokens[i + 1 :]]
