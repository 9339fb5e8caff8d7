"""Hierarchical rules straight from the definition (Chiang 2007, section 3.2), slowly."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tunesmith.extract.rules import RuleOptions

Links = tuple[tuple[int, int], ...]
Phrase = tuple[int, int, int, int]  # source from, to, target from, to


@dataclass(frozen=True)
class Pair:
    """A sentence pair with its links."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links


def initial_phrases(pair: Pair, options: RuleOptions) -> list[Phrase]:
    """Return all spans that hold a link and that no link leaves."""
    found = []
    longest = options.max_target_span or len(pair.target)
    for i, j in itertools.combinations(range(len(pair.source) + 1), 2):
        for k, l in itertools.combinations(range(len(pair.target) + 1), 2):  # noqa: E741
            if j - i > options.max_span or l - k > longest:
                continue
            ends = [(i <= s < j, k <= t < l) for s, t in pair.links]
            if (True, True) not in ends or (True, False) in ends or (False, True) in ends:
                continue
            source_edges, target_edges = {i, j - 1}, {k, l - 1}
            tight = source_edges <= {s for s, _ in pair.links} and target_edges <= {t for _, t in pair.links}
            if tight or not options.tight:
                found.append((i, j, k, l))
    return found


def rules_of(
    pair: Pair, phrase: Phrase, phrases: list[Phrase], options: RuleOptions
) -> Iterator[tuple[str, str, Links]]:
    """Yield every rule that the phrase gives with sub-phrases made gaps: source, target, links of words."""
    i, j, k, l = phrase  # noqa: E741
    inside = [p for p in phrases if i <= p[0] and p[1] <= j and k <= p[2] and p[3] <= l and p != phrase]
    for count in range(options.max_gaps + 1):
        for gaps in itertools.combinations(sorted(inside), count):
            if any(
                (a[0] < b[1] and b[0] < a[1]) or (a[2] < b[3] and b[2] < a[3])
                for a, b in itertools.combinations(gaps, 2)
            ):
                continue
            if any(gap[1] - gap[0] < options.min_hole for gap in gaps):
                continue
            if count == 2 and gaps[0][1] == gaps[1][0] and not options.adjacent_gaps:
                continue
            source = side(pair.source, i, j, [(g[0], g[1]) for g in gaps])
            target = side(pair.target, k, l, [(g[2], g[3]) for g in gaps])
            where = [{at: n for n, (_, at) in enumerate(words) if at >= 0} for words in (source, target)]
            links = tuple(
                (where[0][s], where[1][t]) for s, t in pair.links if s in where[0] and t in where[1]
            )
            if len(source) > options.max_symbols or not where[0] or not where[1]:
                continue
            if options.require_link and not links:
                continue
            yield " ".join(word for word, _ in source), " ".join(word for word, _ in target), links


def side(words: tuple[str, ...], begin: int, end: int, gaps: list[tuple[int, int]]) -> list[tuple[str, int]]:
    """Return words and gaps of a span, each with its position in the sentence, -1 for gaps."""
    result, at = [], begin
    while at < end:
        gap = next((n for n, (start, _) in enumerate(gaps) if start == at), None)
        if gap is None:
            result.append((words[at], at))
            at += 1
        else:
            result.append((f"[X,{gap + 1}]", -1))
            at = gaps[gap][1]
    return result


class Counts:
    """Counts of all rules of a corpus, by their alignments."""

    def __init__(self, pairs: list[Pair], options: RuleOptions) -> None:
        self.rules: dict[tuple[str, str], Counter[Links]] = defaultdict(Counter)
        self.occurrences: Counter[tuple[str, str]] = Counter()
        for pair in pairs:
            phrases = initial_phrases(pair, options)
            for phrase in phrases:
                found = list(rules_of(pair, phrase, phrases, options))
                weight = Fraction(1, len(found)) if options.counts == "fractional" and found else Fraction(1)
                for source, target, links in found:
                    self.rules[source, target][links] += weight
                    self.occurrences[source, target] += 1
        self.joint = {rule: sum(weights.values()) for rule, weights in self.rules.items()}
        self.source: Counter[str] = Counter()
        self.target: Counter[str] = Counter()
        for (source, target), weight in self.joint.items():
            self.source[source] += weight
            self.target[nameless(target)] += weight


def nameless(side: str) -> str:
    """Return a side with its gaps not told apart."""
    return " ".join("[X]" if token in ("[X,1]", "[X,2]") else token for token in side.split(" "))
