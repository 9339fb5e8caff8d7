"""What every method must hold, be it of lists or of forests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.random_pools import random_pool
from tests.toy_forests import random_forest_pool

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.errors import DegenerateError, OptionError
from tunesmith.metrics import METRICS, Bleu, get_metric
from tunesmith.options import option_types
from tunesmith.tuning.method import METHODS, Method

POSITIVE = ("c", "cooling", "gamma", "precision", "rate", "ratio", "scale", "threshold")


def wrong_types() -> Iterator[tuple[str, str, Any]]:
    """For each option of each method, values that are not of its type; no text option takes any text."""
    for method in METHODS:
        for option, kind in option_types(METHODS[method]).items():
            for value in ("x!", 2.5, float("inf"), float("nan"), [1]):
                if not (kind in (float, float | None) and value == 2.5):
                    yield method, option, value


def options_of(*kinds: object) -> list[tuple[str, str]]:
    """All options of such types, with their methods."""
    return [
        (name, option)
        for name in METHODS
        for option, kind in option_types(METHODS[name]).items()
        if kind in kinds
    ]


@pytest.mark.parametrize(("method", "option", "value"), list(wrong_types()))
def test_an_option_of_the_wrong_type_is_refused_before_anything_is_done(
    method: str, option: str, value: Any
) -> None:
    with pytest.raises(OptionError, match=f"{method}: {option} "):
        METHODS[method].configure({option: value})


@pytest.mark.parametrize(("method", "option"), options_of(int, int | None))
def test_no_count_is_negative(method: str, option: str) -> None:
    with pytest.raises(OptionError, match=f"{method}: {option} "):
        METHODS[method].configure({option: -1})


@pytest.mark.parametrize(("method", "option"), options_of(float, float | None))
def test_scales_and_rates_are_positive(method: str, option: str) -> None:
    if option in POSITIVE:
        for value in (0.0, -1.0):
            with pytest.raises(OptionError, match=f"{method}: {option} "):
                METHODS[method].configure({option: value})


@pytest.mark.parametrize("method", list(METHODS))
def test_a_kind_that_is_built_directly_checks_its_options_too(method: str) -> None:
    for option, kind in option_types(METHODS[method]).items():
        if kind in (int, float):
            with pytest.raises(OptionError, match=f"{method}: {option} "):
                METHODS[method](**{option: "x"})


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_says_what_its_loss_is(method: str) -> None:
    assert METHODS[method].loss != Method.loss


@pytest.mark.parametrize(
    ("method", "refused"),
    [("cobleu", "chrf"), ("forest-risk", "ter"), ("forest-mira", "chrf"), ("cobleu", "bleu(lowercase=true)")],
)
def test_a_metric_that_a_method_cannot_learn_by_is_told_without_data(method: str, refused: str) -> None:
    with pytest.raises(OptionError):
        METHODS[method]().check_metric(get_metric(refused))


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_learns_by_bleu_and_those_of_lists_by_most_metrics(method: str) -> None:
    METHODS[method]().check_metric(get_metric("bleu"))
    if method in ("mert", "mira", "forest-mert"):
        for metric in METRICS:
            METHODS[method]().check_metric(get_metric(metric))


def training_data(method: str) -> Any:
    kind = METHODS[method].learns_from
    return random_pool(11, lists=12) if kind is Pool else random_forest_pool(11, sentences=8)


@pytest.mark.parametrize("method", list(METHODS))
def test_start_weights_that_cannot_be_improved_are_the_result(method: str) -> None:
    data = training_data(method)
    start = {name: 0.1 + 0.3 * number for number, name in enumerate(data.feature_names)}
    fixed: Any = {name: (weight, weight) for name, weight in start.items()}
    result = tune(data, method, Bleu(order=2), start=start, bounds=fixed)
    assert dict(result.weights) == start
    assert result.improved is result.to_dict()["improved"] is False
    assert result.best.loss == result.best.start_loss
    assert result.warnings[0].startswith(f"{method} found nothing better than the start weights")


@pytest.mark.parametrize("method", list(METHODS))
def test_weights_of_zero_are_never_the_result(method: str) -> None:
    data = training_data(method)
    with pytest.raises(DegenerateError, match="did not improve its own objective"):
        tune(data, method, Bleu(order=2), bounds={"*": (0.0, 0.0)})
