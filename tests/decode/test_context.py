"""Recombination that keeps the last words apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import MOST, SearchOptions
from tunesmith.forest import Forest

WIDE = {"pop_limit": 0, "stack_size": MOST}


def contexts(forest: Forest, size: int) -> list[set[tuple[str, ...]]]:
    """Return the last words of all derivations of each node."""
    found: list[set[tuple[str, ...]]] = []
    for node in range(forest.node_count):
        ends = set()
        for number in forest.edges(node):
            edge = forest.edge(number)
            words = tuple(word for word in edge.target if isinstance(word, str))
            for before in set().union(*(found[tail] for tail in edge.tails)) if edge.tails else {()}:
                ends.add((before + words)[-size:])
        found.append(ends)
    return found


def sentences(corpus: Path, longest: int) -> list[str]:
    lines = (corpus / "de").read_text().splitlines()
    return [line for line in lines if len(line.split()) <= longest][:8]


@pytest.mark.parametrize("size", [1, 3, 5])
def test_every_node_has_one_context(small_model: Path, small_corpus: Path, size: int):
    decoder = PhraseDecoder.open(small_model, options=SearchOptions(context=size, pop_limit=50))
    for text in sentences(small_corpus, 12):
        forest = decoder.translate(text + " unseenword", forest=True).forest
        assert forest is not None
        *inner, root = contexts(forest, size)
        assert all(len(found) == 1 for found in inner)
        assert len(root) > 1


def test_without_it_the_language_model_decides_what_is_kept_apart(small_model: Path, small_corpus: Path):
    decoder = PhraseDecoder.open(small_model, options=SearchOptions(pop_limit=50))
    mixed = 0
    for text in sentences(small_corpus, 12):
        forest = decoder.translate(text, forest=True).forest
        assert forest is not None
        mixed += sum(len(found) > 1 for found in contexts(forest, 3)[:-1])
    assert mixed > 0


def test_the_best_translation_is_the_same_where_nothing_is_pruned(small_model: Path, small_corpus: Path):
    plain, apart = (
        PhraseDecoder.open(small_model, options=SearchOptions(**WIDE, table_limit=4, context=context))
        for context in (0, 3)
    )
    for text in sentences(small_corpus, 6):
        expected, found = plain.translate(text), apart.translate(text)
        assert (found.text, found.features) == (expected.text, expected.features)
        assert found.native.nodes > expected.native.nodes
