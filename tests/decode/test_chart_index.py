"""Rules that are extracted for each sentence, in the chart decoder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.decode.chart_brute_force import ChartBruteForce, Gap, Rule, arcs_of, parse_rules
from tests.decode.chart_tiny import Grammar

from tunesmith.corpus import Sentences
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions
from tunesmith.extract.glue import sentence_glue
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.forest import count_derivations, kbest
from tunesmith.lm import estimate
from tunesmith.model import Model, train

ALL = ChartOptions(pop_limit=0, table_limit=0)
SOURCE = ["das haus ist klein", "das haus", "ist das haus groß", "klein ist das", "groß", "das ist"]
TARGET = ["the house is small", "the house", "is the house big", "small is this", "big", "this is"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("hiero")
    links = [" ".join(f"{i}-{i}" for i in range(len(line.split()))) for line in SOURCE]
    for name, lines in (("de", SOURCE), ("en", TARGET), ("align", links)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    train(
        folder / "de", folder / "en", folder / "model", kind="hiero", alignment=folder / "align", lm_order=2
    )
    return Model.open(folder / "model")


def symbols(side: tuple[str, ...]) -> tuple[str | Gap, ...]:
    return tuple((each[1], int(each[3])) if each.startswith("[") else each for each in side)


def rules_of(model: Model, text: str) -> list[Rule]:
    """Return the rules that the index gives for a sentence, and the glue."""
    index = model.rule_source()
    assert isinstance(index, SuffixIndex)
    grammar = index.grammar(text, model.grammar_options())
    rules = []
    for rule, values in zip(grammar, grammar.features.tolist(), strict=True):
        target = tuple(each if isinstance(each, str) else each[1] for each in symbols(rule.target))
        features = dict(zip(grammar.feature_names, values, strict=True))
        rules.append(Rule("X", symbols(rule.source), target, features, True, model.rules[0].span_limit))
    return rules + parse_rules(Grammar(sentence_glue()))


def arpa(folder: Path) -> Path:
    """Write the language model that training estimates."""
    estimate(Sentences.of(TARGET), order=2, discount_fallback=True).write_arpa(folder / "lm.arpa")
    return folder / "lm.arpa"


@pytest.mark.parametrize(
    "text", ["das haus", "klein ist das", "groß das haus", "das nie haus", "ist das ist", ""]
)
def test_all_derivations_with_rules_of_an_index_are_found(text: str, model: Model, tmp_path: Path):
    decoder = ChartDecoder(model, options=ALL)
    expected = ChartBruteForce(rules_of(model, text), arcs_of(text), arpa(tmp_path))
    found = decoder.translate(text, forest=True)
    derivations = expected.derivations()
    assert count_derivations(found.forest) == len(derivations) > 0
    listed = kbest(found.forest, decoder.weights, len(derivations))
    assert Counter(each.text for each in listed) == Counter(each.text for each in derivations)
    names = {"PassThrough0": "PassThrough", "SourceWords0": "SourceWordPenalty"}
    weights = {**decoder.weights, **{old: decoder.weights[new] for old, new in names.items()}}
    scores = sorted((expected.score(each, weights) for each in derivations), reverse=True)
    assert [each.score for each in listed] == pytest.approx(scores, abs=1e-3)
    assert found.score == pytest.approx(scores[0], abs=1e-3)
    for each in listed:
        assert each.features.get("SourceWordPenalty", 0) == len(text.split())


def test_sentences_do_not_disturb_each_other(model: Model):
    decoder = ChartDecoder(model)
    texts = [*SOURCE, "nie das haus nie", ""]
    alone = [decoder.translate(text, forest=True) for text in texts]
    for threads in (1, 2):
        together = decoder.translate_all(texts, forest=True, threads=threads)
        for first, second in zip(alone, together, strict=True):
            assert (first.text, first.score, first.steps) == (second.text, second.score, second.steps)
            assert [first.forest.edge(i) for i in range(first.forest.edge_count)] == [
                second.forest.edge(i) for i in range(second.forest.edge_count)
            ]


def test_training_sentences_can_be_translated_as_they_were(model: Model):
    """Their links are one to one, so that rules of single words and glue make each target."""
    decoder = ChartDecoder(model, options=ALL)
    for source, target in zip(SOURCE, TARGET, strict=True):
        forced, free = decoder.translate(Request(source, target=target)), decoder.translate(source)
        assert (forced.found, forced.text) == (True, target)
        if free.text == target:
            assert forced.score == pytest.approx(free.score, abs=1e-4)
        else:
            assert forced.score < free.score + 1e-4
