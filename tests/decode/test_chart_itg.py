"""Inversion transduction grammars over phrase tables, in the chart decoder."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path

import pytest
from tests.decode.chart_brute_force import ChartBruteForce, arcs_of, parse_rules, rounded
from tests.decode.chart_tiny import Grammar, write_phrases
from tests.decode.tiny import SOURCE, TARGET

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.settings import ChartOptions
from tunesmith.extract.glue import ItgForm, itg_grammar
from tunesmith.forest import count_derivations, kbest
from tunesmith.model import Model
from tunesmith.model.itg import itg_over

ALL = ChartOptions(pop_limit=0)
FORMS: tuple[ItgForm, ...] = ("plain", "normal")
NINE = {
    *(f"TranslationModel0_{number}" for number in range(4)),
    "PhrasePenalty0",
    "LM0",
    "WordPenalty0",
    "Straight0",
    "Inverted0",
}


def random_pairs(seed: int) -> set[tuple[str, str]]:
    draw = random.Random(seed)
    sides = [*SOURCE[:3], *(first + " " + second for first in SOURCE for second in SOURCE)]
    return {
        (side, " ".join(draw.choices(TARGET, k=draw.randint(1, 2))))
        for side in draw.sample(sides, 9)
        for _ in range(2)
    }


def decoders(folder: Path, pairs: set[tuple[str, str]], seed: int = 1) -> tuple[Grammar, list[ChartDecoder]]:
    phrases, rules = write_phrases(folder, pairs, seed)
    made = []
    for form in FORMS:
        itg_over(phrases, folder / form, form=form)
        made.append(ChartDecoder(Model.open(folder / form), options=ALL))
    return rules, made


@pytest.mark.parametrize("seed", range(5))
def test_both_forms_have_the_derivations_that_brute_force_lists(seed: int, tmp_path: Path):
    rules, made = decoders(tmp_path, random_pairs(seed), seed)
    checked = 0
    for text in ("a", "b a", "c a b", "a b c d", "b a q c"):
        yields = []
        for form, decoder in zip(FORMS, made, strict=True):
            grammar = parse_rules(rules) + parse_rules(Grammar(itg_grammar(form)))
            expected = ChartBruteForce(grammar, arcs_of(text), tmp_path / "moses" / "lm.arpa")
            if expected.size() > 1500:
                continue
            found = decoder.translate(text, forest=True)
            derivations = expected.derivations()
            listed = kbest(found.forest, decoder.weights, len(derivations) + 1)
            known = {"Arity_0", "Arity_1", "Arity_2", "PassThrough0", "SourceWords0"}
            wanted = Counter(
                (text, tuple(pair for pair in features if pair[0] not in known))
                for text, features in (each.key for each in derivations)
            )
            assert Counter((each.text, rounded(each.features)) for each in listed) == wanted
            scores = sorted((expected.score(each, decoder.weights) for each in derivations), reverse=True)
            assert [each.score for each in listed] == pytest.approx(scores, abs=1e-3)
            assert found.score == pytest.approx(scores[0], abs=1e-3)
            yields.append({key[0] for key in wanted})
            checked += 1
        assert all(each == yields[0] for each in yields)
    assert checked >= 8


def schroeder(count: int) -> int:
    """Return the number of separable permutations: 1, 2, 6, 22, 90, 394."""
    known = [1, 2]
    while len(known) < count:
        n = len(known)
        known.append(((6 * n - 3) * known[-1] - (n - 2) * known[-2]) // (n + 1))
    return known[count - 1]


def test_the_normal_form_has_one_derivation_an_order_and_the_plain_one_all_trees(tmp_path: Path):
    """Every word has one translation, of its own, so that translations are orders of words."""
    pairs = {(word, word.upper()) for word in "abcdef"}
    _, (plain, normal) = decoders(tmp_path, pairs)
    for length in range(1, 7):
        text = " ".join("abcdef"[:length])
        first, second = (each.translate(text, forest=True) for each in (plain, normal))
        catalan = math.comb(2 * length - 2, length - 1) // length
        assert count_derivations(first.forest) == catalan * 2 ** (length - 1)
        assert count_derivations(second.forest) == schroeder(length)
        strings = [
            {each.text for each in kbest(found.forest, plain.weights, 10_000)} for found in (first, second)
        ]
        assert strings[0] == strings[1]
        assert len(strings[1]) == schroeder(length)
        assert first.score == pytest.approx(second.score, abs=1e-4)


def test_an_itg_has_nine_features_and_unknown_words(tmp_path: Path):
    _, made = decoders(tmp_path, random_pairs(1))
    for decoder in made:
        assert set(decoder.feature_names) == NINE | {"UnknownWordPenalty0"}
        found = decoder.translate("a b c a b")
        assert set(found.features) <= set(decoder.feature_names)
        parts = (
            sum(phrase.rule >= 0 and phrase.rule >> 32 == 0 for phrase in found.phrases) + found.unknown_words
        )
        assert found.features["PhrasePenalty0"] == parts
        joins = found.features.get("Straight0", 0) + found.features.get("Inverted0", 0)
        assert joins == parts - 1


def test_an_empty_sentence_has_an_empty_translation(tmp_path: Path):
    _, made = decoders(tmp_path, random_pairs(1))
    for decoder in made:
        found = decoder.translate("", forest=True)
        assert (found.found, found.text) == (True, "")
        assert count_derivations(found.forest) == 1
