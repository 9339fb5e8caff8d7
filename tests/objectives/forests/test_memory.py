"""Forests of a file beyond a limit of memory: learners find the same, to the bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.objectives.forests.margin_forests import rolled_pool

from tunesmith.errors import InputError
from tunesmith.forest import ForestPool, ForestWriter
from tunesmith.forest.store import store_forests
from tunesmith.metrics.bleu import Bleu
from tunesmith.objectives.forests.forest_error import ForestError
from tunesmith.objectives.forests.forest_hope_fear import ForestHopeFear

SENTENCES = 30


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> ForestPool:
    """Return forests of a file."""
    folder, rolled = tmp_path_factory.mktemp("memory"), rolled_pool(6, sentences=SENTENCES)
    with ForestWriter(folder / "forests") as writer:
        for name, forest in zip(rolled.ids, rolled.forests, strict=True):
            writer.add(forest, name)
    (folder / "en").write_text("".join(f"{text}\n" for text in rolled.references[0]))
    return ForestPool.open(folder / "forests", [folder / "en"])


def weights_of(pool: ForestPool) -> np.ndarray:
    return np.random.default_rng(4).standard_normal(len(pool.feature_names))


@pytest.mark.parametrize("threads", [1, 2])
def test_lines_over_forests_that_are_read_again_have_the_same_profile(pool: ForestPool, threads: int) -> None:
    weights = weights_of(pool)
    held = ForestError.build(pool, Bleu(), threads=threads)
    half = ForestError.build(pool, Bleu(), threads=threads, memory=held.store.bytes // 2)
    none = ForestError.build(pool, Bleu(), threads=threads, memory=1)
    assert held.store.bytes_on_disk == 0
    assert 0 < half.store.bytes_on_disk < held.store.bytes
    assert none.store.bytes_on_disk == none.store.bytes == held.store.bytes
    assert held.bytes_per_edge == none.bytes_per_edge > 10
    for axis in range(len(weights)):
        one, *others = (each.along(each.scores(weights), axis) for each in (held, half, none))
        for other in others:
            assert one.thresholds.tolist() == other.thresholds.tolist()
            assert one.gains.tolist() == other.gains.tolist()
    assert held.loss(weights) == half.loss(weights) == none.loss(weights)


@pytest.mark.parametrize("oracle", ["linear", "beam"])
def test_margins_of_forests_on_disk_are_the_same(pool: ForestPool, oracle: str) -> None:
    ends = []
    free = np.full(len(pool.feature_names), np.inf)
    for memory in ("4G", 5000, 1):
        objective = ForestHopeFear.build(pool, Bleu(), oracle=oracle, threads=2, memory=memory)
        at = objective.learn(np.arange(SENTENCES), 0.1, -free, free, objective.begin(weights_of(pool)))
        ends.append((at.weights.tolist(), objective.loss(at.weights), objective.bytes_per_edge))
        left = {"4G": objective.compiled.bytes, 5000: 5000, 1: 0}[memory]
        held = objective.compiled.bytes - objective.compiled.bytes_on_disk
        assert 0 < held <= left if memory == 5000 else held == left
    assert ends[0] == ends[1] == ends[2]


def test_a_file_that_is_damaged_is_told_before_anything_is_learned(pool: ForestPool, tmp_path: Path) -> None:
    path, text = tmp_path / "forests", tmp_path / "en"
    text.write_text("".join(f"{line}\n" for line in pool.references[0]))
    with ForestWriter(path) as writer:
        for forest in pool.forests:
            writer.add(forest)
    at = path.read_bytes()
    opened = ForestPool.open(path, [text])
    with path.open("r+b") as file:  # within the blocks: the header is as it was
        file.seek(len(at) // 3)
        file.write(bytes(byte ^ 255 for byte in at[len(at) // 3 : len(at) // 3 + 64]))
    with pytest.raises(InputError):
        store_forests(opened, memory=1)
