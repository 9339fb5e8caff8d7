"""Where the rates per feature of a run begin, if it has any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.tuning.online.toy_online import learned, write_lists

from tunesmith.errors import OptionError
from tunesmith.tuning.online.updates.base import UPDATES


def test_a_start_of_rates_is_refused_by_updates_that_have_none(tmp_path: Path) -> None:
    setup, own = write_lists(tmp_path), {name for name, update in UPDATES.items() if update.has_rates}
    assert own == {"adagrad"}
    for update in UPDATES:
        given: dict[str, Any] = {"update": update, "adaptive": 0.0, "epochs": 1}
        runs = {start: tmp_path / f"{update}.{start}" for start in (0.0, 1.0)}
        usual = learned(setup, runs[1.0], rates_start=1.0, **given)
        if update in own:
            found = learned(setup, runs[0.0], rates_start=0.0, **given)
            assert found.weights.read_bytes() != usual.weights.read_bytes()
            continue
        with pytest.raises(OptionError, match="with adaptive 0 there is one rate for all: omit rates_start"):
            learned(setup, runs[0.0], rates_start=0.0, **given)
        assert not runs[0.0].exists()
