"""Derivations of other runs that are counted with those of a run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run
from tests.reestimate.decoded_derivations import used_pairs

from tunesmith.errors import InputError, OptionError
from tunesmith.model import Model
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate.finding import DerivationOptions
from tunesmith.reestimate.forced import ForcedDerivationOptions
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.reestimated_model import Reestimated
from tunesmith.reestimate.reestimation import reestimate

ALONE = ReestimateOptions(table_weight="none")
FORCED = ForcedDerivationOptions(nbest=3)


@pytest.fixture(scope="module")
def texts(dev: dict[str, Any]) -> dict[str, Any]:
    """The training text is translated; its first lines are the tuning text."""
    return {"tune_source": dev["tune_source"], "tune_references": dev["tune_references"]}


@pytest.fixture(scope="module")
def both(
    model: Path, texts: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Path, DerivationOptions]]:
    """Folders of oracles and of forced derivations."""
    made = tmp_path_factory.mktemp("both")
    options: dict[str, DerivationOptions] = {"oracle": OracleOptions(), "forced": FORCED}
    for method, found in options.items():
        folder = made / method
        reestimate(model, made / "model", options=ALONE, derivations=found, derivation_folder=folder, **texts)
    return {method: (made / method, found) for method, found in options.items()}


def together(
    model: Path,
    both: dict[str, tuple[Path, DerivationOptions]],
    texts: dict[str, Any],
    output: Path,
    order: tuple[str, str],
) -> Reestimated:
    (own, found), (other, _) = (both[method] for method in order)
    return reestimate(
        model, output, options=ALONE, derivations=found, derivation_folder=own, added=[other], **texts
    )


def test_uses_of_both_methods_are_counted_in_one_table(
    model: Path, both: dict[str, tuple[Path, DerivationOptions]], texts: dict[str, Any], tmp_path: Path
) -> None:
    counts: dict[Any, float] = {}
    for folder, _ in both.values():
        for path in folder.glob("derivations.[0-9]*"):
            for pair, count in used_pairs(path).items():
                counts[pair] = counts.get(pair, 0) + count
    made = together(model, both, texts, tmp_path / "model", ("oracle", "forced"))
    table = Model.open(tmp_path / "model").phrase_table()
    assert {(pair.source, pair.target): pair.joint_count for pair in table} == counts
    (other,) = made.used["added"]
    assert other["method"] == "forced" and made.used["method"] == "oracle"
    assert made.used["text_sentences"] == 120 >= made.used["sentences"] > 60
    assert other["derivations"] > other["sentences"]


def test_oracles_without_folds_are_counted_beside_forced_derivations(
    model: Path, both: dict[str, tuple[Path, DerivationOptions]], texts: dict[str, Any], tmp_path: Path
) -> None:
    """Without folds, a pair that was seen once serves the sentences of the other folds."""
    folder = tmp_path / "jackknife"
    given = {"derivations": OracleOptions(jackknife=True), "derivation_folder": folder, **texts}
    reestimate(model, tmp_path / "model", options=ALONE, **given)
    counts = {(pair.source, pair.target): pair.joint_count for pair in Model.open(model).phrase_table()}
    alone = {(pair.source, pair.target) for pair in Model.open(tmp_path / "model").phrase_table()}
    assert min(counts[pair] for pair in alone) == 1
    own, found = both["oracle"]
    reestimate(model, tmp_path / "model", options=ALONE, derivations=found, derivation_folder=own, **texts)
    frequent = {(pair.source, pair.target) for pair in Model.open(tmp_path / "model").phrase_table()}
    assert min(counts[pair] for pair in frequent) == 2
    reestimate(model, tmp_path / "model", options=ALONE, added=[both["forced"][0]], **given)
    together = {(pair.source, pair.target) for pair in Model.open(tmp_path / "model").phrase_table()}
    assert together > alone


def test_the_order_of_methods_does_not_matter_and_the_added_ones_are_part_of_the_settings(
    model: Path, both: dict[str, tuple[Path, DerivationOptions]], texts: dict[str, Any], tmp_path: Path
) -> None:
    together(model, both, texts, tmp_path / "one", ("oracle", "forced"))
    together(model, both, texts, tmp_path / "two", ("forced", "oracle"))
    one, two = (
        {(pair.source, pair.target): pair.scores for pair in Model.open(tmp_path / name).phrase_table()}
        for name in ("one", "two")
    )
    assert one == two
    assert all(
        step.skipped
        for step in together(model, both, texts, tmp_path / "one", ("oracle", "forced")).trained.steps
    )
    own, found = both["oracle"]
    reestimate(
        model, tmp_path / "one", options=ALONE, derivations=found, derivation_folder=own, **texts
    )  # without the others, the same folder is counted again
    assert len(Model.open(tmp_path / "one").phrase_table()) < len(two)


def test_derivations_that_do_not_fit_are_refused_before_all_work(
    model: Path, both: dict[str, tuple[Path, DerivationOptions]], texts: dict[str, Any], tmp_path: Path
) -> None:
    folder, found = both["oracle"]
    given = {**texts, "derivations": found, "derivation_folder": folder, "options": ALONE}
    with pytest.raises(OptionError, match="its derivations would count twice"):
        reestimate(model, tmp_path / "model", added=[folder], **given)
    with pytest.raises(InputError, match="is not a store of derivations"):
        reestimate(model, tmp_path / "model", added=[tmp_path], **given)
    weights = dict(Model.open(model).weights) | {"LM0": 0.7}
    other = {**given, "derivation_folder": tmp_path / "found", "decoding": Decoding(weights=weights)}
    with pytest.raises(InputError, match="has derivations by other weights"):
        reestimate(model, tmp_path / "model", added=[both["forced"][0]], **other)
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    with pytest.raises(OptionError, match=r"copy: its derivations would count twice"):
        reestimate(model, tmp_path / "model", added=[copy], **given)
    changed = tmp_path / "changed"
    changed.mkdir()
    for path in both["forced"][0].iterdir():
        (changed / path.name).write_bytes(path.read_bytes())
    record = json.loads((changed / "derivations.json").read_text())
    record["made_by"]["model"] = "another"
    (changed / "derivations.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match=r"has derivations by another model \(forced\)"):
        reestimate(model, tmp_path / "model", added=[changed], **given)
    assert not (tmp_path / "model").exists()


def test_the_command_reports_what_is_counted_as_well(
    model: Path, both: dict[str, tuple[Path, DerivationOptions]], texts: dict[str, Any], tmp_path: Path
) -> None:
    command: list[object] = ["reestimate", model, "--tune-source", texts["tune_source"]]
    command += ["--tune-references", texts["tune_references"][0], "--derivations", both["oracle"][0]]
    done = run(*command, "--add-derivations", both["forced"][0], "-o", tmp_path / "model")
    assert done.returncode == 0, done.stderr
    assert "counted as well: " in done.stderr and "derivations (forced) of" in done.stderr
    assert "sentences with derivations, once per run" in done.stdout
    done = run(*command, "--add-derivations", both["oracle"][0], "-o", tmp_path / "twice")
    assert done.returncode == 2
