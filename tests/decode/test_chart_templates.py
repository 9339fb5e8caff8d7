"""Feature templates and contexts in the chart decoder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from tests.decode.chart_brute_force import MOST, ChartBruteForce, arcs_of, parse_rules, rounded
from tests.decode.chart_tiny import GLUE, random_grammar, random_sentence, write_chart_model
from tests.decode.chart_trees import Tree, node_yields, replay, tree_of
from tests.decode.toy_templates import Alternation, NoEnd

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions
from tunesmith.features import (
    VETO,
    BorderBigrams,
    Pair,
    PairTemplate,
    PhraseLength,
    Sentence,
    StatefulTemplate,
    Step,
    Values,
)
from tunesmith.files import read_lines
from tunesmith.forest import Forest, has_local_context, kbest
from tunesmith.model import Model

ALL = ChartOptions(pop_limit=0)
SPARSE = {
    "BorderBigram_<s>_W": 0.5,
    "BorderBigram_W_X": -0.75,
    "BorderBigram_X_</s>": 0.25,
    "Alternation_1": 0.5,
    "Alternation_end": -0.25,
    "Balance_difference": -0.125,
    "Balance_wide": 0.5,
}


@dataclass(frozen=True)
class Balance(StatefulTemplate[int]):
    """How much longer one gap's words are than another's: a feature of two tails at once."""

    name: str = "Balance"

    def start(self, sentence: Sentence) -> int:
        return 0

    def apply(self, tails: tuple[int, ...], step: Step) -> tuple[int, Values]:
        words = sum(isinstance(symbol, str) for symbol in step.target) + sum(tails)
        difference = abs(tails[0] - tails[1]) if len(tails) == 2 else 0
        return words, {
            "Balance_difference": difference,
            "Balance_wide": float(step.span[1] - step.span[0] > 2),
        }


@dataclass(frozen=True)
class NoRepetition(StatefulTemplate[tuple[str, ...]]):
    """Forbids equal words side by side. The state has the first and the last word of a piece."""

    name: str = "NoRepetition"

    def start(self, sentence: Sentence) -> tuple[str, ...]:
        return ()

    def apply(self, tails: tuple[tuple[str, ...], ...], step: Step) -> tuple[tuple[str, ...], Values] | None:
        ends: list[str] = []
        for symbol in step.target:
            piece = tails[-1 - symbol] if isinstance(symbol, int) else (symbol,)
            if ends and piece and ends[-1] == piece[0]:
                return VETO
            ends += piece
        return (ends[0], ends[-1]) if ends else (), {}


@dataclass(frozen=True)
class Sides(PairTemplate):
    """The two sides of a rule."""

    name: str = "Sides"

    def values(self, pair: Pair) -> Values:
        return {f"Sides_{'-'.join(map(str, pair.source))}_{'-'.join(map(str, pair.target))}": 1.0}


@dataclass(frozen=True)
class PythonLength(PhraseLength):
    """The template without its twin."""

    def twin(self) -> None:
        return None


TEMPLATES = (BorderBigrams(), Alternation(), Balance(), Sides(), PhraseLength())


@pytest.mark.parametrize("seed", range(6))
def test_features_of_templates_are_those_of_the_flat_strings_and_trees(seed: int, tmp_path: Path):
    model = write_chart_model(tmp_path, [random_grammar(seed), GLUE], seed=seed)
    decoder = ChartDecoder(model, {**model.weights, **SPARSE}, ALL, TEMPLATES)
    text = random_sentence(seed + 3, 4)
    found = decoder.translate(text, forest=True)
    assert found.found
    weights = dict.fromkeys(found.forest.feature_names, 0.0) | dict(decoder.weights)
    listed = kbest(found.forest, weights, 150)
    sentence = Sentence(tuple(text.split()), len(text.split()))
    for derivation in listed:
        tree = tree_of(derivation)
        features = derivation.features
        flat = [("<s>", -1), *tree.words(), ("</s>", -2)]
        met = Counter(
            f"BorderBigram_{first}_{second}"
            for (first, rule), (second, other) in pairwise(flat)
            if rule != other
        )
        assert {name: value for name, value in features.items() if name.startswith("BorderBigram")} == met
        for template in (Alternation(), Balance()):
            own = {name: value for name, value in features.items() if template.owns(name) and value}
            again = replay(template, tree, template.start(sentence))
            assert own == {name: value for name, value in again.items() if value}
        sides = {name: value for name, value in features.items() if name.startswith("Sides")}
        assert sides == Counter(rule_sides(tree))
        assert derivation.score == pytest.approx(
            sum(weights[name] * value for name, value in features.items()), abs=1e-3
        )
    assert found.score == pytest.approx(listed[0].score, abs=1e-4)
    assert found.text == listed[0].text


def rule_sides(tree: Tree) -> Iterator[str]:
    """Yield what the template says of the rules of a tree that are neither marks nor unknown words."""
    for child in tree.children:  # the top is the end of the sentence
        if not child.is_begin and child.edge.rule >= 0:
            yield from Sides().values(Pair(child.edge.source, child.edge.target, (), {}))
        yield from rule_sides(child)


def test_a_template_of_pairs_and_its_native_twin_agree(tmp_path: Path):
    model = write_chart_model(tmp_path, [random_grammar(2), GLUE], seed=2)
    weights = {**model.weights, "PhraseLength_1x1": -0.5, "PhraseLength_1x0": 0.75}
    native, python = (
        ChartDecoder(model, weights, ALL, [each]).translate("a b a", forest=True)
        for each in (PhraseLength(), PythonLength())
    )
    assert (native.text, native.score, native.steps) == (python.text, python.score, python.steps)
    edges = [[each.forest.edge(i) for i in range(each.forest.edge_count)] for each in (native, python)]
    assert edges[0] == edges[1]


def test_marks_of_the_sentence_are_no_pairs(tmp_path: Path):
    """An empty sentence has no rules but those of its borders."""
    model = write_chart_model(tmp_path, [random_grammar(2), GLUE], seed=2)
    found = ChartDecoder(model, None, ALL, [Sides(), PhraseLength()]).translate("", forest=True)
    assert found.found
    assert not {"Sides", "PhraseLength"} & {name.partition("_")[0] for name in found.features}


class Witness(StatefulTemplate[None]):
    """Notes what it is asked of."""

    name = "Witness"

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[str | int, ...], tuple[str | int, ...]]] = []

    def start(self, sentence: Sentence) -> None:
        return None

    def apply(self, tails: tuple[None, ...], step: Step) -> tuple[None, Values]:
        return None, {}

    def estimate(self, pair: Pair) -> Values:
        self.asked.append((pair.source, pair.target))
        return {"Witness": 0.0}


def test_nothing_is_expected_of_the_marks_of_the_sentence(tmp_path: Path):
    witness = Witness()
    model = write_chart_model(tmp_path, [random_grammar(2), GLUE], seed=2)
    assert ChartDecoder(model, None, ALL, [witness]).translate("a b a").found
    assert witness.asked
    assert not {" <s>", " </s>"} & {symbol for source, _ in witness.asked for symbol in source}


def test_a_rule_that_a_sentence_brings_is_asked_once_of_it(tmp_path: Path):
    """However often it fits."""
    witness = Witness()
    rules = "[X] ||| a ||| W\n[X] ||| [X,1] [X,2] ||| [1] [2]\n"
    decoder = ChartDecoder(write_chart_model(tmp_path, [GLUE]), None, ChartOptions(pop_limit=5), [witness])
    assert decoder.translate(Request("a a a a a a", rules=rules)).text == "W W W W W W"
    assert Counter(witness.asked)[("a",), ("W",)] == 1
    assert Counter(witness.asked)[(-1, -2), (-1, -2)] == 2  # the brought rule, and glue


def test_templates_change_no_derivation(tmp_path: Path):
    grammar = random_grammar(2)
    model = write_chart_model(tmp_path, [grammar, GLUE], seed=2)
    decoder = ChartDecoder(model, {**model.weights, **SPARSE}, ALL, TEMPLATES)
    expected = ChartBruteForce(
        parse_rules(grammar) + parse_rules(GLUE), arcs_of("a b a"), tmp_path / "lm.arpa"
    )
    found = decoder.translate("a b a", forest=True)
    weights = dict.fromkeys(found.forest.feature_names, 0.0) | dict(decoder.weights)
    own = [
        (each.text, rounded({name: each.features[name] for name in each.features if name in model.weights}))
        for each in kbest(found.forest, weights, MOST)
    ]
    assert Counter(own) == Counter(each.key for each in expected.derivations())


@pytest.mark.parametrize("seed", range(6))
def test_a_veto_takes_out_what_it_forbids_and_nothing_else(seed: int, tmp_path: Path):
    grammar = random_grammar(seed)
    model = write_chart_model(tmp_path, [grammar, GLUE], seed=seed)
    decoder = ChartDecoder(model, None, ALL, [NoRepetition()])
    text = random_sentence(seed + 3, 4)
    expected = ChartBruteForce(parse_rules(grammar) + parse_rules(GLUE), arcs_of(text), tmp_path / "lm.arpa")
    every = expected.derivations()
    wanted = [each for each in every if all(a != b for a, b in pairwise(each.words))]
    found = decoder.translate(text, forest=True)
    assert found.found == bool(wanted)
    listed = kbest(found.forest, decoder.weights, len(every) + 1)
    assert Counter((each.text, rounded(each.features)) for each in listed) == Counter(
        each.key for each in wanted
    )


def test_a_veto_at_the_end_leaves_no_translation(tmp_path: Path):
    model = write_chart_model(tmp_path, [random_grammar(2), GLUE])
    found = ChartDecoder(model, None, ALL, [NoEnd()]).translate("a b", forest=True)
    assert (found.found, found.text, found.forest.node_count) == (False, "", 0)


def roots_of_known_words(forest: Forest, size: int) -> int:
    """Check that all yields of a node begin and end alike, but for those of the root, which are counted.

    To the left of what begins the sentence nothing comes, so that its first words need not be known.
    """
    *inner, root = node_yields(forest, size)
    for yields in inner:
        assert len({right for _, right, _ in yields}) == 1
        assert len({begins for _, _, begins in yields}) == 1
        if not any(begins for _, _, begins in yields):
            assert len({left for left, _, _ in yields}) == 1
    return len(root)


@pytest.mark.parametrize("size", [1, 3, 4])
def test_every_node_has_one_context(size: int, shared_data: Path, moses_hiero: Path):
    options = ChartOptions(pop_limit=20, context=size)
    decoder = ChartDecoder(Model.open(moses_hiero), options=options)
    roots = []
    for text in read_lines(shared_data / "multi30k.test_2016.de.xz")[1:5]:
        forest = decoder.translate(text, forest=True).forest
        assert forest is not None
        roots.append(roots_of_known_words(forest, size))
        assert has_local_context(forest, size + 1)
    assert max(roots) > 1


@pytest.mark.parametrize("seed", range(6))
def test_contexts_change_no_derivation(seed: int, tmp_path: Path):
    grammar = random_grammar(seed)
    model = write_chart_model(tmp_path, [grammar, GLUE], seed=seed)
    text = random_sentence(seed + 3, 4)
    expected = ChartBruteForce(parse_rules(grammar) + parse_rules(GLUE), arcs_of(text), tmp_path / "lm.arpa")
    decoder = ChartDecoder(model, options=ChartOptions(pop_limit=0, context=3))
    found = decoder.translate(text, forest=True)
    listed = kbest(found.forest, decoder.weights, expected.size() + 1)
    assert Counter((each.text, rounded(each.features)) for each in listed) == Counter(
        each.key for each in expected.derivations()
    )
    if found.found:
        assert has_local_context(found.forest, 4)
