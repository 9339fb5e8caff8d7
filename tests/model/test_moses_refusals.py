"""What of a Moses model cannot be imported is named, and left out only on request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tables.toy_tables import INI, write_model

from tunesmith.errors import InputError, OptionError
from tunesmith.features import WordDeletion
from tunesmith.model import Model
from tunesmith.model.importing import import_model
from tunesmith.model.moses_export import export_moses
from tunesmith.model.moses_import import import_moses

SPARSE = "sparse-words-source-top=top80.de sparse-phrase=1 sparse-between=1"


@pytest.fixture
def moses(tmp_path: Path) -> Path:
    folder = tmp_path / "moses"
    folder.mkdir()
    write_model(folder)
    return folder


def with_text(moses: Path, *changes: tuple[str, str], more: str = "") -> Path:
    text = INI
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (moses / "moses.ini").write_text(text + more)
    return moses / "moses.ini"


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ("[monotone-at-punctuation]\ntrue\n", "monotone-at-punctuation"),
        ("[mp]\n1\n", "monotone-at-punctuation"),
        ("[drop-unknown]\nyes\n", "drop-unknown"),
        ("[beam-threshold]\n0.01\n", "beam-threshold"),
        ("[minimum-bayes-risk]\ntrue\n", "minimum-bayes-risk"),
        ("[weight-overwrite]\nLM0= 1\n", "weight-overwrite"),
        ("[decoding-graph-backoff]\n0\n1\n", "decoding-graph-backoff"),
        ("[something-new]\n1\n", "something-new"),
    ],
)
def test_a_section_that_changes_translations_is_refused_by_name(
    section: str, name: str, moses: Path, tmp_path: Path
) -> None:
    ini = with_text(moses, more=section)
    with pytest.raises(InputError, match=rf"(?s){name}: a section; .*name each in ignore: {name}$"):
        import_moses(ini, tmp_path / "model")
    assert not (tmp_path / "model").exists()
    told: list[str] = []
    import_moses(ini, tmp_path / "model", ignore=[name], progress=told.append)
    assert any("left out, as asked" in line and name in line for line in told)


def test_sections_without_effect_are_named_and_not_used(moses: Path, tmp_path: Path) -> None:
    more = (
        "[input-factors]\n0\n[threads]\n4\n[verbose]\n2\n[n-best-list]\nlist\n100\n[mark-unknown]\nfalse\n"
        "[inputtype]\n0\n[early-distortion-cost]\n"
    )
    ini = with_text(moses, ("Distortion\n", "Distortion tuneable=false\n"), more=more)
    told: list[str] = []
    model = import_moses(ini, tmp_path / "model", progress=told.append)
    notes = "\n".join(told)
    assert (
        "not used, without effect on translations: [input-factors], [threads], [verbose], [n-best-list],"
        " [mark-unknown], [inputtype], Distortion0.tuneable" in notes
    )
    assert "without a value, so without effect, as in Moses: [early-distortion-cost]" in notes
    assert "noted in the model; decoding has options and defaults of its own for [stack]" in notes
    assert model.settings == {"distortion_limit": 6, "stack_size": 100}


def test_unknown_features_and_arguments_are_refused_all_at_once(moses: Path, tmp_path: Path) -> None:
    ini = with_text(
        moses,
        ("Distortion\n", "Distortion\nGlobalLexicalModel name=GLM path=x\nDesegModel\n"),
        ("-allff", f"-allff {SPARSE}"),
        ("order=1", "order=1 dub=7"),
    )
    with pytest.raises(InputError) as caught:
        import_moses(ini, tmp_path / "model")
    names = [
        "LR0.sparse-words-source-top",
        "LR0.sparse-phrase",
        "LR0.sparse-between",
        "GLM",
        "DesegModel0",
        "LM0.dub",
    ]
    for name in names:
        assert f"\n  {name}: " in str(caught.value)
    assert str(caught.value).endswith(f"name each in ignore: {' '.join(names)}")
    assert "sparse features of reordering are not supported" in str(caught.value)
    assert "the feature 'GlobalLexicalModel' is not supported" in str(caught.value)
    with pytest.raises(InputError, match=r"name each in ignore: DesegModel0$"):
        import_moses(ini, tmp_path / "model", ignore=["LR0.sparse-*", "GlobalLexicalModel", "dub"])
    model = import_moses(ini, tmp_path / "model", ignore=["LR0.sparse-*", "GLM", "dub", "DesegModel"])
    plain = import_moses(with_text(moses), tmp_path / "plain")
    assert model.record == plain.record
    assert dict(model.weights) == dict(plain.weights)


def test_a_name_to_ignore_that_is_nowhere_refused_is_an_error(moses: Path, tmp_path: Path) -> None:
    ini = with_text(moses, more="[monotone-at-punctuation]\n1\n")
    with pytest.raises(OptionError, match="did you mean 'monotone-at-punctuation'"):
        import_moses(ini, tmp_path / "model", ignore=["monotone-at-punktuation"])
    with pytest.raises(OptionError, match="'LM0'"):
        import_moses(ini, tmp_path / "model", ignore=["monotone-at-punctuation", "LM0"])


def test_what_was_left_out_is_recorded_in_the_model(moses: Path, tmp_path: Path) -> None:
    ini = with_text(moses, ("Distortion\n", "Distortion\nDesegModel name=PL\n"))
    told: list[str] = []
    with pytest.raises(InputError, match="ignore: PL"):
        import_model(ini, tmp_path / "model")
    made = import_model(ini, tmp_path / "model", ignore=["PL"], progress=told.append)
    assert any("left out, as asked; the model translates differently: PL" in line for line in told)
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert manifest["steps"]["import"]["options"] == {"ignored": ["PL"]}
    assert not made.steps[0].skipped
    assert import_model(ini, tmp_path / "model", ignore=["PL"]).steps[0].skipped
    assert Model.open(tmp_path / "model").penalties["Distortion0"] == "Distortion"


def test_features_with_more_values_than_here_are_refused(moses: Path, tmp_path: Path) -> None:
    ini = with_text(moses, ("order=1", "order=1 num-features=2"), ("LM0= 0.5", "LM0= 0.5 -1"))
    with pytest.raises(InputError, match=r"'LM0' .* has 2 values; expected one"):
        import_moses(ini, tmp_path / "model")


def test_an_input_feature_is_imported_and_exported(moses: Path, tmp_path: Path) -> None:
    line = "InputFeature num-features=1 num-input-features=1 real-word-count=0"
    ini = with_text(moses, ("Distortion\n", f"Distortion\n{line}\n"), more="InputFeature0= 0.4\n")
    model = import_moses(ini, tmp_path / "model")
    assert model.penalties["InputFeature0"] == "InputFeature"
    assert model.weights["InputFeature0"] == 0.4
    again = export_moses(model, tmp_path / "again")
    assert import_moses(again, tmp_path / "second").penalties == model.penalties
    with pytest.raises(InputError, match=r"InputFeature0\.real-word-count: expected 0, found 1"):
        wrong = line.replace("count=0", "count=1")
        import_moses(
            with_text(moses, ("Distortion\n", f"Distortion\n{wrong}\n"), more="InputFeature0= 0.4\n"),
            tmp_path / "third",
        )


@pytest.mark.slow
def test_the_sparse_model_of_moses_is_imported_without_what_is_missing(
    shared_data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "moses-sparse"
    folder.mkdir()
    (tmp_path / "moses").symlink_to(shared_data / "moses")
    text = (shared_data / "moses-sparse" / "moses.weighted.ini").read_text()
    (folder / "moses.ini").write_text(text.replace("train.5gram.bin", "train.5gram.arpa.xz"))
    for name in ("weights.sparse.gz", "top150.de", "top150.en"):
        (folder / name).symlink_to(shared_data / "moses-sparse" / name)
    with pytest.raises(InputError) as caught:
        import_moses(folder / "moses.ini", tmp_path / "model")
    arguments = ["words-source-top", "clusters-target-20", "phrase", "stack", "between"]
    assert all(f"\n  LexicalReordering0.sparse-{key}: " in str(caught.value) for key in arguments)
    told: list[str] = []
    ignore = ["LexicalReordering0.sparse-*"]
    model = import_moses(folder / "moses.ini", tmp_path / "model", ignore=ignore, progress=told.append)
    dense = import_moses(shared_data / "moses" / "moses.default.ini", tmp_path / "dense")
    assert dense.weights.items() <= model.weights.items()
    assert model.penalties == dense.penalties
    name = model.phrase_tables[0].path
    assert (tmp_path / "model" / name).read_bytes() == (tmp_path / "dense" / name).read_bytes()
    assert any("1241 weights are of no feature of the model and have no effect" in line for line in told)
    assert any("4249 weights of features of templates" in line for line in told)
    assert {template.name for template in model.own_templates()} == {"TB", "PL", "SWD", "TWI", "WT"}


def test_sparse_features_of_words_are_imported_as_templates(moses: Path, tmp_path: Path) -> None:
    lines = (
        "TargetBigramFeature name=TB factor=0 path=*\nPhraseLengthFeature name=PL\n"
        "SourceWordDeletionFeature name=SWD factor=0 path=top.de\n"
    )
    ini = with_text(moses, ("Distortion\n", f"Distortion\n{lines}"), more="\n[weight-file]\nweights.sparse\n")
    (moses / "weights.sparse").write_text("TB_<s>:: 0.5\nTB_a:b 0.25\nPL_2,1 1\nSWD_das -1\nSWD_OTHER 2\n")
    with pytest.raises(InputError, match=r"the word list 'top.de' of 'SWD' is neither beside the ini nor in"):
        import_model(ini, tmp_path / "model")
    (moses / "top.de").write_text("das\n")
    import_model(ini, tmp_path / "model")
    model = Model.open(tmp_path / "model")
    expected = {"TB_<s>_:": 0.5, "TB_a_b": 0.25, "PL_2x1": 1.0, "SWD_das": -1.0, "SWD_OTHER": 2.0}
    assert {name: value for name, value in model.weights.items() if name in expected} == expected
    deletion = next(each for each in model.own_templates() if isinstance(each, WordDeletion))
    assert deletion.source_label("das") == "das" and deletion.source_label("haus") == "OTHER"
    with pytest.raises(InputError, match="has feature templates"):
        export_moses(model, tmp_path / "again")
    ini = with_text(moses, ("Distortion\n", "Distortion\nTargetBigramFeature name=TB path=words\n"))
    with pytest.raises(InputError, match=r"TB.path: an argument of TargetBigramFeature"):
        import_model(ini, tmp_path / "other")
