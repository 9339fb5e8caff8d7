"""The demo on a small scale."""

import json

import pytest
from tests.commands import run

from tunesmith.candidates import Pool
from tunesmith.demo import demo_pool
from tunesmith.tuning.method import methods_for


@pytest.mark.slow
def test_the_demo_tunes_with_every_method_and_beats_the_untuned_order() -> None:
    done = run("demo", "--lists", 60, "--size", 15, "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert list(rows) == ["untuned", *methods_for(Pool)]
    assert "generated" in done.stderr
    for method in methods_for(Pool):
        assert rows[method]["dev"] > rows["untuned"]["dev"]
        for lists in ("dev", "test"):
            around = rows[method][f"{lists}_interval"]
            assert around["low"] <= rows[method][lists] <= around["high"]


def test_tuning_lists_and_held_out_lists_are_different_sentences() -> None:
    dev, test = demo_pool(30, size=3), demo_pool(30, size=3, held_out=True)
    assert dev.feature_names == test.feature_names
    assert len(dev.references) == 4
    assert len(set(dev.sources) & set(test.sources)) < 5
