"""Derivations of chart forests as trees, and templates asked about them without a decoder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tunesmith.features import Pair, StatefulTemplate, Step
from tunesmith.forest import Derivation, Edge, Forest


@dataclass(frozen=True)
class Tree:
    """An edge, and what fills its gaps."""

    edge: Edge
    children: tuple[Tree, ...]

    @property
    def is_begin(self) -> bool:
        """Whether this is the rule of the mark before the sentence."""
        return not self.edge.tails and not self.edge.source

    @property
    def begins(self) -> bool:
        """Whether the piece begins the sentence."""
        return self.is_begin or any(child.begins for child in self.children)

    def words(self) -> Iterator[tuple[str, int]]:
        """Yield the words, and from which use of a rule each comes."""
        for symbol in self.edge.target:
            if isinstance(symbol, int):
                yield from self.children[-1 - symbol].words()
            else:
                yield symbol, id(self)


def tree_of(derivation: Derivation) -> Tree:
    """Read the edges of a derivation, which are in preorder."""
    edges = iter(derivation.edges)

    def read() -> Tree:
        edge = derivation.forest.edge(next(edges))
        return Tree(edge, tuple(read() for _ in edge.tails))

    tree = read()
    assert next(edges, None) is None
    return tree


def replay(template: StatefulTemplate[Any], tree: Tree, start: Any) -> Counter[str]:
    """Ask a template about a tree whose top is the rule of the mark after the sentence."""
    total: Counter[str] = Counter()

    def state(node: Tree) -> Any:
        if node.is_begin:
            return start
        tails = tuple(state(child) for child in node.children)
        edge = node.edge
        pair = Pair(edge.source, edge.target, edge.alignment, {})
        answer = template.apply(tails, Step(pair, edge.span, edge.target))
        assert answer is not None
        total.update(answer[1])
        return answer[0]

    (whole,) = tree.children
    end = template.finish(state(whole))
    assert end is not None
    total.update(end)
    return total


def node_yields(forest: Forest, size: int) -> list[set[tuple[tuple[str, ...], tuple[str, ...], bool]]]:
    """Return the first and last words of all yields of each node, and whether they begin the sentence."""
    found: list[set[tuple[tuple[str, ...], tuple[str, ...], bool]]] = []
    for node in range(forest.node_count):
        yields = set()
        for number in forest.edges(node):
            edge = forest.edge(number)
            ways: list[tuple[tuple[str, ...], tuple[str, ...], bool]] = [
                ((), (), not edge.tails and not edge.source)
            ]
            for symbol in edge.target:
                pieces = (
                    found[edge.tails[-1 - symbol]]
                    if isinstance(symbol, int)
                    else {((symbol,), (symbol,), False)}
                )
                ways = [
                    (
                        (left + first)[:size] if len(left) < size else left,
                        (right + last)[-size:],
                        begins or begin,
                    )
                    for left, right, begins in ways
                    for first, last, begin in pieces
                ]
            yields.update(ways)
        found.append(yields)
    return found
