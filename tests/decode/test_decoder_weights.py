"""The weights of a decoder, which may be changed while it is open."""

from __future__ import annotations

import math

import pytest
from tests.decode.toy_templates import Made

from tunesmith.decode import PhraseDecoder, Request
from tunesmith.errors import InputError
from tunesmith.model import Model

LINE = "der hund schläft ."


@pytest.fixture
def decoder(small_model) -> PhraseDecoder:
    return PhraseDecoder.open(small_model)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"LM00": 1.0}, "'LM00' is of no feature of this model"),
        ({"LM0": None}, "no weight for the feature 'LM0'; every feature"),
        ({"LM0": float("nan")}, "LM0"),
        ({"LM0": 1e39}, r"the weight 'LM0' is 1e\+39; expected at most 1,000,000 in size"),
        ({"LM0": -1000001}, "the weight 'LM0' is -1000001.0; expected"),
    ],
)
def test_weights_that_are_refused_change_nothing(decoder, change, message):
    weights = decoder.weights
    free = decoder.translate(LINE)
    forced = decoder.translate(Request(LINE, target=free.text))
    refused = {**weights, "WordPenalty0": -9.0, **change}
    with pytest.raises(InputError, match=message):
        decoder.weights = {name: value for name, value in refused.items() if value is not None}
    assert decoder.weights is weights
    assert decoder.translate(LINE).score == free.score
    assert decoder.translate(Request(LINE, target=free.text)).score == forced.score


@pytest.mark.parametrize("size", [1e6, -1e6])
def test_the_largest_weights_and_values_have_finite_scores(small_model, size):
    large = Made(apply=lambda tails, step: (0, {"Made": 1e9}))
    decoder = PhraseDecoder(Model.open(small_model), templates=[large])
    decoder.weights = {**dict.fromkeys(decoder.weights, size), "Made": size}
    found = decoder.translate(LINE)
    assert found.found
    assert math.isfinite(found.score)
