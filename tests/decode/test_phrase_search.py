"""The search, against all derivations of short sentences."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.decode.tiny import Phrases, derivations, score, write_model

from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import SearchOptions
from tunesmith.decode.translation import BORDER, UNKNOWN_WORD
from tunesmith.errors import InputError
from tunesmith.forest import Forest, kbest, viterbi

EXHAUSTIVE = SearchOptions(pop_limit=0, stack_size=1 << 20, distortion_limit=-1)


@pytest.fixture(scope="module", params=[1, 2, 3])
def tiny(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("tiny") / "moses", request.param)


def all_edges(forest: Forest) -> Iterator[tuple[int, ...]]:
    """Every derivation of a phrase lattice, from its start to its end, as edges."""

    def below(node: int) -> Iterator[tuple[int, ...]]:
        for edge in forest.edges(node):
            tails = forest.edge(edge).tails
            for before in below(tails[0]) if tails else [()]:
                yield (*before, edge)

    return below(forest.root)


def phrases_of(forest: Forest, edges: tuple[int, ...]) -> Phrases:
    spelt = [forest.edge(edge) for edge in edges]
    return tuple((*edge.span, " ".join(map(str, edge.target[1:]))) for edge in spelt[1:-1])


@pytest.mark.parametrize("sentence", ["a b c", "b d a", "c", "d d", "a b a b"])
def test_exhaustive_search_finds_the_best_of_all_derivations(tiny: Path, sentence: str):
    decoder = PhraseDecoder.open(tiny, options=EXHAUSTIVE)
    best = max(score(decoder, sentence, phrases) for phrases in derivations(decoder, sentence))
    found = decoder.translate(sentence)
    assert found.score == pytest.approx(best, abs=1e-4)
    placed = [
        (*phrase.source, " ".join(found.text.split()[slice(*phrase.target)])) for phrase in found.phrases
    ]
    assert score(decoder, sentence, tuple(placed)) == pytest.approx(found.score, abs=1e-4)


def test_the_start_and_the_end_of_a_forest_are_told_from_unknown_words(tiny: Path):
    forest = PhraseDecoder.open(tiny).translate("a unseen b", forest=True).forest
    assert forest is not None
    edges = [forest.edge(number) for number in range(forest.edge_count)]
    borders = {number for number, edge in enumerate(edges) if edge.rule == BORDER}
    assert borders == {0, *forest.edges(forest.root)}
    assert {edge.source for edge in edges if edge.rule == UNKNOWN_WORD} == {("unseen",)}


@pytest.mark.parametrize(("limit", "early_discard"), list(itertools.product([0, 1, 2], [True, False])))
def test_the_distortion_limit_forbids_just_what_it_says(tiny: Path, limit: int, early_discard: bool):
    options = SearchOptions(
        pop_limit=0, stack_size=1 << 20, distortion_limit=limit, early_discard=early_discard
    )
    decoder = PhraseDecoder.open(tiny, options=options)
    expected = set(derivations(decoder, "a b c d", limit=limit, early_discard=early_discard))
    forest = decoder.translate("a b c d", forest=True).forest
    assert forest is not None
    found = [phrases_of(forest, edges) for edges in all_edges(forest)]
    assert len(found) == len(set(found))
    assert set(found) == expected


@pytest.mark.parametrize("sentence", ["a b c", "d a d"])
def test_the_forest_holds_every_derivation_once_with_its_features(tiny: Path, sentence: str):
    decoder = PhraseDecoder.open(tiny, options=EXHAUSTIVE)
    forest = decoder.translate(sentence, forest=True).forest
    assert forest is not None
    scores = forest.scores(decoder.weights)
    found = {phrases_of(forest, edges): edges for edges in all_edges(forest)}
    assert set(found) == set(derivations(decoder, sentence))
    for phrases, edges in found.items():
        assert scores[list(edges)].sum() == pytest.approx(score(decoder, sentence, phrases), abs=1e-4)


def test_cube_pruning_without_limits_is_exhaustive(tiny: Path):
    unlimited = SearchOptions(pop_limit=1 << 20, stack_size=1 << 20, distortion_limit=-1)
    for sentence in ("a b c d", "c b a c"):
        scores = [
            PhraseDecoder.open(tiny, options=o).translate(sentence).score for o in (unlimited, EXHAUSTIVE)
        ]
        assert scores[0] == scores[1]


def test_more_effort_does_not_find_worse_translations_of_a_corpus(tiny: Path):
    sentences = [
        " ".join(words) for words in itertools.islice(itertools.product("abcd", repeat=7), 0, None, 997)
    ]
    averages = []
    for limit in (1, 3, 10, 100):
        decoder = PhraseDecoder.open(tiny, options=SearchOptions(pop_limit=limit, stack_size=limit))
        averages.append(sum(t.score for t in decoder.translate_all(sentences)) / len(sentences))
    assert averages == sorted(averages)
    assert averages[0] < averages[-1]


def test_a_threshold_of_nothing_keeps_one_hypothesis_a_stack(tiny: Path):
    narrow = PhraseDecoder.open(tiny, options=SearchOptions(beam_threshold=0))
    wide = PhraseDecoder.open(tiny, options=SearchOptions(beam_threshold=1000))
    sentence = "a b c d a b c d"
    assert narrow.translate(sentence).native.nodes <= 9
    assert narrow.translate(sentence).score <= wide.translate(sentence).score
    assert wide.translate(sentence).text == PhraseDecoder.open(tiny).translate(sentence).text


def test_unknown_words_are_passed_through_or_dropped(tiny: Path):
    passed = PhraseDecoder.open(tiny).translate("a unseen")
    dropped = PhraseDecoder.open(tiny, options=SearchOptions(unknown_words="drop")).translate("a unseen")
    assert "unseen" in passed.text.split()
    assert "unseen" not in dropped.text.split()
    assert passed.features["UnknownWordPenalty0"] == dropped.features["UnknownWordPenalty0"] == -100
    assert [link for link in passed.alignment if link[0] == 1] == [(1, passed.text.split().index("unseen"))]


def test_results_do_not_depend_on_threads(tiny: Path):
    decoder = PhraseDecoder.open(tiny)
    sentences = [" ".join(words) for words in itertools.product("abcd", repeat=4)]
    one, two = (list(decoder.translate_all(sentences, threads=threads)) for threads in (1, 3))
    assert [(t.text, t.score, t.phrases) for t in one] == [(t.text, t.score, t.phrases) for t in two]


def test_weights_can_be_changed_between_sentences(tiny: Path):
    decoder = PhraseDecoder.open(tiny)
    before = decoder.translate("a b c d")
    decoder.weights = {**decoder.weights, "WordPenalty0": 5.0}
    shorter = decoder.translate("a b c d")
    assert len(shorter.text.split()) < len(before.text.split()) or shorter.features["WordPenalty0"] == -2
    decoder.weights = {**decoder.weights, "WordPenalty0": -0.3}
    assert decoder.translate("a b c d").text == before.text


def test_an_empty_sentence_has_an_empty_translation(tiny: Path):
    found = PhraseDecoder.open(tiny).translate("", forest=True)
    assert (found.text, found.phrases, found.found) == ("", (), True)
    assert found.forest is not None
    assert len(list(all_edges(found.forest))) == 1


@pytest.mark.parametrize("sentence", ["a b c d", "c unseen a", "b"])
def test_the_best_derivation_of_the_forest_is_the_translation(tiny: Path, sentence: str):
    decoder = PhraseDecoder.open(tiny)
    found = decoder.translate(sentence, forest=True)
    assert found.forest is not None
    best = viterbi(found.forest, decoder.weights)
    assert best.text == found.text
    assert best.score == pytest.approx(found.score, abs=1e-6)
    assert sorted(best.alignment) == sorted(found.alignment)
    assert [segment.source for segment in best.segments] == [phrase.source for phrase in found.phrases]


@pytest.mark.parametrize("sentence", ["a b c", "d b a"])
def test_a_thousand_best_equal_all_derivations_sorted(tiny: Path, sentence: str):
    decoder = PhraseDecoder.open(tiny, options=EXHAUSTIVE)
    forest = decoder.translate(sentence, forest=True).forest
    assert forest is not None
    found = kbest(forest, decoder.weights, 1000)
    expected = sorted((score(decoder, sentence, p) for p in derivations(decoder, sentence)), reverse=True)
    assert [each.score for each in found] == pytest.approx(expected[:1000], abs=1e-4)
    for each in found:
        assert each.score == pytest.approx(
            sum(decoder.weights[name] * value for name, value in each.features.items()), abs=1e-6
        )
    texts = kbest(forest, decoder.weights, 1000, unique=True)
    assert len({each.text for each in texts}) == len(texts) == len({each.text for each in found})


@pytest.mark.parametrize("length", [20, 100, 400])
def test_long_sentences_are_translated_without_early_discard_too(tiny: Path, length: int):
    options = SearchOptions(distortion_limit=4, early_discard=False)
    sentence = " ".join(random.Random(length).choices("abcd", k=length))
    found = PhraseDecoder.open(tiny, options=options).translate(sentence)
    assert found.found
    assert sorted(i for phrase in found.phrases for i in range(*phrase.source)) == list(range(length))


@pytest.mark.slow
def test_scores_stay_exact_in_long_sentences(tiny: Path):
    head = "a b c d a b c d"
    decoder = PhraseDecoder.open(tiny)
    alone = decoder.translate(head)
    long = decoder.translate(head + " unseen" * 3000)
    kept = [phrase for phrase in long.phrases if phrase.source[1] <= 8]
    # The unknown words cost 300,000: rounding at that size would drown what the head scores.
    assert [p.source for p in kept] == [p.source for p in alone.phrases]
    assert [long.text.split()[slice(*p.target)] for p in kept] == [
        alone.text.split()[slice(*p.target)] for p in alone.phrases
    ]


@pytest.mark.parametrize("wrong", [None, 3, b"a", ["a", "b"]])
def test_what_is_no_text_is_refused_by_name(tiny: Path, wrong: object):
    with pytest.raises(InputError, match="expected a text, a Lattice or a Request"):
        PhraseDecoder.open(tiny).translate(wrong)  # type: ignore[arg-type]


def test_one_text_is_not_taken_for_sentences(tiny: Path):
    with pytest.raises(InputError, match="put it in a list"):
        PhraseDecoder.open(tiny).translate_all("a b c")
