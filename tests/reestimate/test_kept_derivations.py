"""Derivations that are kept: where, for which models, and until when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.commands import run

from tunesmith.errors import OptionError
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.reestimation import reestimate

KEEP = ReestimateOptions(keep_derivations=True)


@pytest.fixture
def given(dev: dict[str, Any]) -> dict[str, Any]:
    """A small text to translate, which is the tuning text, too."""
    source, (target,) = dev["tune_source"], dev["tune_references"]
    return {"source": source, "target": target, "tune_source": source, "tune_references": [target]}


def files_in(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.glob("derivations.[0-9]*")
    }


def test_kept_derivations_stay_when_a_later_run_does_not_ask_for_them(
    model: Path, given: dict[str, Any], tmp_path: Path
) -> None:
    reestimate(model, tmp_path / "model", options=KEEP, **given)
    before = files_in(tmp_path / "model" / "derivations")
    assert before
    reestimate(model, tmp_path / "model", options=ReestimateOptions(relex=True), **given)
    assert files_in(tmp_path / "model" / "derivations") == before
    assert not (tmp_path / "model" / ".derivations").exists()


def test_derivations_of_a_finished_model_are_found_again_to_be_kept(
    model: Path, given: dict[str, Any], tmp_path: Path
) -> None:
    lines: list[str] = []
    reestimate(model, tmp_path / "model", **given, decoding=Decoding(progress=lines.append))
    assert "removed the derivations, which were not to be kept" in lines
    assert not list((tmp_path / "model").glob("*derivations"))
    made = reestimate(model, tmp_path / "model", options=KEEP, **given)
    assert all(step.skipped for step in made.trained.steps)
    assert files_in(tmp_path / "model" / "derivations")


def test_a_restart_decodes_a_finished_model_again(model: Path, given: dict[str, Any], tmp_path: Path) -> None:
    reestimate(model, tmp_path / "model", options=KEEP, **given)
    before = files_in(tmp_path / "model" / "derivations")
    again = OracleOptions(restart=True)
    made = reestimate(model, tmp_path / "model", options=KEEP, derivations=again, **given)
    after = files_in(tmp_path / "model" / "derivations")
    assert [step.name for step in made.trained.steps if not step.skipped] == ["counts"]
    assert {name: data for name, (_, data) in after.items()} == {
        name: data for name, (_, data) in before.items()
    }
    assert all(after[name][0] > before[name][0] for name in before)


def test_models_of_the_same_derivations_share_their_folder(
    model: Path, given: dict[str, Any], tmp_path: Path
) -> None:
    texts = [
        *("--source", given["source"], "--target", given["target"], "--tune-source", given["tune_source"]),
        *("--tune-references", given["tune_references"][0], "--derivations", tmp_path / "shared", "-q"),
    ]
    first = run("reestimate", model, *texts, "--compare", 0, "-o", tmp_path / "first")
    assert (first.returncode, first.stderr) == (0, "")
    before = files_in(tmp_path / "shared")
    more = ("--relex", "--orientations", "derivation", "--nbest-weight", "even")
    second = run("reestimate", model, *texts, *more, "-o", tmp_path / "second")
    assert (second.returncode, second.stderr) == (0, "")
    assert files_in(tmp_path / "shared") == before != {}
    assert not list(tmp_path.glob("*/*derivations"))
    alone = reestimate(model, tmp_path / "alone", **given)
    assert alone.trained.directory.joinpath("phrases.bin").read_bytes() == (
        (tmp_path / "first" / "phrases.bin").read_bytes()
    )
    with pytest.raises(OptionError, match="contains derivations with mu"):
        reestimate(
            model,
            tmp_path / "third",
            derivations=OracleOptions(mu=0.25),
            derivation_folder=tmp_path / "shared",
            **given,
        )
