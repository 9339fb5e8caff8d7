"""Which model a trained reordering model is attached to, and where that can go."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.xbleu.test_attach import attached, folded, model, reordering, sentences

from tunesmith.decode.opening import open_decoder
from tunesmith.decode.packing import pack_model
from tunesmith.errors import InputError
from tunesmith.features import TargetBigrams
from tunesmith.model import Model
from tunesmith.passes.decoding import Decoding
from tunesmith.weights import Weights
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_options import ReorderingOptions

__all__ = ["attached", "folded", "model", "reordering", "sentences"]


@pytest.mark.filterwarnings("ignore:the objective on held-out lists does not rise")
def test_another_model_than_that_of_the_lists_needs_weights_of_its_own(
    model: Path, small_model: Path, tmp_path: Path
):
    few = ListOptions(nbest=10, pairs=60)
    store = write_lists(model, tmp_path / "lists", options=few).store
    options = ReorderingOptions(features="local", epochs=1, held_out_lists=5)
    train_reordering(store.path, tmp_path / "reordering", options)
    parts = "TranslationModel0, LM0"
    with pytest.raises(InputError, match=f"is another model than .* has another {parts}, .*; give weights"):
        attach(small_model, tmp_path / "reordering", tmp_path / "other")
    notes: list[str] = []
    own = dict(Model.open(small_model).weights)
    made = attach(
        small_model, tmp_path / "reordering", tmp_path / "other", weights=own, announce=notes.append
    )
    assert len(notes) == 1 and f"has another {parts}" in notes[0]
    assert own.items() <= dict(Model.open(made.directory).weights).items()
    copy = shutil.copytree(model, tmp_path / "copy")
    attach(copy, tmp_path / "reordering", tmp_path / "copied", announce=notes.append)
    assert len(notes) == 1
    retuned = {name: value + 0.5 for name, value in Model.open(copy).weights.items()}
    Weights(retuned).write(copy / "weights.json")
    attach(copy, tmp_path / "reordering", tmp_path / "retuned", announce=notes.append)
    assert len(notes) == 1


@pytest.mark.filterwarnings("ignore:the objective on held-out lists does not rise")
def test_lists_made_with_sparse_weights_that_the_model_lacks_are_named(model: Path, tmp_path: Path):
    few = ListOptions(nbest=10, pairs=60)
    weights = {**Model.open(model).weights, "TargetBigram_the_house": 0.5}
    store = write_lists(
        model, tmp_path / "lists", few, Decoding(weights=weights, templates=[TargetBigrams()])
    ).store
    options = ReorderingOptions(features="local", epochs=1, held_out_lists=5)
    train_reordering(store.path, tmp_path / "reordering", options)
    notes: list[str] = []
    attach(model, tmp_path / "reordering", tmp_path / "model", announce=notes.append)
    assert len(notes) == 1 and "made with other weights of sparse features than" in notes[0]


def test_a_packed_model_has_the_trained_part(attached: Path, sentences: list[str], tmp_path: Path):
    expected = [each.score for each in open_decoder(attached).translate_all(sentences)]
    packed = pack_model(attached, tmp_path / "packed")
    shutil.move(tmp_path / "packed", tmp_path / "moved")
    moved = Model.open(tmp_path / "moved", verify=True)
    assert packed.outside and moved.outside() == {} and moved.base == ""
    assert moved.trained_reordering == Model.open(attached).trained_reordering
    found = [each.score for each in open_decoder(tmp_path / "moved").translate_all(sentences)]
    assert found == expected
