"""Lists and forests are tuned by one call: which methods take which, and what the options are."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import Any

import pytest
from tests.random_pools import random_pool
from tests.toy_forests import random_forest_pool

from tunesmith import tune
from tunesmith.errors import InputError, OptionError
from tunesmith.metrics.bleu import Bleu
from tunesmith.tuning import METHODS, TuneOptions, tune_model
from tunesmith.tuning.loop.options import LoopOptions

LISTS, FORESTS = random_pool(1, lists=20), random_forest_pool(11, sentences=10)


def test_the_default_method_depends_on_the_data() -> None:
    assert tune(LISTS, epochs=1).method == "mira"
    assert tune(FORESTS, metric=Bleu(order=2), scouts=1, turns=1).method == "forest-mert"


@pytest.mark.parametrize(
    ("data", "method", "advice"),
    [
        (LISTS, "forest-mert", "'forest-mert' learns from forests: see `tunesmith tune forests` and"),
        (FORESTS, "mira", "'mira' learns from candidate lists: see `tunesmith tune nbest`, and"),
    ],
)
def test_a_method_of_other_data_is_refused_with_advice(data: Any, method: str, advice: str) -> None:
    for given in (method, METHODS[method]()):
        with pytest.raises(OptionError, match=advice):
            tune(data, given)


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(InputError, match=r"expected a Pool .* or a ForestPool .*, found list"):
        tune([1.0])  # type: ignore[arg-type]


def test_the_keywords_of_the_call_are_the_options_with_their_defaults() -> None:
    keywords = {
        name: each.default
        for name, each in inspect.signature(tune).parameters.items()
        if each.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert keywords == {each.name: each.default for each in fields(TuneOptions)}
    assert {each.name for each in fields(TuneOptions) if "help" not in each.metadata} == {
        "held_out",
        "output",
        "watch",
    }


def test_the_options_of_the_loop_are_keywords_of_its_call_with_the_same_defaults() -> None:
    keywords = {name: each.default for name, each in inspect.signature(tune_model).parameters.items()}
    assert {each.name: each.default for each in fields(LoopOptions)}.items() <= keywords.items()
