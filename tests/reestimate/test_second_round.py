"""Re-estimated models as models: their training text, another round, and what they cannot leave out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run
from tests.model.jackknife.folded import Folded

from tunesmith.corpus import Alignments
from tunesmith.decode.forced import ForcedOptions, forced_decode
from tunesmith.errors import InputError
from tunesmith.model import Model
from tunesmith.model.extracted import has_extracted_tables
from tunesmith.model.jackknife import FoldModels
from tunesmith.reestimate.baseline import Baseline
from tunesmith.reestimate.reestimation import reestimate
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.list_text import list_text


@pytest.fixture(scope="module")
def tuning(dev: dict[str, Any]) -> dict[str, Any]:
    return {"tune_source": dev["tune_source"], "tune_references": dev["tune_references"]}


@pytest.fixture(scope="module")
def second(model: Path, tuning: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that was re-estimated from a few sentences."""
    folder = tmp_path_factory.mktemp("second") / "model"
    text = {"source": tuning["tune_source"], "target": tuning["tune_references"][0]}
    reestimate(model, folder, **tuning, **text)
    return folder


def test_another_round_translates_the_training_text_of_the_first_model(
    folded: Folded, model: Path, second: Path, tuning: dict[str, Any], tmp_path: Path
) -> None:
    made = reestimate(second, tmp_path / "third", **tuning)
    assert made.used["text_sentences"] == len(folded.lines("de"))
    for each in (second, tmp_path / "third"):
        assert Model.open(each).home == model.resolve()
    assert Baseline.open(second).max_phrase_length == Baseline.open(model).max_phrase_length == 3


def test_lists_of_whole_models_are_made_of_the_training_text(folded: Folded, second: Path) -> None:
    text = list_text(second, None, None, None, ListOptions(jackknife=False))
    assert len(text.rows) == len(set(zip(folded.lines("de"), folded.lines("en"), strict=True)))


def test_no_fold_and_no_sentence_can_be_left_out_of_a_re_estimated_table(
    folded: Folded, model: Path, second: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"has a re-estimated phrase table, .*; only the trained model has"):
        FoldModels.of(second)
    pairs, links = [("das haus", "the house")], Alignments.of([[(0, 0), (1, 1)]])
    with pytest.raises(InputError, match="counts those of one sentence cannot be subtracted; omit leave_one"):
        forced_decode(second, pairs, ForcedOptions(leave_one_out=True), alignments=links)
    opened = Model.open(second)
    assert not has_extracted_tables(opened)
    assert has_extracted_tables(Model.open(model))
    added = replace(opened.anchored(), directory=model, base=str(model.resolve()))  # like an attached model
    assert not has_extracted_tables(added)
    assert has_extracted_tables(replace(Model.open(model).anchored(), base=str(model)))


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (("--method", "forced"), 1, "score pairs by all counts (--no-leave-one-out)"),
        (("--jackknife",), 1, "has a re-estimated phrase table"),
    ],
)
def test_the_command_says_so_before_all_work(
    second: Path, tuning: dict[str, Any], tmp_path: Path, more: tuple[str, ...], code: int, message: str
) -> None:
    (reference,) = tuning["tune_references"]
    texts = ("--tune-source", tuning["tune_source"], "--tune-references", reference)
    done = run("reestimate", second, *texts, "-o", tmp_path / "model", *more)
    assert message in done.stderr
    assert done.returncode == code
    assert not (tmp_path / "model").exists()
