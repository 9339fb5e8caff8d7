"""Forests as Graphviz source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _native
from tunesmith.forest.forest import Edge, Forest
from tunesmith.forest.writers.base import WRITERS, TextWriter

__all__ = ["Dot"]


@WRITERS.register("dot")
@dataclass(frozen=True)
class Dot(TextWriter):
    """A phrase lattice is nodes and labeled arrows, from left to right; other forests have a box per edge.

    With `weights` the label of an edge has its score, else its features; features without a weight have the
    weight `missing`, or are an InputError.
    """

    weights: Mapping[str, float] | None = None
    missing: float | None = None

    name: ClassVar[str] = "dot"
    summary: ClassVar[str] = "Graphviz, for display; cannot be read back"
    suffixes: ClassVar[tuple[str, ...]] = (".dot", ".gv")
    single: ClassVar[bool] = True

    def text(self, sentence: str, forest: Forest) -> bytes:
        scores = None if self.weights is None else forest.scores(self.weights, missing=self.missing).tolist()
        edges = [
            (node, number, forest.edge(number))
            for node in range(forest.node_count)
            for number in forest.edges(node)
        ]
        lattice = _native.is_lattice(forest.native)
        labels = [
            _label(edge, None if scores is None else scores[number], gaps=not lattice)
            for _, number, edge in edges
        ]
        lines = [f"digraph {_quoted(f'sentence {sentence}')} {{", "  node [shape=circle];"]
        if forest.node_count:
            lines.append(f"  {forest.root} [shape=doublecircle];")
        for (node, number, edge), label in zip(edges, labels, strict=True):
            lines.extend(_arrow(node, number, edge, label) if lattice else _box(node, number, edge, label))
        if lattice:
            lines.insert(1, "  rankdir=LR;")
        return ("\n".join(lines) + "\n}\n").encode()


def _label(edge: Edge, score: float | None, *, gaps: bool) -> str:
    # In a label a backslash and a letter are a command of Graphviz: each part is escaped before they join.
    shown = [symbol for symbol in edge.target if gaps or isinstance(symbol, str)]
    words = " ".join(f"[{edge.tails[-1 - s]}]" if isinstance(s, int) else s for s in shown)
    values = [f"{name}={value:.4g}" for name, value in edge.features.items()]
    return "\\n".join(_escaped(part) for part in [words, *(values if score is None else [f"{score:.4g}"])])


def _arrow(node: int, number: int, edge: Edge, label: str) -> Iterator[str]:
    if not edge.tails:
        yield f"  start{number} [shape=point];"
    yield f'  {edge.tails[0] if edge.tails else f"start{number}"} -> {node} [label="{label}"];'


def _box(node: int, number: int, edge: Edge, label: str) -> Iterator[str]:
    yield f'  edge{number} [shape=box, label="{label}"];'
    yield f"  edge{number} -> {node};"
    for place, tail in enumerate(edge.tails, 1):
        yield f'  {tail} -> edge{number} [arrowhead=none, taillabel="{place}"];'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'
