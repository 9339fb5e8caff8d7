"""The weights of a decoder, which may be changed while it is open."""

from __future__ import annotations

import pytest

from tunesmith.decode import PhraseDecoder, Request
from tunesmith.errors import InputError

LINE = "der hund schläft ."


@pytest.fixture
def decoder(small_model) -> PhraseDecoder:
    return PhraseDecoder.open(small_model)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"LM00": 1.0}, "'LM00' is of no feature of this model"),
        ({"LM0": None}, "the feature 'LM0' has no weight"),
        ({"LM0": float("nan")}, "LM0"),
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
