"""Phrases that the input gives: exclusive and inclusive, against brute force."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.decode.brute_force import BruteForce
from tests.decode.toy_templates import Alternation

from tunesmith.decode.constraints import GivenPhrase
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.model import Model, train

WIDE = SearchOptions(0, 1 << 20, distortion_limit=-1, early_discard=False, table_limit=0)


@pytest.fixture(scope="module")
def decoder(small_model: Path) -> PhraseDecoder:
    return PhraseDecoder.open(small_model)


@pytest.fixture(scope="module")
def sources(small_corpus: Path) -> list[str]:
    return (small_corpus / "de").read_text(encoding="utf-8").splitlines()


def used(translation) -> set[tuple[int, int, str]]:
    words = translation.text.split()
    return {(*phrase.source, " ".join(words[slice(*phrase.target)])) for phrase in translation.phrases}


def test_an_exclusive_phrase_is_always_used_and_an_unlikely_inclusive_one_is_not(decoder, sources):
    known = [source for source in sources if not decoder.translate(source).unknown_words]
    for source in known[:40]:
        phrase = (1, 3, "Xyzzy the Plugh", 1e-30)
        forced = decoder.translate(Request(source, phrases=(phrase,)))
        assert phrase[:3] in used(forced)
        free = decoder.translate(source)
        offered = decoder.translate(Request(source, phrases=(phrase,), exclusive=False))
        assert (offered.text, offered.score) == (free.text, free.score)


def test_the_best_derivation_with_a_given_phrase_is_found(decoder, sources):
    """A pair that the table has, given for its place: it has no scores of the table there."""
    weights = {
        name: 0.0 if name.startswith("LexicalReordering") else value
        for name, value in decoder.weights.items()
    }
    exact = PhraseDecoder(decoder.model, weights, WIDE)
    brute, seen = BruteForce(exact), 0

    def score(
        source: str, derivation: tuple[tuple[int, int, str], ...], given: tuple[int, int, str]
    ) -> float:
        rows = zip((*derivation, None), exact.replay(source, derivation), strict=True)
        return sum(
            weights[name] * value
            for step, values in rows
            for name, value in values.items()
            if not (step == given and name.startswith("TranslationModel"))
        )

    for source in [source for source in sources if len(source.split()) == 4][:6]:
        every = list(brute.derivations(source, "", is_prefix=True))
        for pair in brute.table.lookup(source.split()[1])[:3]:
            given = (1, 2, pair.target)
            found = exact.translate(Request(source, phrases=(given,)))
            assert given in used(found)
            best = max(score(source, each, given) for each in every if given in each)
            assert found.score == pytest.approx(best, abs=1e-4)
            seen += 1
    assert seen >= 5


def test_the_probability_is_spread_over_the_scores_of_the_table(decoder, sources):
    found = decoder.translate(Request(sources[0], phrases=(GivenPhrase(0, 1, "Xyzzy", 0.25),)))
    (step,) = (
        values for phrase, values in zip(found.phrases, found.steps, strict=False) if phrase.rule == -2
    )
    assert [step[f"TranslationModel0_{i}"] for i in range(4)] == pytest.approx([math.log(0.25) / 4] * 4)
    assert not any(name.startswith("LexicalReordering") and "_0" in name for name in step if step[name])
    assert "UnknownWordPenalty0" not in step
    assert sum(decoder.weights[n] * v for n, v in found.features.items()) == pytest.approx(
        found.score, abs=1e-4
    )


def test_alternatives_of_a_span_compete(decoder, sources):
    phrases = ((0, 1, "Xyzzy", 0.1), (0, 1, "Plugh", 0.9))
    assert "Plugh" in decoder.translate(Request(sources[0], phrases=phrases)).text.split()
    assert "Plugh" in decoder.translate(Request(sources[0], phrases=phrases[::-1])).text.split()


def test_given_phrases_are_in_the_forest_with_their_source(decoder, sources):
    found = decoder.translate(Request(sources[0], phrases=((0, 2, "Xyzzy Plugh"),)), forest=True)
    edges = [found.forest.edge(number) for number in range(found.forest.edge_count)]
    given = [edge for edge in edges if "Xyzzy" in edge.target]
    assert given
    assert all(edge.source == tuple(sources[0].split()[:2]) for edge in given)
    assert all(tuple(edge.span) == (0, 2) for edge in given)
    assert not [edge for edge in edges if edge not in given and edge.span[0] < 2 and edge.span[1] > 0]


def test_a_given_phrase_and_a_target_hold_together(decoder, sources):
    source = sources[0]
    text = decoder.translate(Request(source, phrases=((0, 2, "Xyzzy Plugh"),))).text
    both = decoder.translate(Request(source, text, phrases=((0, 2, "Xyzzy Plugh"),)))
    assert both.found and (0, 2, "Xyzzy Plugh") in used(both)
    assert not decoder.translate(Request(source, text)).found
    prefix = decoder.translate(Request(source, "Xyzzy", is_prefix=True, phrases=((0, 2, "Xyzzy Plugh"),)))
    assert prefix.text.startswith("Xyzzy Plugh")


def test_an_empty_translation_drops_words(decoder, sources):
    words = sources[0].split()
    found = decoder.translate(Request(sources[0], phrases=((0, len(words), ""),)))
    assert found.found and found.text == ""


def test_unknown_words_inside_of_a_given_phrase_are_not_passed(decoder):
    found = decoder.translate(Request("Xyzzy Plugh", phrases=((0, 2, "the dog"),)))
    assert found.text == "the dog" and found.features.get("UnknownWordPenalty0", 0) == 0


@pytest.mark.parametrize(
    ("phrases", "message"),
    [
        (((0, 2, "a"), (1, 3, "b")), "0-2 and 1-3, which overlap"),
        (((0, 9, "a"),), "the words 0-9; expected 0 <= begin < end <= 3"),
        (((2, 2, "a"),), "0 <= begin < end"),
        (((-1, 2, "a"),), "0 <= begin < end"),
        (((0, 1, "a", 0.0),), "above 0, at most 1"),
        (((0, 1, "a", 1.5),), "above 0, at most 1"),
        (((0, 1 << 40, "a"),), "end <= 3"),
    ],
)
def test_phrases_that_do_not_fit_are_refused(decoder, phrases, message):
    with pytest.raises(InputError, match=message):
        decoder.translate(Request("eins zwei drei", phrases=phrases))


def test_phrases_of_wrong_types_are_refused():
    with pytest.raises(OptionError, match="begin must be a whole number"):
        Request("a", phrases=(("0", 1, "a"),))


def test_bilingual_models_and_templates_tell_given_phrases_apart(small_corpus, sources, tmp_path):
    files = small_corpus / "de", small_corpus / "en"
    train(*files, tmp_path, alignment=small_corpus / "align", lm_order=2, bilingual_lm_order=2)
    model = Model.open(tmp_path)
    weights = {**model.weights, "Alternation_0": 0.1, "Alternation_1": -0.2}

    def translate(phrases: list[tuple[int, int, str]]) -> list[tuple[str, float]]:
        decoder = PhraseDecoder(model, weights, templates=[Alternation()])
        found = [decoder.translate(Request(sources[0], phrases=(phrase,))) for phrase in phrases]
        return [(each.text, each.score) for each in found]

    first, second = (0, 1, "the"), (0, 1, "Xyzzy the Plugh")
    assert translate([first, second]) == translate([first]) + translate([second])
    both = PhraseDecoder(model, weights, templates=[Alternation()])
    found = both.translate(Request(sources[0], phrases=(first, (1, 2, "Plugh of Xyzzy"))), forest=True)
    total = sum(weights.get(name, 0.0) * value for name, value in found.features.items())
    assert total == pytest.approx(found.score, abs=1e-4)
    forced = both.translate(Request(sources[0], found.text, phrases=(first, (1, 2, "Plugh of Xyzzy"))))
    assert forced.found and forced.score >= found.score - 1e-4
