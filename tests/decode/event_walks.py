"""What events of derivations must be, by walks over forests in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

from tests.decode.chart_trees import Tree, tree_of
from tests.decode.orientations import Span, backward, label, reduced

from tunesmith.decode.event_views import DerivationView, StepView
from tunesmith.decode.translation import BORDER
from tunesmith.forest import Derivation


def expected_phrases(derivation: Derivation, source: Sequence[str]) -> DerivationView:
    """Walk up the edges of a phrase derivation; source words are those of the sentence."""
    edges = [derivation.forest.edge(number) for number in reversed(derivation.edges)]
    assert [edge.rule == BORDER for edge in edges] == [True, *[False] * (len(edges) - 2), True]
    phrases = edges[1:-1]
    spans = [edge.span for edge in phrases]
    words: list[str] = []
    steps: list[StepView] = []
    for number, edge in enumerate(phrases):
        (gap, *own), begin = edge.target, len(words)
        assert gap == -1
        words += map(str, own)
        links = tuple((edge.span[0] + i, begin + j - 1) for i, j in edge.alignment)
        steps.append(
            StepView(
                edge.rule,
                edge.span,
                (begin, len(words)),
                tuple(source[slice(*edge.span)]),
                tuple(own),
                links,
                None,
                None,
                label("mslrg", *backward("hier", spans, number)),
                label("mslr", *backward("phrase", spans, number)),
                top_block(spans[:number], [step.target for step in steps]),
            )
        )
    return DerivationView(derivation.score, tuple(source), tuple(words), tuple(steps))


def top_block(sources: Sequence[Span], targets: Sequence[Span]) -> tuple[Span, Span]:
    """Return the last block of translated phrases: the columns, and the target words of its phrases."""
    if not sources:
        return (0, 0), (0, 0)
    block = reduced(sources)[-1]
    inside = [
        target
        for source, target in zip(sources, targets, strict=True)
        if block[0] <= source[0] and source[1] <= block[1]
    ]
    assert inside == list(targets[len(targets) - len(inside) :])  # the last phrases form the block
    return block, (inside[0][0], inside[-1][1])


def expected_rules(derivation: Derivation, source: Sequence[str]) -> DerivationView:
    """Walk down the tree of a chart derivation, in target order."""
    words: list[str] = []
    steps: list[StepView | None] = []

    def visit(tree: Tree, parent: int | None, gap: int | None) -> None:
        number, begin, edge = len(steps), len(words), tree.edge
        steps.append(None)
        places = []
        for symbol in edge.target:
            places.append(len(words))
            if isinstance(symbol, int):
                visit(tree.children[-1 - symbol], number, -1 - symbol)
            else:
                words.append(symbol)
        columns, column = [], edge.span[0]
        for symbol in edge.source:
            columns.append(column)
            column = tree.children[-1 - symbol].edge.span[1] if isinstance(symbol, int) else column + 1
        assert column == edge.span[1]
        links = tuple((columns[i], places[j]) for i, j in edge.alignment if isinstance(edge.target[j], str))
        place = edge.span, (begin, len(words))
        steps[number] = StepView(
            edge.rule, *place, edge.source, edge.target, links, parent, gap, None, None, None
        )

    visit(tree_of(derivation), None, None)
    done = tuple(step for step in steps if step is not None)
    return DerivationView(derivation.score, tuple(source), tuple(words), done)
