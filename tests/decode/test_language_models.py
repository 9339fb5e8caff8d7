"""Language models of words, classes and bilingual tokens: the decoder against the model itself."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import SearchOptions
from tunesmith.errors import InputError
from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.extract.classes import train_classes
from tunesmith.lm import LanguageModel
from tunesmith.lm.estimate import estimate
from tunesmith.model import Model
from tunesmith.model.model import FEATURES_FILE, LanguageModelPart
from tunesmith.model.moses_export import export_moses
from tunesmith.weights import Weights


@pytest.fixture(scope="module")
def texts(small_corpus: Path) -> list[str]:
    lines = (small_corpus / "de").read_text().splitlines()[:25]
    return [
        "",
        "unseenword",
        "unseenword , otherword unseenword",
        *lines,
        f"{lines[0]} unseenword {lines[1]}",
    ]


@pytest.fixture(scope="module")
def class_model(small_model: Path, small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The small model with a language model of target classes, too."""
    folder = tmp_path_factory.mktemp("classes") / "model"
    shutil.copytree(small_model, folder)
    target = Sentences.read(small_corpus / "en")
    classes = train_classes(target, 12)
    classes.write(folder / "classes.txt")
    in_classes = [
        " ".join(str(classes[word]) for word in line.split()) for line in lines(small_corpus / "en")
    ]
    estimate(Sentences.of(in_classes), order=4, discount_fallback=True).write_binary(folder / "classes.bin")
    model = Model.open(folder)
    part = LanguageModelPart("ClassLM0", 4, None, "classes.bin", classes="classes.txt")
    weights = Weights({**model.weights, "ClassLM0": 0.3})
    changed = dataclasses.replace(model, language_models=(*model.language_models, part), weights=weights)
    changed.write()
    return Model.read(folder)


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_the_feature_of_a_word_model_is_the_score_of_the_text(small_model: Path, texts: list[str]):
    decoder = PhraseDecoder.open(small_model)
    model = decoder.model.language_model(0)
    for found in decoder.translate_all(texts):
        assert found.features["LM0"] == pytest.approx(model.score(found.text), abs=1e-3)


def test_kenlm_gives_the_translations_the_same_score(
    small_model: Path, small_corpus: Path, texts: list[str], tmp_path: Path
):
    kenlm = pytest.importorskip("kenlm")
    arpa = tmp_path / "lm.arpa"
    estimate(small_corpus / "en", order=3, discount_fallback=True).write_arpa(arpa)
    peer = kenlm.Model(str(arpa))
    decoder = PhraseDecoder.open(small_model)
    for found in decoder.translate_all(texts):
        log10 = peer.score(found.text, bos=True, eos=True)
        assert found.features["LM0"] == pytest.approx(2.302585092994046 * log10, abs=1e-3)


def test_a_word_goes_by_its_class_in_a_model_of_classes(class_model: Model, texts: list[str]):
    decoder = PhraseDecoder(class_model)
    by_class, plain = class_model.language_model(2), LanguageModel.open(class_model.directory / "classes.bin")
    of = dict(line.split("\t") for line in lines(class_model.directory / "classes.txt"))
    for found in decoder.translate_all(texts):
        in_classes = " ".join(of.get(word, "<unk>") for word in found.text.split())
        assert found.features["ClassLM0"] == pytest.approx(by_class.score(found.text), abs=1e-3)
        assert found.features["ClassLM0"] == pytest.approx(plain.score(in_classes), abs=1e-3)


@pytest.mark.parametrize("unknown", ["pass", "drop"])
def test_the_bilingual_feature_is_the_score_of_the_bilingual_tokens(
    small_model: Path, texts: list[str], unknown: str
):
    decoder = PhraseDecoder.open(small_model, options=SearchOptions(unknown_words=unknown))
    model = decoder.model.language_model(1)
    matched = 0
    for text, found in zip(texts, decoder.translate_all(texts), strict=True):
        bitext = Bitext(Sentences.of([text]), Sentences.of([found.text]))
        tokens = bilingual_tokens(bitext, Alignments.of([found.alignment]))[0]
        assert found.features["BilingualLM0"] == pytest.approx(model.score(tokens), abs=1e-3)
        matched += sum(word.order == 3 for word in model.full_scores(tokens))
    assert matched > 50


def test_bilingual_tokens_of_several_tables_are_told_apart(small_model: Path, texts: list[str]):
    model = Model.open(small_model)
    second = dataclasses.replace(model.phrase_tables[0], name="TranslationModel1")
    twice = dataclasses.replace(model, phrase_tables=(*model.phrase_tables, second))
    weights = {**model.weights, **{f"TranslationModel1_{i}": 0.2 for i in range(4)}}
    for text, found in zip(texts, PhraseDecoder(twice, weights).translate_all(texts), strict=True):
        bitext = Bitext(Sentences.of([text]), Sentences.of([found.text]))
        tokens = bilingual_tokens(bitext, Alignments.of([found.alignment]))[0]
        expected = model.language_model(1).score(tokens)
        assert found.features["BilingualLM0"] == pytest.approx(expected, abs=1e-3)


def test_lists_of_parts_without_tokens_are_read_by_name(small_model: Path, tmp_path: Path):
    for name in (FEATURES_FILE, "weights.start.json"):
        shutil.copy(small_model / name, tmp_path)
    record = json.loads((tmp_path / FEATURES_FILE).read_bytes())
    for part in record["language_models"]:
        del part["tokens"], part["classes"]
    (tmp_path / FEATURES_FILE).write_text(json.dumps(record))
    assert Model.read(tmp_path).language_models == Model.read(small_model).language_models
    record["language_models"][0]["tokens"] = "syllables"
    (tmp_path / FEATURES_FILE).write_text(json.dumps(record))
    with pytest.raises(InputError, match="LM0 has tokens of no known kind: 'syllables'"):
        Model.read(tmp_path)


def test_moses_has_no_counterpart_of_bilingual_and_class_models(class_model: Model, tmp_path: Path):
    with pytest.raises(InputError, match="no counterpart of BilingualLM0, ClassLM0"):
        export_moses(class_model, tmp_path / "moses")
