"""All derivations of synchronous grammars, listed one by one from the text of the rules."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import kenlm
import pytest
from tests.decode.chart_tiny import Grammar
from tests.decode.lattice_derivations import shortest_ways

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.translation import Translation
from tunesmith.forest import count_derivations, kbest

Gap = tuple[str, int]
"""The category of what fills a gap, and the number of the gap."""
Arc = tuple[str, Mapping[str, float], int]
"""A word, features, and the node where it ends."""
Values = tuple[tuple[str, float], ...]

BEGIN, END = "\nbegin", "\nend"
LANGUAGE_MODELS = ("LM0", "LM0_OOV")
MOST = 800
"""Larger lists take Python too long."""


@dataclass(frozen=True)
class Rule:
    """A rule as its line says it."""

    category: str
    source: tuple[str | Gap, ...]
    target: tuple[str | int, ...]
    features: Mapping[str, float] = field(default_factory=dict, hash=False)
    counted: bool = True
    span_limit: int = 0

    @property
    def said(self) -> Counter[str]:
        """All that the rule says of itself, whatever it is used with."""
        marks = sum(word in (BEGIN, END) for word in self.source)
        words = sum(isinstance(symbol, str) for symbol in self.target)
        gaps = sum(isinstance(symbol, int) for symbol in self.target)
        counts: Counter[str] = Counter(self.features)  # type: ignore[arg-type]
        counts["WordPenalty0"] -= words + (marks if self.counted else 0)
        counts["SourceWords0"] += sum(isinstance(symbol, str) for symbol in self.source) - marks
        if self.counted:
            counts["PhrasePenalty0"] += 1
            if gaps <= 2:
                counts[f"Arity_{gaps}"] += 1
        return counts


def parse_rules(grammar: Grammar) -> list[Rule]:
    """Read cdec's lines."""
    rules = []
    for line in grammar.text.splitlines():
        category, source, target, *rest = (field.strip() for field in line.split("|||"))
        left: list[str | Gap] = []
        for token in source.split():
            gap = re.fullmatch(r"\[(\w+),(\d)\]", token)
            left.append((gap[1], int(gap[2])) if gap else {"<s>": BEGIN, "</s>": END}.get(token, token))
        right = [int(token[1]) if re.fullmatch(r"\[\d\]", token) else token for token in target.split()]
        pairs = [pair.split("=") for pair in (rest[0].split() if rest else ())]
        rules.append(
            Rule(
                category[1:-1],
                tuple(left),
                tuple(word for word in right if word not in ("<s>", "</s>")),
                {name: float(value) for name, value in pairs},
                grammar.counted,
                grammar.span_limit,
            )
        )
    return rules


@dataclass(frozen=True)
class Derived:
    """What one derivation yields: its words, and the sums of all features but those of language models."""

    words: tuple[str, ...]
    features: Values

    @property
    def key(self) -> tuple[str, Values]:
        """What derivations are compared by."""
        return self.text, rounded(dict(self.features))

    @property
    def text(self) -> str:
        return " ".join(self.words)


def rounded(features: Mapping[str, float]) -> Values:
    """Return features without zeros and those of language models, sorted.

    Multiples of 1/8 stay what they are, and logs of small powers of two are not near the border of rounding.
    """
    kept = ((name, round(value, 3)) for name, value in features.items() if name not in LANGUAGE_MODELS)
    return tuple(sorted((name, value) for name, value in kept if value != 0))


def arcs_of(sentence: str) -> list[list[Arc]]:
    """Return a sentence as the arcs of each node."""
    return [[(word, {}, node + 1)] for node, word in enumerate(sentence.split())]


