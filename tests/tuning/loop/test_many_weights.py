"""Loops whose weights are too many for JSON, and loops over templates."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tuning.toy_loops import loop
from tests.tuning.toy_systems import ToySystem

from tunesmith.container import container_kind
from tunesmith.decode import open_decoder
from tunesmith.features import PhraseLength
from tunesmith.tuning import tune_model
from tunesmith.tuning.loop import rounds
from tunesmith.weights import Weights, WeightStore


def test_many_weights_are_written_as_containers_and_a_run_resumes_from_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = loop(ToySystem(), tmp_path / "few", "mira", iterations=3)
    monkeypatch.setattr(rounds, "LARGEST_MAPPING", 2)
    loop(ToySystem(), tmp_path / "many", "mira", iterations=2)
    many = loop(ToySystem(), tmp_path / "many", "mira", iterations=3)
    folder = tmp_path / "many" / "tuned"
    assert many.weights == few.weights
    assert many.resumed_after == 2
    assert list(folder.rglob("*weights.json")) == []
    assert container_kind(folder / "weights") == "weights"
    assert WeightStore.open(folder / "weights") == few.weights
    assert WeightStore.open(folder / "weights").about["method"] == "mira"


def test_tuned_weights_record_the_templates_that_they_were_tuned_with(
    small_model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    for side in ("de", "en"):
        lines = (small_corpus / side).read_text().splitlines()[:10]
        (tmp_path / side).write_text("".join(f"{line}\n" for line in lines))
    tune_model(
        small_model,
        tmp_path / "de",
        tmp_path / "en",
        "mira",
        output=tmp_path / "tuned",
        iterations=1,
        nbest=20,
        templates=[PhraseLength()],
        search={"distortion_limit": 3, "pop_limit": 40},
        standardize=True,  # features of phrases and of LMs are of unlike scale
    )
    weights = Weights.read(tmp_path / "tuned" / "weights.json")
    assert any(name.startswith("PhraseLength_") for name in weights)
    assert weights.about["search"] == {"distortion_limit": 3}
    decoder = open_decoder(small_model, tmp_path / "tuned" / "weights.json")
    assert decoder.templates == (PhraseLength(),)
    assert decoder.options.distortion_limit == 3
