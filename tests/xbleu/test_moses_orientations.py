"""Moses' features per orientation, which it has with `sparse-weights`, through the dense form."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.decode.test_templates_moses import (
    assert_sums_of_moses,
    ours_of_reordering,
    sparse_model,  # noqa: F401 - a fixture
)

from tunesmith.decode import PhraseDecoder
from tunesmith.features import SparseReordering
from tunesmith.files import read_lines
from tunesmith.model import Model
from tunesmith.weights import WeightStore
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.reordering import TrainedReordering


@pytest.mark.slow
def test_features_per_orientation_are_those_of_moses(
    shared_data: Path,
    sparse_model: Path,  # noqa: F811
    tmp_path: Path,
):
    data = shared_data / "moses-sparse"
    (own,) = (each for each in Model.open(sparse_model).own_templates() if isinstance(each, SparseReordering))
    assert own.stack == "previous"
    folder = tmp_path / "reordering"
    folder.mkdir()
    for path in sparse_model.glob("*.txt"):
        shutil.copyfile(path, folder / path.name)
    lines = (line.split() for line in read_lines(data / "weights.reordering.gz"))
    weights = {
        f"Oriented_{ours_of_reordering(name.partition('_')[2])}": float(value) for name, value in lines
    }
    TrainedReordering.write(folder, replace(own, name="Oriented"), WeightStore.of(weights), {})
    model = attach(sparse_model, folder, tmp_path / "model").directory
    decoder = PhraseDecoder.open(model)
    assert_sums_of_moses(shared_data, decoder, lambda found, name: found.get(f"Oriented_{name}", 0.0))
