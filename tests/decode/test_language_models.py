"""Language models of words, classes and bilingual tokens: the decoder against the model itself."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest
from tests.decode.derivations import all_derivations, total

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import MOST, SearchOptions
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.bilingual import bilingual_tokens
from tunesmith.lm import LanguageModel
from tunesmith.lm.estimate import estimate
from tunesmith.model import Model, train
from tunesmith.model.exporting import export_model
from tunesmith.model.model import FEATURES_FILE


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
def rich_model(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with language models of words, bilingual tokens and classes."""
    folder = tmp_path_factory.mktemp("rich") / "model"
    sides = small_corpus / "de", small_corpus / "en"
    orders = {"lm_order": 3, "bilingual_lm_order": 3, "classes": (12,), "class_lm_order": 4}
    train(*sides, folder, alignment=small_corpus / "align", max_phrase_length=4, **orders)
    return folder


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_the_feature_of_a_word_model_is_the_score_of_the_text(rich_model: Path, texts: list[str]):
    decoder = PhraseDecoder.open(rich_model)
    model = decoder.model.language_model(0)
    for found in decoder.translate_all(texts):
        assert found.features["LM0"] == pytest.approx(model.score(found.text), abs=1e-3)


def test_kenlm_gives_the_translations_the_same_score(
    rich_model: Path, small_corpus: Path, texts: list[str], tmp_path: Path
):
    kenlm = pytest.importorskip("kenlm")
    arpa = tmp_path / "lm.arpa"
    estimate(small_corpus / "en", order=3, discount_fallback=True).write_arpa(arpa)
    peer = kenlm.Model(str(arpa))
    decoder = PhraseDecoder.open(rich_model)
    for found in decoder.translate_all(texts):
        log10 = peer.score(found.text, bos=True, eos=True)
        assert found.features["LM0"] == pytest.approx(2.302585092994046 * log10, abs=1e-3)


def test_a_word_goes_by_its_class_in_a_model_of_classes(rich_model: Path, texts: list[str]):
    decoder = PhraseDecoder.open(rich_model)
    by_class = decoder.model.language_model(2)
    plain = LanguageModel.open(rich_model / "class-lm.12.bin")
    of = dict(line.split("\t") for line in lines(rich_model / "classes.target.12.txt"))
    matched = 0
    for found in decoder.translate_all(texts):
        in_classes = " ".join(of.get(word, "<unk>") for word in found.text.split())
        assert found.features["ClassLM0"] == pytest.approx(by_class.score(found.text), abs=1e-3)
        assert found.features["ClassLM0"] == pytest.approx(plain.score(in_classes), abs=1e-3)
        matched += sum(word.order == 4 for word in plain.full_scores(in_classes))
    assert matched > 50


@pytest.mark.parametrize("text", ["ihr reist schnell", "unseenword man hat", "es war schade ,"])
def test_recombination_loses_nothing_that_the_models_depend_on(rich_model: Path, text: str):
    options = SearchOptions(pop_limit=0, stack_size=MOST, table_limit=2)
    decoder = PhraseDecoder.open(rich_model, options=options)
    derivations = all_derivations(decoder.translate(text, forest=True).forest)
    assert len(derivations) > 10
    for derivation in derivations:
        alone = total(decoder.replay(text, derivation.phrases))
        assert dict(derivation.features) == pytest.approx(alone, abs=1e-4)


@pytest.mark.parametrize("unknown", ["pass", "drop"])
def test_the_bilingual_feature_is_the_score_of_the_bilingual_tokens(
    rich_model: Path, texts: list[str], unknown: str
):
    decoder = PhraseDecoder.open(rich_model, options=SearchOptions(unknown_words=unknown))
    model = decoder.model.language_model(1)
    matched = 0
    for text, found in zip(texts, decoder.translate_all(texts), strict=True):
        bitext = Bitext(Sentences.of([text]), Sentences.of([found.text]))
        tokens = bilingual_tokens(bitext, Alignments.of([found.alignment]))[0]
        assert found.features["BilingualLM0"] == pytest.approx(model.score(tokens), abs=1e-3)
        matched += sum(word.order == 3 for word in model.full_scores(tokens))
    assert matched > 50


def test_bilingual_tokens_of_several_tables_are_told_apart(rich_model: Path, texts: list[str]):
    model = Model.open(rich_model)
    second = dataclasses.replace(model.phrase_tables[0], name="TranslationModel1")
    twice = dataclasses.replace(model, phrase_tables=(*model.phrase_tables, second))
    weights = {**model.weights, **{f"TranslationModel1_{i}": 0.2 for i in range(4)}}
    for text, found in zip(texts, PhraseDecoder(twice, weights).translate_all(texts), strict=True):
        bitext = Bitext(Sentences.of([text]), Sentences.of([found.text]))
        tokens = bilingual_tokens(bitext, Alignments.of([found.alignment]))[0]
        expected = model.language_model(1).score(tokens)
        assert found.features["BilingualLM0"] == pytest.approx(expected, abs=1e-3)


def test_lists_of_parts_without_tokens_are_read_by_name(rich_model: Path, tmp_path: Path):
    for name in (FEATURES_FILE, "weights.start.json"):
        shutil.copy(rich_model / name, tmp_path)
    record = json.loads((tmp_path / FEATURES_FILE).read_bytes())
    for part in record["language_models"]:
        del part["tokens"], part["classes"]
    (tmp_path / FEATURES_FILE).write_text(json.dumps(record))
    # Such lists had no models of classes.
    assert Model.read(tmp_path).language_models[:2] == Model.read(rich_model).language_models[:2]
    record["language_models"][0]["tokens"] = "syllables"
    (tmp_path / FEATURES_FILE).write_text(json.dumps(record))
    with pytest.raises(InputError, match="tokens cannot be 'syllables'; choose from bilingual, words"):
        Model.read(tmp_path)


def test_moses_has_no_counterpart_of_bilingual_and_class_models(rich_model: Path, tmp_path: Path):
    with pytest.raises(InputError, match="no counterpart of BilingualLM0, ClassLM0"):
        export_model(rich_model, tmp_path / "moses")


def test_a_model_of_classes_needs_classes(small_corpus: Path, tmp_path: Path):
    with pytest.raises(OptionError, match="needs classes: give a number"):
        train(small_corpus / "de", small_corpus / "en", tmp_path / "model", class_lm_order=3)
