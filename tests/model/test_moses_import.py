"""Models of Moses: imported, exported, and imported again."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.tables.toy_tables import ARPA, INI, as_rows, random_rows, write_model

from tunesmith.errors import InputError
from tunesmith.model.model import LanguageModelPart, Model
from tunesmith.model.moses_export import export_moses
from tunesmith.model.moses_import import import_moses
from tunesmith.tables import PhraseTable
from tunesmith.weights import Weights


@pytest.fixture
def moses(tmp_path: Path) -> Path:
    folder = tmp_path / "moses"
    folder.mkdir()
    write_model(folder)
    return folder


def test_a_model_is_imported_with_its_tables_weights_and_settings(moses: Path, tmp_path: Path) -> None:
    said: list[str] = []
    model = import_moses(moses / "moses.ini", tmp_path / "model", progress=said.append)
    assert [(part.name, part.width, part.table_limit) for part in model.phrase_tables] == [("TM0", 4, 7)]
    assert [(part.name, part.type, part.columns) for part in model.reordering] == [
        ("LR0", "wbe-msd-bidirectional-fe", (0, 6))
    ]
    assert model.language_models[0].arpa == str((moses / "lm.arpa").resolve())
    assert model.settings == {"distortion_limit": 6, "stack_size": 100}
    assert model.penalties["Distortion0"] == "Distortion"
    assert model.weights["TM0_1"] == 0.1
    table = PhraseTable.open(model.directory / model.phrase_tables[0].path)
    assert set(as_rows(table)) == {("ein mann", "a man"), *random_rows(1, reordering=6)}
    assert table.reordering_models == (("wbe-msd-bidirectional-fe", 6),)
    assert Model.read(tmp_path / "model") == model
    assert any("TM0.phrases" in line for line in said)


def test_what_is_exported_is_imported_as_the_same_model(moses: Path, tmp_path: Path) -> None:
    model = import_moses(moses / "moses.ini", tmp_path / "model")
    ini = export_moses(model, tmp_path / "again")
    again = import_moses(ini, tmp_path / "second")
    for name in ("phrase_tables", "reordering", "language_models", "penalties", "settings"):
        assert getattr(again, name) == getattr(model, name)
    assert dict(again.weights) == dict(model.weights)
    files = [folder / model.phrase_tables[0].path for folder in (tmp_path / "model", tmp_path / "second")]
    assert as_rows(PhraseTable.open(files[0])) == as_rows(PhraseTable.open(files[1]))
    tables = [moses / "phrase-table.gz", tmp_path / "again" / "phrase-table.TM0.gz"]
    assert gzip.decompress(tables[0].read_bytes()) == gzip.decompress(tables[1].read_bytes())


def test_language_models_go_through_the_functions_that_are_given(moses: Path, tmp_path: Path) -> None:
    calls = []

    def compile_lm(arpa: Path, output: Path) -> None:
        calls.append(arpa.name)
        output.write_text("compiled")

    def write_arpa(part: LanguageModelPart, output: Path) -> None:
        assert (tmp_path / "model" / str(part.path)).read_text() == "compiled"
        output.write_bytes(gzip.compress(ARPA.encode()))

    model = import_moses(moses / "moses.ini", tmp_path / "model", compile_lm=compile_lm)
    assert calls == ["lm.arpa"]
    ini = export_moses(model, tmp_path / "again", write_arpa=write_arpa)
    assert "path=LM0.arpa.gz" in ini.read_text()
    assert import_moses(ini, tmp_path / "second").language_models[0].order == 1


def test_tuned_weights_replace_those_of_the_model(moses: Path, tmp_path: Path) -> None:
    model = import_moses(moses / "moses.ini", tmp_path / "model")
    tuned = Weights({name: 0.125 for name in model.weights if name != "UnknownWordPenalty0"})
    again = import_moses(export_moses(model, tmp_path / "again", weights=tuned), tmp_path / "second")
    assert dict(again.weights) == {**tuned, "UnknownWordPenalty0": 1.0}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[distortion-limit]", "[max-chart-span]", "hierarchical model"),
        ("[distortion-limit]\n6", "[search-algorithm]\n3", "hierarchical model"),
        ("[distortion-limit]\n6", "[search-algorithm]\n7", "the search algorithm 7; expected 0, 1 or 3"),
        (
            "[distortion-limit]\n6",
            "[non-terminals]\nNP",
            "the non-terminals 'NP' for unknown words; expected X",
        ),
        (
            "Distortion\n",
            "OpSequenceModel name=Distortion0\n",
            "the feature 'OpSequenceModel' is not supported",
        ),
        ("input-factor=0", "input-factor=1", "factored"),
        ("0 T 0", "0 G 0", "mapping step '0 G 0'"),
        ("path=phrase-table", "path=nowhere", "neither beside the ini"),
        ("path=phrase-table", "", "has no path="),
        ("path=lm.arpa", "path=phrase-table", "is not an ARPA file"),
        ("order=1", "order=one", "order is 'one'"),
        ("[distortion-limit]\n6", "[distortion-limit]\nsix", "distortion-limit is 'six'"),
        ("num-features=6", "", ""),
        ("LR0= 0.3 0.3 0.3 0.3 0.3 0.3", "LR0= 0.3 0.3 0.3 0.3 0.3", "expected 6"),
    ],
)
def test_models_that_cannot_be_imported_are_refused(
    old: str, new: str, message: str, moses: Path, tmp_path: Path
) -> None:
    (moses / "moses.ini").write_text(INI.replace(old, new, 1))
    if not message:
        import_moses(moses / "moses.ini", tmp_path / "model")  # the weights tell the number
        return
    with pytest.raises(InputError) as caught:
        import_moses(moses / "moses.ini", tmp_path / "model")
    assert message in str(caught.value)
    assert not (tmp_path / "model").exists()


def test_weights_that_do_not_fit_the_tables_are_refused(moses: Path, tmp_path: Path) -> None:
    text = INI.replace("num-features=4", "num-features=3").replace("0.2 0.1 0.2 0.1", "0.2 0.1 0.2")
    (moses / "moses.ini").write_text(text)
    with pytest.raises(InputError, match="'TM0' has 3 weights, but its table 4 values"):
        import_moses(moses / "moses.ini", tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_folder_that_is_no_model_is_refused(moses: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no features\.json"):
        Model.read(tmp_path)
    import_moses(moses / "moses.ini", tmp_path / "model")
    path = tmp_path / "model" / "features.json"
    record = json.loads(path.read_text())
    for damage in ({"format": "x"}, {"phrase_tables": [{"name": 1}]}, {"reordering": 5}):
        path.write_text(json.dumps(record | damage))
        with pytest.raises(InputError, match=r"features\.json"):
            Model.read(tmp_path / "model")
    path.write_text("not json")
    with pytest.raises(InputError, match=r"features\.json"):
        Model.read(tmp_path / "model")


def test_the_multi30k_model_of_moses_is_imported(shared_data: Path, tmp_path: Path) -> None:
    model = import_moses(shared_data / "moses" / "moses.mert.ini", tmp_path / "model")
    assert model.settings == {"distortion_limit": 6, "pop_limit": 200, "stack_size": 200}
    assert model.weights["LexicalReordering0_7"] == 0.0019767
    table = PhraseTable.open(tmp_path / "model" / "TranslationModel0.phrases")
    assert len(table) == 112_274
    assert table.reordering_models == (("hier-mslr-bidirectional-fe", 8),)
