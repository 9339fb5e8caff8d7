"""The rules of a derivation as a tree over the words of its translation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["RuleApplication", "RuleEvent", "bracketed", "rule_events", "show_span"]

RuleEvent = tuple[Literal["open", "words", "close"], "RuleApplication", tuple[int, int]]
"""A rule begins, contributes the target words [begin, end), or ends."""

_ESCAPES = str.maketrans({"[": "&#91;", "]": "&#93;"})


@dataclass(frozen=True)
class RuleApplication:
    """A rule applied in a derivation: the source and target words [begin, end) that it covers, with gaps.

    `arity` is its number of gaps. In a list each rule precedes those that fill its gaps, in target order, so
    that the arities determine the tree.
    """

    category: str
    source: tuple[int, int]
    target: tuple[int, int]
    rule: int
    """Its number in its table or grammar; -1 for a word that is passed through or dropped."""
    arity: int


def rule_events(rules: Sequence[RuleApplication]) -> Iterator[RuleEvent]:
    """Walk through the tree in target order; O(rules), without recursion, since glue makes deep trees.

    Between the open and close events of a rule are those of the rules in its gaps, and one event for each
    contiguous run of its own words.
    """
    above: list[RuleApplication] = []
    gaps: list[int] = []  # unfilled gaps of each rule above
    at = 0
    for rule in rules:
        if above:
            gaps[-1] -= 1
            if at < rule.target[0]:
                yield "words", above[-1], (at, rule.target[0])
        at = rule.target[0]
        above.append(rule)
        gaps.append(rule.arity)
        yield "open", rule, rule.target
        while above and gaps[-1] == 0:
            done = above.pop()
            gaps.pop()
            if at < done.target[1]:
                yield "words", done, (at, done.target[1])
            at = done.target[1]
            yield "close", done, done.target


def bracketed(rules: Sequence[RuleApplication], words: Sequence[str]) -> str:
    """Return the tree as text: `[S:0-2 [X:0-1 the house] [X:2 is]]`.

    Categories and source spans (first-last) precede the target words. Brackets in words are written `&#91;`
    and `&#93;`.
    """
    pieces: list[str] = []
    for kind, rule, (begin, end) in rule_events(rules):
        if kind == "open":
            pieces.append(f" [{rule.category}:{show_span(*rule.source)}".rstrip(":"))
        elif kind == "words":
            pieces += [f" {word.translate(_ESCAPES)}" for word in words[begin:end]]
        else:
            pieces.append("]")
    return "".join(pieces).strip(" ")


def show_span(begin: int, end: int) -> str:
    """Return [begin, end) as `first-last`, one number if they are equal, "" if empty."""
    if begin == end:
        return ""
    return f"{begin}" if end == begin + 1 else f"{begin}-{end - 1}"
