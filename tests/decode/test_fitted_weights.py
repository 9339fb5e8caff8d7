"""Weights whose names no feature can have are reported, and Moses' names are those of its features."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from tests.commands import run
from tests.decode.tiny import INI, write_random_lm

from tunesmith.decode.opening import open_decoder
from tunesmith.errors import InputError, UnusedWeightWarning
from tunesmith.features import ContextPairs, SparseReordering, TargetBigrams, WordDeletion
from tunesmith.model.importing import import_model
from tunesmith.systems.model import ModelSystem
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.weights import Weights, WeightStore

FEATURES = """TargetBigramFeature name=TB factor=0 path=*
WordTranslationFeature name=WT simple=1 source-context=0 target-context=0
PhraseLengthFeature name=PL
SourceWordDeletionFeature name=SWD path=deleted"""
PHRASES = {"der": "the", "a_b": "c_d", "weg": "~", "haus .": "house ."}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import random

    folder = tmp_path_factory.mktemp("moses")
    rows = (f"{s} ||| {t} ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 1 1 1 |||\n" for s, t in PHRASES.items())
    (folder / "phrases").write_text("".join(rows))
    (folder / "deleted").write_text(".\nOTHER\n")
    write_random_lm(folder / "lm.arpa", random.Random(1), 30)
    (folder / "moses.ini").write_text(INI.format(features=FEATURES, weights=""))
    import_model(folder / "moses.ini", folder / "model")
    return folder / "model"


def test_names_of_moses_are_those_of_the_features_with_or_without_the_name_of_their_section(model: Path):
    own = open_decoder(model).weights
    moses = {"WT_der~the": 0.5, "PL_2,2": 0.25, "TB_<s>:the": -1.0, "a_b~c_d": 2.0, "SWD_OTHER": 0.1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        decoder = open_decoder(model, {**own, **moses})
    ours = {"WT_der_the": 0.5, "PL_2x2": 0.25, "TB_<s>_the": -1.0, "WT_a%5Fb_c%5Fd": 2.0, "SWD_OTHER": 0.1}
    assert {name: value for name, value in decoder.weights.items() if name not in own} == ours
    plain = open_decoder(model, {**own, **ours})
    for text in ("der a_b haus .", "weg der"):
        found, expected = decoder.translate(text), plain.translate(text)
        assert (found.score, found.features) == (expected.score, expected.features)
    assert found.score != open_decoder(model).translate(text).score


def test_weights_that_no_feature_of_a_template_can_have_are_counted_and_named(model: Path):
    own = open_decoder(model).weights
    wrong = {"SWD_der": 1.0, "PL_9x9x9": 1.0, "TB_a": 1.0, "TB_a_b_c": 1.0, "WT_X1_x": 1.0}
    message = (
        r"^5 weights have no effect, because no feature of the model's templates can have such a name:"
        r" 'SWD_der', 'PL_9x9x9', 'TB_a', \.\.\.$"
    )
    with pytest.warns(UnusedWeightWarning, match=message):
        decoder = open_decoder(model, {**own, **wrong, "TB_a_b": 1.0})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        decoder.weights = {**own, **wrong}  # reported once
    with pytest.raises(InputError, match="'WTT_der_the' is of no feature of this model"):
        open_decoder(model, {**own, "WTT_der_the": 1.0})
    with pytest.warns(UnusedWeightWarning, match="^1 weight has no effect"):
        open_decoder(model, WeightStore.of({**own, "TB_a": 1.0}))


def test_two_names_of_one_feature_are_refused(model: Path):
    own = open_decoder(model).weights
    with pytest.raises(InputError, match="two weights of one feature: 'WT_der_the' and 'WT_der~the'"):
        open_decoder(model, {**own, "WT_der_the": 1.0, "WT_der~the": 2.0})


def test_lists_say_which_words_have_features(model: Path):
    deletion = WordDeletion(name="SWD", top=9)
    with (model / "unaligned.source.txt").open() as stream:
        assert stream.read() == ".\nOTHER\n"
    listed = deletion.with_lists(model)
    assert [listed.admits(f"SWD_{part}") for part in (".", "OTHER", "%4FTHER", "der", "._x")] == [
        *(True, True, True, False, False)
    ]
    assert deletion.admits("SWD_der") and not deletion.admits("SWD_a_b")
    assert not TargetBigrams().admits("TargetBigram_</s>_a") and TargetBigrams().admits("TargetBigram_a_</s>")
    assert ContextPairs().admits("ContextPair_a_b_l_<s>") and not ContextPairs().admits("ContextPair_a_b_x_c")
    assert not SparseReordering().admits("SparseReordering_phrase_source_first_w_der_swap")  # has no lists


def test_the_commands_report_them_too(model: Path, tmp_path: Path):
    own = dict(open_decoder(model).weights)
    Weights({**own, "WT_der~the": 3.0, "SWD_der": 1.0}).write(tmp_path / "w.json")
    (tmp_path / "text").write_text("der haus .\n")
    done = run("decode", model, "--input", tmp_path / "text", "--weights", tmp_path / "w.json", "--quiet")
    assert done.returncode == 0
    assert "w.json: 1 weight has no effect" in done.stderr and "'SWD_der'" in done.stderr
    (tmp_path / "moses.txt").write_text("WT_der~the 3\nTB_the:house 1\nSWD_der 1\nLMO 0.5\n")
    done = run("weights", "convert", tmp_path / "moses.txt", tmp_path / "ours.json", "--model", model)
    assert done.returncode == 0
    assert "such a name: 'SWD_der'" in done.stderr and f"because {model} has no such feature" in done.stderr
    assert "'LMO'; did you mean 'LM0'?" in done.stderr
    assert dict(Weights.read(tmp_path / "ours.json")) == {
        "WT_der_the": 3.0,
        "TB_the_house": 1.0,
        "SWD_der": 1.0,
        "LMO": 0.5,
    }


def test_learners_start_from_the_names_of_the_model(model: Path, tmp_path: Path):
    own = open_decoder(model).weights
    given = Weights({**own, "WT_der~the": 3.0})
    expected = {**own, "WT_der_the": 3.0}
    (tmp_path / "text").write_text("der haus .\n")
    assert dict(ModelSystem.open(model, tmp_path / "text").fitted(given)) == expected
    assert dict(ModelSystem.open(model, tmp_path / "text", weights=given).start) == expected
    setup = ModelSetup.of(model, tmp_path / "text", [tmp_path / "text"], start=given)
    assert dict(setup.system.fitted(WeightStore.of(given))) == expected
    plain = WeightStore.of(expected)
    assert setup.system.fitted(plain) is plain


def test_names_on_a_whitelist_that_no_feature_can_have_are_reported(model: Path, tmp_path: Path):
    (tmp_path / "only").write_text("TargetBigram_a_b\t3\nTargetBigram_a\t2\nWordTranslation_a_b_c\t2\n")
    only = TargetBigrams(only=str(tmp_path / "only"))
    with pytest.warns(UnusedWeightWarning, match="'TargetBigram' has 1 names .* 'TargetBigram_a'$"):
        open_decoder(model, templates=[only])
