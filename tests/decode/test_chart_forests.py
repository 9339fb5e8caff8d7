"""What holds for all forests of the chart decoder, and what can be done with them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.decode.chart_tiny import GLUE, Grammar, random_grammar, random_sentence, write_chart_model
from tests.decode.chart_trees import Tree, tree_of

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.settings import ChartOptions
from tunesmith.decode.translation import Translation
from tunesmith.files import read_lines
from tunesmith.forest import (
    Forest,
    ForestFile,
    ForestWriter,
    expand_context,
    expected_ngrams,
    kbest,
    log_count_derivations,
    oracle_bleu,
    posteriors,
    read_forests,
    viterbi,
    write_forests,
)

LINKED = Grammar(
    "[X] ||| a b ||| X W ||| F0=1 ||| 0-1 1-0\n"
    "[X] ||| a ||| W ||| F0=1 ||| 0-0\n"
    "[X] ||| b ||| ||| F0=2\n"
    "[Y] ||| b [X,1] c ||| Z [1] Y W ||| F0=2 ||| 0-0 2-2 2-3\n"
    "[X] ||| [X,1] c [Y,2] ||| [2] X [1] ||| F0=3 ||| 1-1\n"
    "[X] ||| [Y,1] ||| [1] ||| F0=4\n",
    ("F0",),
)


@pytest.fixture(scope="module")
def sources(shared_data: Path) -> list[str]:
    return read_lines(shared_data / "multi30k.test_2016.de.xz")[:200:20]


@pytest.fixture(scope="module")
def decoder(moses_hiero: Path) -> ChartDecoder:
    return ChartDecoder.open(moses_hiero, options=ChartOptions(pop_limit=50))


@pytest.fixture(scope="module")
def translations(decoder: ChartDecoder, sources: list[str]) -> list[Translation]:
    return list(decoder.translate_all(sources, forest=True))


def forest_of(found: Translation) -> Forest:
    assert found.forest is not None
    return found.forest


def check_places(tree: Tree, words: list[str]) -> None:
    """Check that the source side of a rule, with its gaps filled, is just the words of its span."""
    begin, end = tree.edge.span
    at = begin
    for symbol in tree.edge.source:
        if isinstance(symbol, int):
            child = tree.children[-1 - symbol]
            assert child.edge.span[0] == at
            at = child.edge.span[1]
        else:
            assert symbol == words[at]
            at += 1
    assert at == end
    for source, target in tree.edge.alignment:
        assert isinstance(tree.edge.source[source], str)
        assert isinstance(tree.edge.target[target], str)
    for child in tree.children:
        check_places(child, words)


def test_source_sides_and_spans_and_links_are_those_of_the_sentence(
    translations: list[Translation], sources: list[str], decoder: ChartDecoder
):
    for found, text in zip(translations, sources, strict=True):
        words = text.split()
        for derivation in kbest(forest_of(found), decoder.weights, 20):
            tree = tree_of(derivation)
            assert tree.edge.span == (0, len(words))
            check_places(tree, words)
            for source, target in derivation.alignment:
                assert 0 <= source < len(words)
                assert 0 <= target < len(derivation.words)


def test_the_best_derivation_of_a_forest_is_the_translation(
    translations: list[Translation], decoder: ChartDecoder
):
    for found in translations:
        best = viterbi(forest_of(found), decoder.weights)
        assert best.text == found.text
        assert best.score == pytest.approx(found.score, abs=1e-3)
        assert best.features == pytest.approx(dict(found.features), abs=1e-3)
        assert best.alignment == found.alignment


def test_scores_of_edges_sum_to_those_of_derivations(translations: list[Translation], decoder: ChartDecoder):
    for found in translations:
        forest = forest_of(found)
        scores = forest.scores(decoder.weights)
        for derivation in kbest(forest, decoder.weights, 50):
            assert derivation.score == pytest.approx(scores[list(derivation.edges)].sum(), abs=1e-6)
            total = sum(decoder.weights[name] * value for name, value in derivation.features.items())
            assert derivation.score == pytest.approx(total, abs=1e-3)


def test_every_node_is_used_and_below_the_root(translations: list[Translation]):
    for found in translations:
        forest = forest_of(found)
        heads = np.repeat(np.arange(forest.node_count), np.diff(forest.native.edge_offsets))
        tails = np.repeat(heads, np.diff(forest.native.tail_offsets))
        assert (forest.native.tails < tails).all()
        assert set(forest.native.tails.tolist()) == set(range(forest.root))
        assert (np.diff(forest.native.edge_offsets) > 0).all()
        assert forest.edge_count <= found.native.edges


def test_links_of_rules_with_gaps_stand_where_the_words_are(tmp_path: Path):
    """Written by hand: 'b a c' in a gap of the other."""
    weights = dict.fromkeys(("F0", "LM0", "LM0_OOV"), 0.0)
    decoder = ChartDecoder(
        write_chart_model(tmp_path, [LINKED, GLUE], weights), options=ChartOptions(pop_limit=0)
    )
    found = decoder.translate("a b c b a c", forest=True)
    text = "Z W Y W X X W"  # of [2] X [1], where [2] is Z [1] Y W and [1] is X W
    (derivation,) = (
        each
        for each in kbest(forest_of(found), decoder.weights, 100)
        if each.text == text and len(each.edges) == len({*each.edges}) and each.features.get("Glue") == 1
    )
    assert set(derivation.alignment) == {(3, 0), (4, 1), (5, 2), (5, 3), (2, 4), (0, 6), (1, 5)}


@pytest.mark.parametrize("pop_limit", [0, 3])
def test_the_alignment_and_phrases_of_a_translation_are_those_of_its_forest(pop_limit: int, tmp_path: Path):
    for seed in range(8):
        model = write_chart_model(tmp_path, [LINKED, GLUE], seed=seed)
        decoder = ChartDecoder(model, options=ChartOptions(pop_limit=pop_limit))
        for text in ("a b c b a c", "a c b a b c", "q", "a q c b a c"):
            found = decoder.translate(text, forest=True)
            same = [
                each
                for each in kbest(forest_of(found), decoder.weights, 50)
                if each.text == found.text and each.features == pytest.approx(dict(found.features), abs=1e-4)
            ]
            assert found.alignment in {each.alignment for each in same}
            phrases = [(phrase.source, phrase.target) for phrase in found.phrases]
            segments = Counter(each for each in phrases if each != ((0, 0), (0, 0)))  # which is <s>
            assert segments in [Counter(map(tuple, each.segments)) for each in same]


def test_forests_survive_files(translations: list[Translation], decoder: ChartDecoder, tmp_path: Path):
    with ForestWriter(tmp_path / "forests") as writer:
        for found in translations:
            writer.add(forest_of(found))
    for found, again in zip(translations, ForestFile.open(tmp_path / "forests"), strict=True):
        forest = forest_of(found)
        assert (again.node_count, again.edge_count) == (forest.node_count, forest.edge_count)
        for number in range(0, forest.edge_count, 50):
            assert again.edge(number) == forest.edge(number)
        weights = decoder.weights
        for name in ("tails", "spans", "edge_offsets", "rule_ids"):
            assert np.array_equal(getattr(again.native, name), getattr(forest.native, name))
        assert np.allclose(again.scores(weights), forest.scores(weights))


@pytest.mark.parametrize("format_", ["cdec-json", "moses-hypergraph"])
def test_forests_are_written_for_others_and_read_again(
    format_: str, translations: list[Translation], decoder: ChartDecoder, tmp_path: Path
):
    forests = [forest_of(found) for found in translations[:3]]
    path = tmp_path / "graphs"
    path.mkdir()
    write_forests(path, ((str(number), forest) for number, forest in enumerate(forests)), format_)
    for forest, (_, again) in zip(forests, read_forests(path), strict=True):
        assert log_count_derivations(again) == pytest.approx(log_count_derivations(forest))


@pytest.mark.parametrize("seed", range(5))
def test_ngrams_are_counted_in_forests_with_context(seed: int, tmp_path: Path):
    """Where nodes know three words at their ends, 4-grams are local; otherwise nodes are split first."""
    model = write_chart_model(tmp_path, [random_grammar(seed), GLUE], seed=seed)
    decoder = ChartDecoder(model, options=ChartOptions(pop_limit=0, context=3))
    forest = forest_of(decoder.translate(random_sentence(seed + 3, 4), forest=True))
    assert expand_context(forest, 4) is forest
    ngrams, values = expected_ngrams(forest, decoder.weights, 4)
    words = list(forest.words)
    expected = {
        tuple(words[word] for word in row if word >= 0): value
        for row, value in zip(ngrams.tolist(), values.tolist(), strict=True)
    }
    listed = kbest(forest, decoder.weights, 5000)
    assert len(listed) < 5000
    masses = np.exp([each.score - listed[0].score for each in listed])
    counts: Counter[tuple[str, ...]] = Counter()
    for each, mass in zip(listed, (masses / masses.sum()).tolist(), strict=True):
        for n in range(1, 5):
            for i in range(len(each.words) - n + 1):
                counts[each.words[i : i + n]] += mass
    assert expected == pytest.approx(dict(counts), abs=1e-6)


def test_other_algorithms_take_the_forests(
    translations: list[Translation], decoder: ChartDecoder, shared_data: Path
):
    references = read_lines(shared_data / "multi30k.test_2016.en.xz")[:200:20]
    for found, reference in zip(translations[:4], references, strict=False):
        forest = forest_of(found)
        used = posteriors(forest, decoder.weights)
        assert used.edges[list(forest.edges(forest.root))].sum() == pytest.approx(1)
        assert oracle_bleu(forest, [reference]).derivation.text


@pytest.mark.parametrize("seed", range(4))
def test_pruned_forests_are_parts_of_the_whole_ones(seed: int, tmp_path: Path):
    model = write_chart_model(tmp_path, [random_grammar(seed), GLUE], seed=seed)
    text = random_sentence(seed + 3, 5)
    whole, some = (
        ChartDecoder(model, options=ChartOptions(pop_limit=limit)).translate(text, forest=True)
        for limit in (0, 2)
    )
    every = {(each.text, round(each.score, 3)) for each in kbest(forest_of(whole), model.weights, 100_000)}
    kept = {(each.text, round(each.score, 3)) for each in kbest(forest_of(some), model.weights, 100_000)}
    assert kept
    assert kept <= every
    assert some.score <= whole.score + 1e-4
