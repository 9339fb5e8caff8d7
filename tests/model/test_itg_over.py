"""An ITG over the phrase tables of other models."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tables.toy_tables import write_model

from tunesmith.decode import model_side, open_decoder
from tunesmith.errors import InputError
from tunesmith.extract.glue import itg_grammar
from tunesmith.generated import write_corpus
from tunesmith.model import Model, train
from tunesmith.model.importing import import_model
from tunesmith.model.itg import itg_over
from tunesmith.model.parts.features import ITG_SETTINGS


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    (tmp_path / "moses").mkdir()
    write_model(tmp_path / "moses")
    import_model(tmp_path / "moses" / "moses.ini", tmp_path / "phrases")
    return tmp_path / "phrases"


def test_an_imported_phrase_table_is_used_as_it_is(imported: Path, tmp_path: Path) -> None:
    itg_over(imported, tmp_path / "itg")
    phrases, itg = Model.open(imported), Model.open(tmp_path / "itg", verify=True)
    assert itg.decoder_kind == "chart"
    assert list(itg.phrase_table()) == list(phrases.phrase_table())
    assert itg.language_model().order == phrases.language_model().order
    assert itg.rule_source() == tmp_path / "itg" / "itg.grammar"
    assert itg.rule_source().read_text() == itg_grammar()
    assert itg.reordering == ()
    assert "Distortion" not in itg.penalties.values()
    gone = {name for name in phrases.weights if name.startswith(("LR0", "Distortion"))}
    assert gone
    assert set(itg.weights) == set(phrases.weights) - gone | {"Straight0", "Inverted0"}
    assert all(itg.weights[name] == phrases.weights[name] for name in set(phrases.weights) - gone)
    assert itg.settings == ITG_SETTINGS


def test_an_itg_makes_fewer_hypotheses_per_cell_by_default(imported: Path, tmp_path: Path) -> None:
    itg_over(imported, tmp_path / "itg")
    limits = [
        open_decoder(model, options=given).options.pop_limit
        for model in (tmp_path / "itg", imported)
        for given in (None, {"table_limit": 5}, {"pop_limit": 70})
    ]
    assert limits == [50, 50, 70, 200, 200, 70]


def test_a_trained_phrase_model_has_the_features_of_a_trained_itg(tmp_path: Path) -> None:
    files = write_corpus(tmp_path / "text", 40, lowercase=True)
    for kind in ("phrase", "itg"):
        train(files.source, files.targets[0], tmp_path / kind, kind=kind, lm_order=2)
    itg_over(tmp_path / "phrase", tmp_path / "over", form="plain")
    over, itself = Model.open(tmp_path / "over"), Model.open(tmp_path / "itg")
    assert dict(over.weights) == dict(itself.weights) | {"WordPenalty0": -1.0}  # the phrase model's
    assert itself.weights["Inverted0"] < itself.weights["Straight0"] == 0
    assert (over.penalties, over.rules, over.settings) == (itself.penalties, itself.rules, itself.settings)
    assert over.rule_source().read_text() == itg_grammar("plain")


def test_the_recaser_of_the_phrase_model_is_used_while_it_is_the_recorded_one(tmp_path: Path) -> None:
    files = write_corpus(tmp_path / "text", 40)
    options = {"source_language": "de", "target_language": "en", "case": "lower", "lm_order": 2}
    train(files.source, files.targets[0], tmp_path / "phrase", tokenize="moses", **options)
    itg_over(tmp_path / "phrase", tmp_path / "over")
    side = model_side(tmp_path / "over", "target")
    assert side.recaser == model_side(tmp_path / "phrase", "target").recaser is not None
    (tmp_path / "phrase" / "recaser.target.txt").write_text("another")
    with pytest.raises(
        InputError, match=r"recaser.target.txt: is not the file that the model .* was made of"
    ):
        model_side(tmp_path / "over", "target")


def test_a_second_call_does_nothing_and_another_form_writes_anew(imported: Path, tmp_path: Path) -> None:
    itg_over(imported, tmp_path / "itg")
    assert all(step.skipped for step in itg_over(imported, tmp_path / "itg").steps)
    assert not any(step.skipped for step in itg_over(imported, tmp_path / "itg", form="plain").steps)
    assert (tmp_path / "itg" / "itg.grammar").read_text() == itg_grammar("plain")


def test_models_without_phrases_or_with_rules_are_refused(tmp_path: Path) -> None:
    files = write_corpus(tmp_path / "text", 20, lowercase=True)
    for kind, message in (("hiero", "has no phrase table"), ("itg", "already has rules")):
        train(files.source, files.targets[0], tmp_path / kind, kind=kind, lm_order=2)
        with pytest.raises(InputError, match=message):
            itg_over(tmp_path / kind, tmp_path / "over")
    assert not (tmp_path / "over").exists()
