"""Lattices in the chart decoder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.decode.chart_brute_force import MOST, Arc, ChartBruteForce, arcs_of, check_all, parse_rules
from tests.decode.chart_lattices import ARC_WEIGHTS, NAMED, plf, random_lattice
from tests.decode.chart_tiny import GLUE, random_grammar, random_sentence, write_chart_model

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.settings import ChartOptions
from tunesmith.errors import InputError
from tunesmith.files import read_lines
from tunesmith.forest import Forest, count_derivations

ALL = ChartOptions(pop_limit=0)


def same_forests(first: Forest, second: Forest) -> bool:
    """Tell whether two forests have the same arrays and names."""
    names = [name for name in dir(first.native) if isinstance(getattr(first.native, name), np.ndarray)]
    assert {"tails", "spans", "targets", "rule_feature_values", "edge_feature_values"} <= set(names)
    return (
        all(np.array_equal(getattr(first.native, name), getattr(second.native, name)) for name in names)
        and list(first.words) == list(second.words)
        and first.feature_names == second.feature_names
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_lattice_of_one_path_is_a_sentence_bit_for_bit(seed: int, tmp_path: Path):
    model = write_chart_model(tmp_path, [replace(random_grammar(seed), span_limit=3), GLUE], seed=seed)
    for options in (ALL, ChartOptions(pop_limit=4)):
        decoder = ChartDecoder(model, options=options)
        for text in ("", "q", random_sentence(seed, 5)):
            plain, lattice = (
                decoder.translate(each, forest=True) for each in (text, plf(arcs_of(text)) if text else text)
            )
            assert (lattice.text, lattice.score, lattice.steps) == (plain.text, plain.score, plain.steps)
            assert (lattice.phrases, lattice.alignment) == (plain.phrases, plain.alignment)
            assert lattice.native.bytes == plain.native.bytes
            assert same_forests(lattice.forest, plain.forest)


def test_sentences_of_a_real_model_are_lattices_of_one_path(shared_data: Path, moses_hiero: Path):
    decoder = ChartDecoder.open(moses_hiero, options=ChartOptions(pop_limit=30))
    sources = read_lines(shared_data / "multi30k.test_2016.de.xz")[:12]
    plain = decoder.translate_all(sources, forest=True)
    lattices = decoder.translate_all([plf(arcs_of(text)) for text in sources], forest=True)
    for first, second in zip(plain, lattices, strict=True):
        assert (first.text, first.score, first.features) == (second.text, second.score, second.features)
        assert same_forests(first.forest, second.forest)


@pytest.mark.parametrize("span_limit", [0, 1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_all_derivations_of_all_paths_are_found(seed: int, span_limit: int, tmp_path: Path):
    grammar = replace(random_grammar(seed), span_limit=span_limit)
    model = write_chart_model(tmp_path, [grammar, GLUE], seed=seed)
    decoder = ChartDecoder(model, {**model.weights, **ARC_WEIGHTS}, NAMED)
    rules = parse_rules(grammar) + parse_rules(GLUE)
    checked = 0
    for nodes in (1, 2, 3, 4):
        arcs = random_lattice(10 * seed + nodes, nodes)
        expected = ChartBruteForce(rules, arcs, tmp_path / "lm.arpa")
        if expected.size() <= MOST:
            check_all(decoder.translate(plf(arcs), forest=True), expected, decoder)
            checked += 1
    assert checked >= 2


def test_two_arcs_of_one_word_are_two_derivations(tmp_path: Path):
    model = write_chart_model(tmp_path, [random_grammar(1), GLUE])
    decoder = ChartDecoder(model, {**model.weights, **ARC_WEIGHTS}, NAMED)
    arcs: list[list[Arc]] = [[("q", {"Posterior": -1.0}, 1), ("q", {"Posterior": -2.0}, 1)]]
    found = decoder.translate(plf(arcs), forest=True)
    assert found.features["Posterior"] == -1
    rules = parse_rules(random_grammar(1)) + parse_rules(GLUE)
    assert count_derivations(found.forest) == ChartBruteForce(rules, arcs, tmp_path / "lm.arpa").size()


def test_arcs_with_features_that_nobody_declared_are_refused(tmp_path: Path):
    decoder = ChartDecoder(write_chart_model(tmp_path, [random_grammar(1), GLUE]), options=ALL)
    with pytest.raises(InputError, match="feature 'Posterior', which the decoder does not know"):
        decoder.translate(plf([[("a", {"Posterior": -1.0}, 1)]]))
    with pytest.raises(InputError, match="there is no weight for them"):
        decoder.translate(plf([[("a", {"InputFeature0": -1.0}, 1)]]))
