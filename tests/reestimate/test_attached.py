"""Re-estimation of a model to which a trained reordering model is attached."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.model.jackknife.folded import Folded
from tests.xbleu.test_attach import write_trained

from tunesmith.decode.opening import open_decoder
from tunesmith.features.sparse_hrm import SparseHRMBiPhrases
from tunesmith.reestimate.frequent_pairs import frequent_model
from tunesmith.reestimate.oracles import write_oracles
from tunesmith.xbleu.attach import attach


@pytest.fixture(scope="module")
def attached(folded: Folded, model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attached")
    lines = folded.lines("de")[:6]
    trained = write_trained(folder / "reordering", model, SparseHRMBiPhrases(classes=()), lines)
    return attach(model, trained, folder / "model").directory


def test_a_model_without_rare_pairs_scores_pairs_by_words(
    folded: Folded, attached: Path, tmp_path: Path
) -> None:
    whole = open_decoder(attached)
    frequent = frequent_model(whole.model, tmp_path, 2, "whole")
    decoder = type(whole)(frequent, whole.weights, whole.options, whole.templates)
    words = sorted({word for line in folded.lines("de") for word in line.split()})
    source = " ".join([word for word in words if not decoder.translate(word).unknown_words][::3])
    found = decoder.translate(source)
    assert len(source.split()) > 5 and not found.unknown_words
    values = whole.replay(source, [phrase[:3] for phrase in found.derivation])
    assert sum(whole.weights[name] * value for part in values for name, value in part.items()) == (
        pytest.approx(found.score, rel=1e-5)
    )


def test_oracles_of_an_attached_model_are_found(
    folded: Folded, attached: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    text = {"source": dev["tune_source"], "target": dev["tune_references"][0]}
    assert write_oracles(attached, tmp_path / "store", **dev, **text).store.counts.sentences == 12
