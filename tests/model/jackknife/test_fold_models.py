"""Models without a fold: what they contain, when they are built, when they are removed."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.model.jackknife.folded import Folded, by_phrases, fold_corpus

from tunesmith.corpus import Sentences
from tunesmith.decode import PhraseDecoder
from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.classes import WordClasses
from tunesmith.features.context_pairs import ContextPairs
from tunesmith.features.word_deletion import WordDeletion
from tunesmith.features.word_insertion import WordInsertion
from tunesmith.lm.estimate import estimate
from tunesmith.model import Model, train
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.parts.word_lists import WORD_LISTS
from tunesmith.tables import PhraseTable
from tunesmith.weights import Weights


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    return fold_corpus(tmp_path_factory.mktemp("folded"), 240, folds=4)


@pytest.fixture(scope="module")
def phrase_model(folded: Folded) -> Path:
    return folded.train("phrase", bilingual_lm_order=2, classes=8, class_lm_order=3, smoothing="kneser-ney")


def test_a_fold_model_is_the_model_of_the_remaining_text(folded: Folded, phrase_model: Path) -> None:
    options = {"bilingual_lm_order": 2, "smoothing": "kneser-ney"}
    again = folded.train("phrase", without=2, **options)
    with FoldModels.of(phrase_model).open(2) as directory:
        model = Model.open(directory, verify=True)
        assert by_phrases(model.phrase_table()) == by_phrases(PhraseTable.open(again / "phrases.bin"))
        for name in ("lm.bin", "bilingual-lm.bin"):
            assert (directory / name).read_bytes() == (again / name).read_bytes(), name
            assert (directory / name).read_bytes() != (phrase_model / name).read_bytes(), name


def test_a_confined_model_has_all_pairs_that_translate_its_fold_and_few_others(
    folded: Folded, phrase_model: Path
) -> None:
    models = FoldModels.of(phrase_model)
    with models.open(2) as directory:
        whole = by_phrases(Model.open(directory).phrase_table())
    with replace(models, confined=True).open(2) as directory:
        assert directory.name == "2.confined"
        own = by_phrases(Model.open(directory, verify=True).phrase_table())
    text = [f" {line} " for line in folded.fold("de", 2)]
    wanted = {pair for pair in whole if any(f" {pair[0]} " in line for line in text)}
    assert wanted <= set(own) < set(whole)
    assert len(set(own) - wanted) < 0.1 * len(whole)
    assert all(own[pair] == whole[pair] for pair in own)
    kept = replace(models, keep=True)
    with kept.open(2):
        pass
    with replace(models, confined=True).open(2) as directory:
        assert directory == kept.directory(2), "a whole model is used where there is one"
    assert kept.directory(2).is_dir()
    shutil.rmtree(kept.directory(2))


def test_classes_are_of_the_whole_text_and_their_model_is_not(folded: Folded, phrase_model: Path) -> None:
    of = WordClasses.read(phrase_model / "classes.target.8.txt")
    lines = [" ".join(str(of[word]) for word in line.split()) for line in folded.remaining("en", 2)]
    # The order in which words are numbered is part of the file.
    vocabulary = Sentences.of([" ".join(map(str, range(8)))]).vocabulary
    expected = folded.folder / "class-lm"
    text = Sentences.of(lines, vocabulary)
    estimate(text, order=3, discount_fallback=True).write_binary(expected)
    with FoldModels.of(phrase_model).open(2) as directory:
        assert Model.open(directory).language_models[2].classes == str(
            (phrase_model / "classes.target.8.txt").resolve()
        )
        assert (directory / "class-lm.8.bin").read_bytes() == expected.read_bytes()


def test_lists_of_words_and_classes_are_those_of_the_whole_text(phrase_model: Path) -> None:
    with FoldModels.of(phrase_model).open(1) as directory:
        for name in (*WORD_LISTS, "classes.source.8.txt", "classes.target.8.txt"):
            assert (directory / name).read_bytes() == (phrase_model / name).read_bytes()
        Model.open(directory, verify=True)


def test_lists_that_the_manifest_does_not_record_are_copied_as_they_are(
    phrase_model: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    shutil.copytree(phrase_model, model, ignore=shutil.ignore_patterns("folds"))
    (model / "classes.source.9.txt").write_text("later\t1\n")  # by hand, as `extract words` writes lists
    with FoldModels.of(model).open(1) as directory:
        assert (directory / "classes.source.9.txt").read_text() == "later\t1\n"


def test_templates_with_lists_are_used_without_a_fold(folded: Folded, phrase_model: Path) -> None:
    templates = [WordInsertion(), WordDeletion(classes=8), ContextPairs()]
    whole = PhraseDecoder.open(phrase_model, templates=templates)
    with FoldDecoders(FoldModels.of(phrase_model), whole).open(1) as decoder:
        assert decoder.templates == whole.templates
        assert decoder.translate(folded.remaining("de", 0)[0]).found


@pytest.mark.parametrize("grammar", ["global", "on-demand"])
def test_rules_are_those_of_the_remaining_text(folded: Folded, grammar: str) -> None:
    # All occurrences: samples are chosen by position, which differs in a shorter text.
    whole = folded.train("hiero", grammar=grammar, max_rule_span=4)
    again = folded.train("hiero", without=1, grammar="global", max_rule_span=4)
    table = Model.open(again).rule_source()
    expected = {(rule.source, rule.target): rule for rule in table}
    with FoldModels.of(whole).open(1) as directory:
        model = Model.open(directory)
        assert (directory / "lm.bin").read_bytes() == (again / "lm.bin").read_bytes()
        if grammar == "global":
            assert {(rule.source, rule.target): rule for rule in model.rule_source()} == expected
            return
        extractor = model.rule_extractor()
        sentences = folded.fold("de", 1)[:5]
        for sentence, rules in zip(sentences, extractor.grammars(sentences), strict=True):
            for rule in rules:
                known = expected[rule.source, rule.target]
                for name in ("MaxLexEgivenF", "MaxLexFgivenE"):
                    assert rule.features[name] == pytest.approx(known.features[name], abs=1e-5), sentence


def test_the_folds_of_an_index_are_read_only_if_they_are_recorded(folded: Folded, tmp_path: Path) -> None:
    whole = folded.train("hiero", grammar="on-demand", max_rule_span=4)
    with FoldModels.of(whole).open(1) as directory:
        shutil.copytree(directory, tmp_path / "model")
        assert Model.open(tmp_path / "model").rules[0].exclude_fold == 1
        path = tmp_path / "model" / "manifest.json"
        manifest = json.loads(path.read_text())
        inputs = manifest["steps"]["features"]["inputs"]
        (label,) = (label for label in inputs if label.endswith(" folds"))
        del inputs[label]
        path.write_text(json.dumps(manifest))
        with pytest.raises(InputError, match="outside of the model and not recorded"):
            Model.open(tmp_path / "model")


def test_an_object_that_is_sent_to_a_process_is_small(phrase_model: Path) -> None:
    models = FoldModels.of(phrase_model, threads=1)
    assert len(models.fold_of_pairs) == 240
    sent = pickle.dumps(models)
    assert len(sent) < 1000
    assert pickle.loads(sent) == models


def test_the_whole_model_is_used_without_a_fold(phrase_model: Path) -> None:
    models = FoldModels.of(phrase_model)
    for fold in (None, -1):
        with models.open(fold) as directory:
            assert directory == phrase_model


def test_fold_models_are_removed_unless_they_are_kept(phrase_model: Path, tmp_path: Path) -> None:
    models = FoldModels.of(phrase_model, JackknifeOptions(jackknife=True, fold_folder=tmp_path / "removed"))
    with models.open(0) as directory:
        assert directory.is_dir()
        with models.open(0) as same:
            assert same == directory
        assert directory.is_dir()
    assert not list((tmp_path / "removed").iterdir())
    options = JackknifeOptions(jackknife=True, keep_fold_tables=True, fold_folder=tmp_path / "kept")
    kept, lines = FoldModels.of(phrase_model, options), []
    for _ in range(2):
        with kept.open(0, lines.append) as directory:
            pass
        assert directory.is_dir()
    built = len(lines)
    with kept.open(0, lines.append):
        assert len(lines) == built
        assert sum("started" in line for line in lines) == 6  # each step once


def test_language_models_may_stay(phrase_model: Path) -> None:
    models = FoldModels.of(phrase_model, JackknifeOptions(jackknife=True, jackknife_lm=False))
    with models.open(0) as directory:
        assert not (directory / "lm.bin").exists()
        assert Model.open(directory).language_models[0].path == str((phrase_model / "lm.bin").resolve())


def test_tuned_weights_are_those_of_the_model(phrase_model: Path) -> None:
    tuned = {**Model.open(phrase_model).weights, "LM0": 0.25}
    try:
        Weights(tuned).write(phrase_model / "weights.json")
        with FoldModels.of(phrase_model, JackknifeOptions(jackknife=True, jackknife_lm=False)).open(
            0
        ) as fold:
            assert Model.open(fold).weights["LM0"] == 0.25
    finally:
        (phrase_model / "weights.json").unlink()


def _open_and_count(models: FoldModels, folder: Path, number: int) -> None:
    def note(line: str) -> None:
        if "started" in line:
            (folder / f"{number}.{len(list(folder.iterdir()))}").touch()

    with models.open(3, note) as directory:
        assert Model.open(directory, verify=True).phrase_table()


@pytest.mark.process
def test_processes_share_what_one_of_them_builds(phrase_model: Path, tmp_path: Path) -> None:
    options = JackknifeOptions(jackknife=True, jackknife_lm=False, fold_folder=tmp_path / "folds")
    models = FoldModels.of(phrase_model, options, threads=1)
    (tmp_path / "notes").mkdir()
    context = multiprocessing.get_context("fork")
    with models.open(3):  # so that neither of the others removes it
        workers = [
            context.Process(target=_open_and_count, args=(models, tmp_path / "notes", number))
            for number in range(2)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert [worker.exitcode for worker in workers] == [0, 0]
        assert models.directory(3).is_dir()
    assert not list((tmp_path / "notes").iterdir())
    assert not list((tmp_path / "folds").iterdir())


def test_a_model_without_folds_is_refused(small_model: Path) -> None:
    with pytest.raises(InputError, match="was not trained with folds"):
        FoldModels.of(small_model)


def test_a_fold_that_does_not_exist_is_refused(phrase_model: Path) -> None:
    models = FoldModels.of(phrase_model)
    with pytest.raises(OptionError, match="there is no fold 4 among 4 folds"), models.open(4):
        pass


def test_further_text_of_the_language_model_must_be_named(folded: Folded, tmp_path: Path) -> None:
    more = tmp_path / "more.en"
    more.write_text("the more text the better .\nand more .\n")
    model = folded.train("phrase", lm_text=(more,), reordering="none")
    with pytest.raises(InputError, match="trained on 1 further texts: name them by lm_text"):
        FoldModels.of(model)
    with pytest.raises(InputError, match="is not the text that LM0 was trained on"):
        FoldModels.of(model, JackknifeOptions(jackknife=True, lm_text=(folded.folder / "en",)))
    again = folded.train("phrase", without=0, lm_text=(more,), reordering="none")
    with FoldModels.of(model, JackknifeOptions(jackknife=True, lm_text=(more,))).open(0) as directory:
        assert (directory / "lm.bin").read_bytes() == (again / "lm.bin").read_bytes()


@pytest.mark.parametrize(
    "option", [{"fold_file": Path("x")}, {"jackknife_lm": False}, {"lm_text": (Path("x"),)}]
)
def test_options_of_jackknifing_need_it(option: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="needs jackknife"):
        JackknifeOptions(**option)


def test_a_pair_that_occurs_once_is_unknown_without_its_fold(folded: Folded, tmp_path: Path) -> None:
    lines = {side: folded.lines(side) for side in ("de", "en", "align")}
    lines["de"][7], lines["en"][7], lines["align"][7] = "xyzzy plugh", "hollow voice", "0-0 1-1"
    for side, text in lines.items():
        (tmp_path / side).write_text("".join(f"{line}\n" for line in text))
    model = tmp_path / "model"
    train(tmp_path / "de", tmp_path / "en", model, alignment=tmp_path / "align", lm_order=3, folds=4)
    fold = int(FoldModels.of(model).fold_of_pairs[7])
    for number in range(4):
        with FoldModels.of(model).open(number) as directory:
            opened = Model.open(directory)
            in_model = number != fold
            assert ("xyzzy" in opened.phrase_table()) is in_model
            assert ("hollow" in opened.language_model()) is in_model


@pytest.mark.slow
def test_a_table_of_5000_pairs_equals_one_extracted_without_the_fold(tmp_path: Path) -> None:
    corpus = fold_corpus(tmp_path, 5000, folds=10)
    options = {"max_phrase_length": 3, "smoothing": "good-turing", "lm_order": 1}
    whole, again = corpus.train("phrase", **options), corpus.train("phrase", without=3, **options)
    with FoldModels.of(whole, JackknifeOptions(jackknife=True, jackknife_lm=False)).open(3) as directory:
        table = by_phrases(PhraseTable.open(directory / "phrases.bin"))
    assert len(table) > 20_000
    assert table == by_phrases(PhraseTable.open(again / "phrases.bin"))
