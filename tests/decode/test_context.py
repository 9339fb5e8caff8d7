"""Recombination that keeps the last words apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.decode.tiny import write_model

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


Signature = tuple[frozenset[int], tuple[int, int], tuple[str, ...], int]


def signatures(forest: Forest, size: int) -> list[set[Signature]]:
    """Return for each node, but for the root, all that a word-based model may know of its derivations."""
    ends = contexts(forest, size)
    covered: list[frozenset[int]] = []
    found: list[set[Signature]] = []
    for node in range(forest.root):
        edges = [forest.edge(number) for number in forest.edges(node)]
        before = covered[edges[0].tails[0]] if edges[0].tails else frozenset()
        covered.append(before | frozenset(range(*edges[0].span)))
        (context,) = ends[node]
        found.append({(covered[node], edge.span, context, edge.rule) for edge in edges})
    return found


@pytest.mark.parametrize("text", ["a q q b", "q b q q", "a W b", "W W X q W"])
def test_hypotheses_with_the_same_words_are_one_also_where_words_are_passed(tmp_path: Path, text: str):
    """Unknown words may be equal to each other, and to target words of the table."""
    model = write_model(tmp_path / "moses", 1, "wbe-mslr-bidirectional-fe")
    options = SearchOptions(**WIDE, distortion_limit=-1, context=3)
    forest = PhraseDecoder.open(model, options=options).translate(text, forest=True).forest
    assert forest is not None
    every = signatures(forest, 3)
    assert sum(map(len, every)) == len(set().union(*every))


def test_two_equal_unknown_words_make_fewer_hypotheses_than_two_others(tmp_path: Path):
    model = write_model(tmp_path / "moses", 1, "wbe-mslr-bidirectional-fe")
    options = SearchOptions(**WIDE, distortion_limit=-1, context=2)
    decoder = PhraseDecoder.open(model, options=options)
    equal, other = decoder.translate("a q q b"), decoder.translate("a q r b")
    assert equal.native.nodes < other.native.nodes
    assert equal.features == pytest.approx(other.features)


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
