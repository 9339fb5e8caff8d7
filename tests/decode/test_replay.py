"""Derivations that are replayed by the rules of their phrases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.decode.tiny import write_model

from tunesmith.decode.constraints import Relaxation
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.decode.translation import GIVEN, UNKNOWN_WORD, Translation
from tunesmith.errors import InputError
from tunesmith.model import Model

SENTENCES = ["a b c", "b d a c", "c c unseen", "a b a b c"]


@pytest.fixture(scope="module")
def two_tables(tmp_path_factory: pytest.TempPathFactory) -> PhraseDecoder:
    """A decoder with two tables that share source phrases and some pairs, with other scores."""
    folder = tmp_path_factory.mktemp("tables")
    first, second = (Model.open(write_model(folder / str(seed), seed)) for seed in (1, 2))
    part = second.phrase_tables[0]
    added = replace(part, name="TranslationModel1", path=str(second.directory / part.path))
    model = replace(first, phrase_tables=(*first.phrase_tables, added))
    weights = {**first.weights, **{f"TranslationModel1_{i}": 0.17 for i in range(4)}}
    return PhraseDecoder(model, weights, SearchOptions(distortion_limit=-1))


def replays(decoder: PhraseDecoder, request: str | Request, found: Translation) -> bool:
    steps = decoder.replay(request, found.derivation)
    return all(
        step == pytest.approx(dict(own), abs=1e-5) for step, own in zip(steps, found.steps, strict=True)
    )


def test_a_pair_is_that_of_its_own_table(two_tables: PhraseDecoder):
    tables = set()
    for text in SENTENCES:
        found = two_tables.translate(text)
        tables |= {phrase.rule >> 32 for phrase in found.phrases if phrase.rule >= 0}
        assert replays(two_tables, text, found)
    assert tables == {0, 1}


def test_a_pair_of_both_tables_is_told_apart_by_its_rule(two_tables: PhraseDecoder):
    tables = [two_tables.model.phrase_table(number) for number in (0, 1)]
    shared = [
        (source, target)
        for source in ("a", "b", "c", "a b", "b a", "b c", "c a", "a c")
        for target in sorted(
            set.intersection(*({pair.target for pair in table.lookup(source)} for table in tables))
        )
    ]
    assert shared
    for source, target in shared:
        words = len(source.split())
        plain = two_tables.replay(source, [(0, words, target)])[0]
        assert "TranslationModel0_0" in plain and "TranslationModel1_0" not in plain
        forest = two_tables.translate(Request(source, target), forest=True).forest
        assert forest is not None
        rules = {
            edge.rule
            for edge in map(forest.edge, range(forest.edge_count))
            if edge.rule >= 0 and tuple(edge.span) == (0, words)
        }
        by_table = {rule >> 32: two_tables.replay(source, [(0, words, target, rule)])[0] for rule in rules}
        assert set(by_table) == {0, 1}
        assert by_table[0] == plain
        assert "TranslationModel1_0" in by_table[1] and "TranslationModel0_0" not in by_table[1]


def test_given_phrases_have_the_probability_of_the_request(two_tables: PhraseDecoder):
    request = Request("a b unseen c", phrases=((1, 3, "unheard W unheard", 0.3), (0, 1, "")))
    found = two_tables.translate(request)
    assert {phrase.rule for phrase in found.phrases} >= {GIVEN}
    assert replays(two_tables, request, found)
    certain = two_tables.replay(request.source, found.derivation)
    assert not any(name.startswith("TranslationModel0") for name in certain[0])


@pytest.mark.parametrize("unknown", ["pass", "drop"])
def test_words_that_were_dropped_or_passed_are_so_again(two_tables: PhraseDecoder, unknown: str):
    options = replace(two_tables.options, unknown_words=unknown)
    decoder = PhraseDecoder(two_tables.model, two_tables.weights, options)
    text = decoder.translate("a").text
    request = Request("a b c unseen b", f"{text} unseen" if unknown == "pass" else text)
    request = replace(request, relaxation=Relaxation(drop_words=True))
    found = decoder.translate(request)
    assert found.found
    assert sum(rule == UNKNOWN_WORD for *_, rule in found.derivation) >= 2
    assert replays(decoder, request, found)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ((0, 1, "W", 5 << 32), "'a' ||| 'W' under the number 21474836480"),
        ((0, 1, "nowhere"), "'a' ||| 'nowhere'$"),
        ((0, 1, "", None), "'a' ||| ''$"),
        ((0, 1, "a", UNKNOWN_WORD), "under the number -1"),
        ((0, 1, "W", -3), "under the number -3"),
        ((0, 1, "W", 0xFFFFFFFF), "under the number 4294967295"),
        ((0, 2, "W", 0), "no words 0 to 2"),
    ],
)
def test_phrases_that_cannot_be_are_errors(two_tables: PhraseDecoder, step, message: str):
    with pytest.raises(InputError, match=message.replace("|", r"\|")):
        two_tables.replay("a", [step])
