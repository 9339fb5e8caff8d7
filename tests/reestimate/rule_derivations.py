"""Derivations of rules as Python values: trees, translations, links and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.reestimate.decoded_derivations import lists

from tunesmith.extract.grammar import RuleTable
from tunesmith.reestimate.derivation_file import TABLE, FoundDerivation, PhraseStep

Rule = tuple[str, str]


def is_gap(token: str) -> bool:
    return token.startswith("[X,")


def read_tree(steps: Iterator[PhraseStep]) -> tuple[PhraseStep, dict[str, tuple]]:
    """Take a rule and all that fills its gaps from steps in preorder."""
    step = next(steps)
    return step, {token: read_tree(steps) for token in step.target if is_gap(token)}


def trees(derivation: FoundDerivation) -> list[tuple[PhraseStep, dict[str, tuple]]]:
    """Return the trees of a derivation, in target order."""
    steps, found = iter(derivation.steps), []
    left = len(derivation.steps)
    while left:
        found.append(read_tree(steps))
        left -= size(found[-1])
    return found


def size(tree: tuple[PhraseStep, dict[str, tuple]]) -> int:
    return 1 + sum(size(below) for below in tree[1].values())


def words(tree: tuple[PhraseStep, dict[str, tuple]], side: str) -> list[str]:
    """Return the words of a side, gaps filled."""
    step, filled = tree
    tokens = step.source if side == "source" else step.target
    return [word for token in tokens for word in (words(filled[token], side) if is_gap(token) else [token])]


def text(derivation: FoundDerivation) -> str:
    return " ".join(word for tree in trees(derivation) for word in words(tree, "target"))


def rule_of(step: PhraseStep) -> Rule:
    return " ".join(step.source), " ".join(step.target)


def used_rules(
    files: Sequence[Path],
    share: Callable[[list[FoundDerivation], FoundDerivation], float] = lambda all_, one: 1.0,
) -> Counter[Rule]:
    """Count the rules of files, each use with the share of its derivation."""
    counts: Counter[Rule] = Counter()
    for path in files:
        for _, found in lists(path):
            for derivation in found:
                for step in derivation.steps:
                    if step.origin == TABLE:
                        counts[rule_of(step)] += share(found, derivation)  # type: ignore[assignment]
    return counts


def rules_of(table: RuleTable) -> dict[Rule, dict[str, float]]:
    """Return the features of each rule of a table."""
    return {(" ".join(rule.source), " ".join(rule.target)): rule.features for rule in table}
