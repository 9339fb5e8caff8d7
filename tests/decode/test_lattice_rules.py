"""Rules that are extracted for lattices."""

from __future__ import annotations

import pytest
from tests.decode.lattice_derivations import plf
from tests.decode.sentence_rules import found

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.lattice import Lattice
from tunesmith.decode.settings import ChartOptions
from tunesmith.extract.rule_features import GRAMMAR_FEATURES
from tunesmith.model import Model


def test_a_lattice_of_one_path_is_the_sentence(escaped_model, escaped_sentences):
    plain = [sentence for sentence in escaped_sentences if sentence]
    lattices = [Lattice(plf([[(word, 1.0, 1)] for word in sentence.split()])) for sentence in plain]
    decoder = ChartDecoder(escaped_model)
    assert found(decoder, lattices) == found(decoder, plain)


def test_lattices_find_the_rules_that_a_table_of_all_rules_has(small_index, small_hiero, small_corpus):
    """Features of extracted rules and of tables differ, so the same derivations are compared without them."""
    no_features = {feature.name: 0.0 for feature in GRAMMAR_FEATURES}
    weights = {**Model.open(small_index).weights, **no_features}
    options = ChartOptions(table_limit=0, pop_limit=1000)
    lines = [line.split()[:7] for line in (small_corpus / "de").read_text().splitlines()[:12]]
    lattices = [
        Lattice(plf([[(word, 1.0, 1) for word in words] for words in zip(first, second, strict=False)]))
        for first, second in zip(lines[:6], lines[6:], strict=True)
    ]
    on_demand, of_table = (
        ChartDecoder.open(folder, weights, options).translate_all(lattices)
        for folder in (small_index, small_hiero)
    )
    for one, other in zip(on_demand, of_table, strict=True):
        assert (one.text, one.score) == (other.text, pytest.approx(other.score, rel=1e-5))