class ChartBruteForce:
    """Lists derivations from the top down; `derivations` are those of S over the whole input."""

    def __init__(
        self, rules: Sequence[Rule], arcs: Sequence[Sequence[Arc]], lm: Path, *, unknown: str = "pass"
    ) -> None:
        shifted = [[(word, said, end + 1) for word, said, end in node] for node in arcs]
        last = len(arcs) + 1
        self.arcs: list[list[Arc]] = [[(BEGIN, {}, 1)], *shifted, [(END, {}, last + 1)]]
        known = {rule.source[0] for rule in rules if len(rule.source) == 1}
        words = {word for node in arcs for word, _, _ in node} - known
        missing = {"UnknownWordPenalty0": -100.0, "PassThrough0": 1.0}
        passed = [Rule("X", (word,), (word,) if unknown == "pass" else (), missing) for word in sorted(words)]
        self.rules: dict[str, list[Rule]] = {}
        for rule in [*rules, *passed]:
            self.rules.setdefault(rule.category, []).append(rule)
        self.distances = shortest_ways([[end for _, _, end in node] for node in self.arcs])
        self.count = cache(self._count)
        self.derive = cache(self._derive)
        self.language_model = kenlm.Model(str(lm))
        self.lm_features = cache(self._lm_features)

    def _matches(
        self, rule: Rule, begin: int, end: int
    ) -> Iterator[tuple[Counter[str], dict[int, tuple[str, int, int]]]]:
        """Yield how a source side fits a range: features of arcs, and what its gaps stand for."""

        def go_on(
            at: int, symbols: tuple[str | Gap, ...]
        ) -> Iterator[tuple[Counter[str], dict[int, tuple[str, int, int]]]]:
            if rule.span_limit and self.distances[begin][at] > rule.span_limit:
                return
            if not symbols:
                if at == end:
                    yield Counter(), {}
                return
            first, rest = symbols[0], symbols[1:]
            if isinstance(first, tuple):
                for middle in range(at + 1, end + 1 - len(rest)):
                    for said, gaps in go_on(middle, rest):
                        yield said, {first[1]: (first[0], at, middle), **gaps}
            elif at < end:
                for word, features, after in self.arcs[at]:
                    if word == first and after <= end:
                        for said, gaps in go_on(after, rest):
                            total = Counter(said)
                            total.update(features)
                            yield total, gaps

        yield from go_on(begin, rule.source)

    def _count(self, category: str, begin: int, end: int) -> int:
        return sum(
            math.prod(self.count(*gap) for gap in gaps.values())
            for rule in self.rules.get(category, ())
            for _, gaps in self._matches(rule, begin, end)
        )

    def _derive(self, category: str, begin: int, end: int) -> list[Derived]:
        found = []
        for rule in self.rules.get(category, ()):
            for said, gaps in self._matches(rule, begin, end):
                if not all(self.count(*gap) for gap in gaps.values()):
                    continue
                for filled in itertools.product(*(self.derive(*gap) for gap in gaps.values())):
                    fillers = dict(zip(gaps, filled, strict=True))
                    total = Counter(said)
                    total.update(rule.said)
                    for filler in filled:
                        total.update(dict(filler.features))
                    words: list[str] = []
                    for symbol in rule.target:
                        words += fillers[symbol].words if isinstance(symbol, int) else [symbol]
                    found.append(Derived(tuple(words), tuple(total.items())))
        return found

    def size(self) -> int:
        """Return the number of derivations, without listing them."""
        return self.count("S", 0, len(self.arcs))

    def derivations(self) -> list[Derived]:
        """Return all derivations of S over the whole input."""
        return self.derive("S", 0, len(self.arcs))

    def _lm_features(self, words: tuple[str, ...]) -> dict[str, float]:
        scores = list(self.language_model.full_scores(" ".join(words)))
        return {
            "LM0": sum(score for score, _, _ in scores) * math.log(10),
            "LM0_OOV": float(sum(unknown for _, _, unknown in scores)),
        }

    def score(self, derived: Derived, weights: Mapping[str, float]) -> float:
        """Return the sum of features times weights."""
        features = {**dict(derived.features), **self.lm_features(derived.words)}
        return sum(value * weights.get(name, 0.0) for name, value in features.items())


def check_all(found: Translation, expected: ChartBruteForce, decoder: ChartDecoder) -> None:
    """Compare all derivations of a forest, their features and their scores."""
    derivations = expected.derivations()
    assert found.forest is not None
    if not derivations:
        assert (found.found, found.text, found.forest.node_count) == (False, "", 0)
        return
    assert count_derivations(found.forest) == len(derivations)
    scores = sorted((expected.score(each, decoder.weights) for each in derivations), reverse=True)
    listed = kbest(found.forest, decoder.weights, len(derivations) + 1)
    assert Counter((each.text, rounded(each.features)) for each in listed) == Counter(
        each.key for each in derivations
    )
    assert [each.score for each in listed] == pytest.approx(scores, abs=1e-3)
    for each in listed:
        known = expected.lm_features(each.words)
        assert {name: each.features.get(name, 0.0) for name in known} == pytest.approx(known, abs=1e-4)
    assert found.score == pytest.approx(scores[0], abs=1e-4)
    assert (found.text, rounded(found.features)) in {
        each.key for each in derivations if expected.score(each, decoder.weights) > scores[0] - 1e-4
    }
