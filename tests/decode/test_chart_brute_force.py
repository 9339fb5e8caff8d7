"""The chart decoder without pruning, against lists of all derivations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from tests.decode.chart_brute_force import (
    MOST,
    ChartBruteForce,
    Gap,
    Rule,
    arcs_of,
    check_all,
    parse_rules,
)
from tests.decode.chart_tiny import GLUE, Grammar, random_grammar, random_sentence, write_chart_model

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.settings import ChartOptions

ALL = ChartOptions(pop_limit=0)


@pytest.mark.parametrize("seed", range(20))
def test_all_derivations_of_random_grammars_are_found_with_their_features(seed: int, tmp_path: Path):
    grammar = random_grammar(seed)
    decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE], seed=seed), options=ALL)
    rules = parse_rules(grammar) + parse_rules(GLUE)
    checked = 0
    for length in (1, 3, 4, 5):
        text = random_sentence(10 * seed + length, length)
        expected = ChartBruteForce(rules, arcs_of(text), tmp_path / "lm.arpa")
        if expected.size() <= MOST:
            check_all(decoder.translate(text, forest=True), expected, decoder)
            checked += 1
    assert checked >= 3


def test_the_random_grammars_have_what_they_promise():
    rules = [rule for seed in range(20) for rule in parse_rules(random_grammar(seed))]
    gaps = Counter(sum(isinstance(symbol, int) for symbol in rule.target) for rule in rules)
    assert set(gaps) == {0, 1, 2, 3}
    assert any(rule.target == () for rule in rules)
    assert any(len(rule.source) == 1 and isinstance(rule.source[0], tuple) for rule in rules)
    orders = {tuple(symbol for symbol in rule.target if isinstance(symbol, int)) for rule in rules}
    assert {(1, 2), (2, 1), (3, 1, 2)} <= orders
    assert max(Counter(rules).values()) > 1


@pytest.mark.parametrize(
    "order",
    [*permutations((1, 2, 3)), (1, 2, 3, 4), (4, 3, 2, 1), (2, 4, 1, 3), (3, 1, 4, 2), (2, 5, 3, 1, 4)],
)
def test_any_number_of_gaps_is_filled_in_any_order(order: tuple[int, ...], tmp_path: Path):
    """Rules of two gaps cannot make orders such as 2 4 1 3."""
    gaps, target = len(order), " ".join(f"[{gap}]" for gap in order)
    side = ["XY"[i % 2] for i in range(gaps)]
    joined = " ".join(f"[{category},{gap}]" for gap, category in enumerate(side, 1))
    parted = "[X,1] c " + " ".join(f"[{category},{gap}]" for gap, category in enumerate(side[:-1], 2))
    grammar = Grammar(
        "[X] ||| a ||| W ||| F0=1\n[X] ||| a ||| X Y ||| F0=2\n[Y] ||| b ||| Z ||| F0=1\n"
        f"[X] ||| {joined} ||| Y {target} ||| F0=1\n"
        f"[X] ||| {parted} ||| {target} ||| F0=-1\n",
        ("F0",),
        counted=True,
    )
    decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE]), options=ALL)
    words = ["ab"[i % 2] for i in range(gaps)]
    more = ["c", *words[:-1]]
    for text in (words, words + words[1:], ["a", *more], words + more):
        expected = ChartBruteForce(
            parse_rules(grammar) + parse_rules(GLUE), arcs_of(" ".join(text)), tmp_path / "lm.arpa"
        )
        found = decoder.translate(" ".join(text), forest=True)
        check_all(found, expected, decoder)
        edges = [found.forest.edge(i) for i in range(found.forest.edge_count)]
        widest = [edge for edge in edges if len(edge.tails) == gaps]
        assert widest
        for edge in widest:
            assert edge.features["PhrasePenalty0"] == 1
            assert not [name for name, value in edge.features.items() if name.startswith("Arity") and value]


@pytest.mark.parametrize("seed", range(4))
def test_dropped_words_leave_nothing_in_the_translation(seed: int, tmp_path: Path):
    grammar = random_grammar(seed)
    options = ChartOptions(pop_limit=0, unknown_words="drop")
    decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE], seed=seed), options=options)
    rules = parse_rules(grammar) + parse_rules(GLUE)
    expected = ChartBruteForce(rules, arcs_of("a q a q"), tmp_path / "lm.arpa", unknown="drop")
    assert 0 < expected.size() <= MOST
    check_all(decoder.translate("a q a q", forest=True), expected, decoder)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_span_limits_hold_for_all_but_glue(limit: int, tmp_path: Path):
    sizes = []
    for seed in (2, 7, 23):
        drawn = random_grammar(seed)
        grammar = replace(drawn, span_limit=limit)
        decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE], seed=seed), options=ALL)
        text = random_sentence(seed, 4)
        limited, free = (
            ChartBruteForce(parse_rules(each) + parse_rules(GLUE), arcs_of(text), tmp_path / "lm.arpa")
            for each in (grammar, drawn)
        )
        check_all(decoder.translate(text, forest=True), limited, decoder)
        sizes.append((limited.size(), free.size()))
    assert any(0 < few < many for few, many in sizes)


@pytest.mark.parametrize("limit", [1, 2])
def test_a_table_limit_keeps_the_best_rules_of_each_source_side_and_category(limit: int, tmp_path: Path):
    """Where the language model counts nothing, the best ones are those of the highest score."""
    dropped = 0
    for seed in (4, 9, 19):
        grammar = replace(random_grammar(seed), table_limit=limit)
        model = write_chart_model(tmp_path, [grammar, GLUE], {"LM0": 0, "LM0_OOV": 0}, seed=seed)
        decoder = ChartDecoder(model, options=ALL)
        sides: dict[object, list[Rule]] = {}
        for rule in parse_rules(grammar):
            sides.setdefault((rule.category, tuple(map(category_of, rule.source))), []).append(rule)
        kept = [
            rule
            for side in sides.values()
            for rule in sorted(side, key=lambda rule: -score_of(rule, decoder.weights))[:limit]
        ]
        dropped += len(parse_rules(grammar)) - len(kept)
        text = random_sentence(seed, 4)
        expected = ChartBruteForce(kept + parse_rules(GLUE), arcs_of(text), tmp_path / "lm.arpa")
        check_all(decoder.translate(text, forest=True), expected, decoder)
    assert dropped > 0


def category_of(symbol: str | Gap) -> str | tuple[str]:
    return symbol if isinstance(symbol, str) else (symbol[0],)


def score_of(rule: Rule, weights: Mapping[str, float]) -> float:
    return sum(value * weights.get(name, 0.0) for name, value in rule.said.items())


def test_features_go_by_their_names_in_whatever_order_rules_have_them(tmp_path: Path):
    grammar = Grammar("[X] ||| a ||| W ||| F1=2\n[X] ||| b ||| X ||| F0=3 F1=5\n", ("F0", "F1"))
    decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE]), options=ALL)
    found = decoder.translate("a b").features
    assert (found["F0"], found["F1"]) == (3, 7)


def test_a_feature_that_no_rule_has_is_no_error(tmp_path: Path):
    grammar = Grammar("[X] ||| a ||| W ||| F1=2\n", ("F0", "F1"))
    decoder = ChartDecoder(write_chart_model(tmp_path, [grammar, GLUE]), options=ALL)
    assert decoder.translate("a").features["F1"] == 2
