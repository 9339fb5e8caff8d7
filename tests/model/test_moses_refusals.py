"""What of a Moses model cannot be imported is named, and left out only on request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tables.toy_tables import INI, write_model

from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.features import SparseReordering, WordDeletion
from tunesmith.model import Model
from tunesmith.model.importing import import_model
from tunesmith.model.moses_export import export_moses
from tunesmith.model.moses_import import import_moses
from tunesmith.weights import Weights

SPARSE = (
    "sparse-words-source-a=top.de sparse-words-source-b=top.de sparse-clusters-target-big=c.en"
    " sparse-phrase=1 sparse-stack=0 sparse-weights=w sparse-new=1"
)


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
        "LR0.sparse-words-source-b",
        "LR0.sparse-stack",
        "LR0.sparse-weights",
        "LR0.sparse-new",
        "GLM",
        "DesegModel0",
        "LM0.dub",
    ]
    for name in names:
        assert f"\n  {name}: " in str(caught.value)
    assert str(caught.value).endswith(f"name each in ignore: {' '.join(names)}")
    for reason in (
        "sparse-words-source-b: expected one list of source words",
        "sparse-stack: expected 1, found 0",
        "sparse-weights: sums of sparse features per orientation are not supported",
        "sparse-new: an unknown sparse feature of reordering",
    ):
        assert reason in str(caught.value)
    assert "the feature 'GlobalLexicalModel' is not supported" in str(caught.value)
    with pytest.raises(InputError, match=r"name each in ignore: DesegModel0$"):
        import_moses(ini, tmp_path / "model", ignore=["LR0.sparse-*", "GlobalLexicalModel", "dub"])
    for name in ("top.de", "c.en"):
        (moses / name).write_text("das 1\n" if name == "c.en" else "das\n")
    model = import_moses(ini, tmp_path / "model", ignore=["LR0.sparse-*", "GLM", "dub", "DesegModel"])
    plain = import_moses(with_text(moses), tmp_path / "plain")
    assert [each["name"] for each in model.templates] == ["sparse-reordering"]  # what can be imported
    assert {**model.record, "templates": []} == {**plain.record, "templates": []}
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
def test_the_sparse_model_of_moses_is_imported_with_all_its_weights(
    shared_data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "moses-sparse"
    folder.mkdir()
    (tmp_path / "moses").symlink_to(shared_data / "moses")
    text = (shared_data / "moses-sparse" / "moses.weighted.ini").read_text()
    (folder / "moses.ini").write_text(text.replace("train.5gram.bin", "train.5gram.arpa.xz"))
    for path in (shared_data / "moses-sparse").iterdir():
        if path.name.startswith(("weights.sparse", "top", "classes")):
            (folder / path.name).symlink_to(path)
    told: list[str] = []
    model = import_moses(folder / "moses.ini", tmp_path / "model", progress=told.append)
    dense = import_moses(shared_data / "moses" / "moses.default.ini", tmp_path / "dense")
    assert dense.weights.items() <= model.weights.items()
    assert model.penalties == dense.penalties
    name = model.phrase_tables[0].path
    assert (tmp_path / "model" / name).read_bytes() == (tmp_path / "dense" / name).read_bytes()
    assert not any("have no effect" in line for line in told)
    assert any("5490 weights of features of templates" in line for line in told)
    names = {template.name for template in model.own_templates()}
    assert names == {"TB", "PL", "SWD", "TWI", "WT", "LexicalReordering0"}
    again = import_moses(export_moses(model, tmp_path / "again"), tmp_path / "second")
    assert again.own_templates() == model.own_templates()
    assert dict(again.weights) == dict(model.weights)
    orientation = (shared_data / "moses-sparse" / "moses.orientation.ini").read_text()
    (folder / "moses.ini").write_text(orientation.replace("train.5gram.bin", "train.5gram.arpa.xz"))
    with pytest.raises(InputError, match=r"name each in ignore: LexicalReordering0.sparse-weights$"):
        import_moses(folder / "moses.ini", tmp_path / "other")


def test_sparse_features_of_reordering_are_imported_as_a_template(moses: Path, tmp_path: Path) -> None:
    lists = (
        "sparse-words-source-top=top.de sparse-clusters-target-20=classes.en sparse-clusters-source-3=c.de"
    )
    ini = with_text(
        moses, ("-allff", f"-allff {lists} sparse-phrase=1 sparse-between=1"), more="\n[weight-file]\nw\n"
    )
    (moses / "top.de").write_text("das\nx-1\n")
    (moses / "classes.en").write_text("the 0\nhouse\t7\n")
    weights = {
        "LR0_phr-src-first-top-x-1-2": ("LR0_phrase_source_first_w_x-1_discontinuous", 0.5),
        "LR0_phr-tgt-last-20-cluster_7-0": ("LR0_phrase_target_last_C20_c7_monotone", 0.25),
        "LR0_btn-src-first-3-cluster_1-2": ("LR0_between_C3_c1_discontinuous", -1.0),
    }
    lines = [f"{name} {value}\n" for name, (_, value) in weights.items()]
    others = (
        "phr-src-first-other-x-0",
        "phr-src-first-top-x-9",
        "phr-src-first-top-x-0",
        "stk-tgt-last-20-cluster_7-0",
    )
    (moses / "w").write_text("".join([*lines, *(f"LR0_{name} 1\n" for name in others)]))
    with pytest.raises(InputError, match=r"the list 'c.de' of 'LR0' is neither beside the ini nor in the"):
        import_model(ini, tmp_path / "model")
    (moses / "c.de").write_text("das eins zwei\n")
    with pytest.raises(InputError, match=r"c.de:1: expected a word and its class, found 'das eins zwei'"):
        import_model(ini, tmp_path / "model")
    (moses / "c.de").write_text("das 1\ndas 2\n")
    with pytest.raises(InputError, match=r"c.de:2: 'das' has a class already"):
        import_model(ini, tmp_path / "model")
    (moses / "c.de").write_text("das 1\n")
    told: list[str] = []
    import_model(ini, tmp_path / "model", progress=told.append)
    model = Model.open(tmp_path / "model")
    assert {name: model.weights[name] for name, _ in weights.values()} == dict(weights.values())
    assert any("4 weights are of no feature of the model" in line for line in told)
    (template,) = model.own_templates()
    assert isinstance(template, SparseReordering)
    assert (template.name, template.model, template.orientations) == ("LR0", "phrase", "msd")
    assert (template.phrase, template.stack, template.between) == (True, "none", True)
    assert template.source_labels is not None and template.target_labels is not None
    assert template.source_labels["das"] == ("w_das", "C3_c1")
    assert template.target_labels["house"] == ("C20_c7",)
    (moses / "moses.ini").write_text(
        ini.read_text().replace("msd-bidirectional", "monotonicity-bidirectional")
    )
    with pytest.raises(InputError, match=r"sparse-phrase: sparse features need orientations msd or mslr"):
        import_model(ini, tmp_path / "other")


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
    again = import_moses(export_moses(model, tmp_path / "again"), tmp_path / "second")
    assert again.own_templates() == model.own_templates()
    assert dict(again.weights) == dict(model.weights)
    for rest, problem in (("a_b_c", "expected two words"), ("a:_b", "that of another pair")):
        wrong = Weights({**model.weights, f"TB_{rest}": 1.0})
        with pytest.raises(InputError, match=f"cannot write the weight of '{rest}' for Moses.*{problem}"):
            export_moses(model, tmp_path / "third", weights=wrong)
    whole = Weights({**model.weights, "TB_a%5Fb_%7E": 1.0})
    exported = export_moses(model, tmp_path / "whole", weights=whole)
    assert "TB_a_b:~ 1.0" in (exported.parent / "weights.sparse").read_text().splitlines()
    assert not (tmp_path / "third").exists()
    ini = with_text(moses, ("Distortion\n", "Distortion\nTargetBigramFeature name=TB path=words\n"))
    with pytest.raises(InputError, match=r"TB.path: an argument of TargetBigramFeature"):
        import_model(ini, tmp_path / "other")


def test_classes_whose_id_is_that_of_a_word_list_keep_their_weights(moses: Path, tmp_path: Path) -> None:
    lists = "sparse-words-source-3=top.de sparse-clusters-source-3=c.de"
    ini = with_text(moses, ("-allff", f"-allff {lists} sparse-phrase=1"), more="\n[weight-file]\nw\n")
    (moses / "top.de").write_text("das\n")
    (moses / "c.de").write_text("das 1\n")
    (moses / "w").write_text("LR0_phr-src-first-3-das-0 0.5\nLR0_phr-src-first-3-cluster_1-0 0.25\n")
    import_model(ini, tmp_path / "model")
    weights = Model.open(tmp_path / "model").weights
    assert weights["LR0_phrase_source_first_w_das_monotone"] == 0.5
    assert weights["LR0_phrase_source_first_C3_c1_monotone"] == 0.25


def test_lists_and_classes_may_have_names_in_place_of_numbers(moses: Path, tmp_path: Path) -> None:
    lists = "sparse-clusters-target-brown=c.en sparse-clusters-source-1=c.de"
    ini = with_text(moses, ("-allff", f"-allff {lists} sparse-phrase=1"), more="\n[weight-file]\nw\n")
    (moses / "c.en").write_text("the DET\nhouse NOUN\n")
    (moses / "c.de").write_text("das 007\n")
    (moses / "w").write_text(
        "LR0_phr-tgt-first-brown-cluster_DET-0 0.5\nLR0_phr-src-last-1-cluster_007-1 0.25\n"
    )
    import_model(ini, tmp_path / "model")
    model = Model.open(tmp_path / "model")
    assert model.weights["LR0_phrase_target_first_C2_cDET_monotone"] == 0.5
    assert model.weights["LR0_phrase_source_last_C1_c007_swap"] == 0.25
    (template,) = model.own_templates()
    assert isinstance(template, SparseReordering)
    assert template.target_labels is not None
    assert template.target_labels["house"] == ("C2_cNOUN",)
    again = import_moses(export_moses(model, tmp_path / "again"), tmp_path / "second")
    assert again.own_templates() == model.own_templates()
    assert dict(again.weights) == dict(model.weights)


def test_the_last_of_repeated_weights_counts_and_is_said(moses: Path, tmp_path: Path) -> None:
    ini = with_text(
        moses,
        ("Distortion\n", "Distortion\nTargetBigramFeature name=TB path=*\n"),
        more="\n[weight-file]\nw\n",
    )
    (moses / "w").write_text("# sparse\nTB_a:b 0.25\nTB_b:c 1\n\nTB_a:b -2\n")
    with pytest.warns(
        TunesmithWarning, match=r"w: the weights of 1 names are repeated, and the last .*: TB_a:b$"
    ):
        import_model(ini, tmp_path / "model")
    weights = Model.open(tmp_path / "model").weights
    assert (weights["TB_a_b"], weights["TB_b_c"]) == (-2.0, 1.0)
    (moses / "w").write_text("TB_a:b 0.25\nTB_a:b x\n")
    with pytest.raises(InputError, match=r"w:2: expected 'name value', found 'TB_a:b x'"):
        import_model(ini, tmp_path / "other")


def test_a_beam_is_said_to_be_unused(moses: Path, tmp_path: Path) -> None:
    ini = with_text(moses, more="[b]\n0.00001\n")
    with pytest.warns(
        TunesmithWarning, match=r"\[beam-threshold\] 0.00001 is not used: .* unless beam_threshold"
    ):
        model = import_moses(ini, tmp_path / "model")
    plain = import_moses(with_text(moses), tmp_path / "plain")
    assert model.record == plain.record


def test_lists_without_a_part_make_no_template(moses: Path, tmp_path: Path) -> None:
    ini = with_text(moses, ("-allff", "-allff sparse-words-source-top=top.de"))
    import_model(ini, tmp_path / "model")
    assert not Model.open(tmp_path / "model").own_templates()
