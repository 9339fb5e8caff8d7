"""Moses' features per orientation, which it has with `sparse-weights`, through the dense form."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.decode.test_templates_moses import (
    ORIENTATIONS,
    RECOMBINED,
    derivations_of,
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
    sources = read_lines(shared_data / "multi30k.test_2016.de.xz")
    decoder, used, different = PhraseDecoder.open(model), set(), []
    for number, phrases, field, _ in derivations_of(data / "orientation.nbest5.gz"):
        sums = dict.fromkeys(ORIENTATIONS, 0.0)
        for step in decoder.replay(sources[number], phrases):
            for name in ORIENTATIONS:
                sums[name] += step.get(f"Oriented_{name}", 0.0)
        words = field.split()
        for orientation, name in enumerate(ORIENTATIONS):
            label = f"LexicalReordering0_{orientation}="
            expected = float(words[words.index(label) + 1]) if label in words else 0.0
            if sums[name] != pytest.approx(expected, abs=2e-5):
                different.append((number, phrases[2][2]))
            used.update([name] if expected else [])
    assert used == set(ORIENTATIONS)
    assert different == [RECOMBINED[:2]]
