"""What every recipe must hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.toy_pools import random_pool
from tests.tune.tasks import solve, task_for

from tunesmith.errors import OptionError
from tunesmith.options import option_types
from tunesmith.tune.recipe import RECIPES

POOL = random_pool(17, lists=8)


def wrong_types() -> Iterator[tuple[str, str, Any]]:
    """For each option of each recipe, values that are not of its type."""
    for method, recipe in RECIPES.items():
        for option, kind in option_types(recipe).items():
            for value in ("x!", 2.5, float("inf"), [1]):
                if not (kind in (float, float | None) and value == 2.5) and not (
                    kind is str and value == "x!"
                ):
                    yield method, option, value


@pytest.mark.parametrize(("method", "option", "value"), list(wrong_types()))
def test_an_option_of_the_wrong_type_is_refused_before_anything_is_done(
    method: str, option: str, value: Any
) -> None:
    with pytest.raises(OptionError, match=f"{method}: {option} "):
        RECIPES[method].configure({option: value})


@pytest.mark.parametrize(
    ("method", "option"),
    [(name, option) for name, recipe in RECIPES.items() for option in option_types(recipe)],
)
def test_no_count_is_negative(method: str, option: str) -> None:
    kind = option_types(RECIPES[method])[option]
    if kind not in (int, int | None):
        pytest.skip("it is no count")
    options = {option: -1} | ({"optimizer": "sgd"} if option == "batch" else {})
    with pytest.raises(OptionError, match=option):
        solve(method, task_for(POOL), **options)


@pytest.mark.parametrize("method", list(RECIPES))
def test_a_recipe_that_is_built_directly_checks_its_options_too(method: str) -> None:
    for option, kind in option_types(RECIPES[method]).items():
        if kind in (int, float):
            with pytest.raises(OptionError, match=f"{method}: {option} "):
                RECIPES[method](**{option: "x"})
