"""Start weights among the settings of a run."""

from __future__ import annotations

import random

from tunesmith.tuning.loop.start_settings import MOST, start_settings


def test_few_start_weights_are_listed() -> None:
    assert start_settings({"LM0": 0.5, "a": 1.0}) == {"start weight LM0": 0.5, "start weight a": 1.0}


def test_many_start_weights_are_one_setting_that_changes_with_each_of_them() -> None:
    weights = {f"f{number}": number / 7 for number in range(MOST + 1)}
    settings = start_settings(weights)
    assert list(settings) == ["start weights"]
    assert start_settings(dict(weights)) == settings
    chosen = random.Random(1).choice(list(weights))
    assert start_settings({**weights, chosen: weights[chosen] + 1e-12}) != settings
    renamed = {("g" if name == chosen else name): value for name, value in weights.items()}
    assert start_settings(renamed) != settings
