"""From parallel text to model directories."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tunesmith.cli.main import _build
from tunesmith.corpus import Alignments
from tunesmith.errors import IgnoredInputWarning, InputError, OptionError
from tunesmith.extract import PhraseCounts
from tunesmith.extract.classes import WordClasses
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.generated import generate
from tunesmith.lm import LanguageModel
from tunesmith.model import Model, train
from tunesmith.model.exporting import export_model
from tunesmith.model.importing import import_model
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.kinds import KINDS
from tunesmith.model.manifest import Manifest
from tunesmith.tables import PhraseTable
from tunesmith.weights import Weights

PAIRS = 120


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    pairs = list(generate(PAIRS, seed=4, lowercase=True))
    (folder / "de").write_text("".join(f"{pair.source}\n" for pair in pairs))
    (folder / "en").write_text("".join(f"{pair.target}\n" for pair in pairs))
    (folder / "docs").write_text("".join(f"d{number // 10}\n" for number in range(PAIRS)))
    Alignments.of(pair.alignment for pair in pairs).write(folder / "align")
    return folder


def bytes_of(directory: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in directory.iterdir()
        if path.name not in ("log.jsonl", ".lock")
    }


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_trained_verified_and_opened(corpus, tmp_path, kind):
    train(corpus / "de", corpus / "en", tmp_path / "model", kind=kind, lm_order=3)
    Model.open(tmp_path / "model", verify=True)
    model = Model.open(tmp_path / "model")
    assert LanguageModel.open(model.directory / model.language_models[0].path).order == 3
    for part in model.phrase_tables:
        assert PhraseTable.open(model.directory / part.path).lookup(".")
    for number, part in enumerate(model.rules):
        if part.source == "index":
            assert len(SuffixIndex.open(model.directory / part.path).grammar("."))
        else:
            assert model.rule_source(number) == tmp_path / "model" / part.path
            assert "[S] ||| " in model.rule_source(number).read_text()
    assert model.phrase_tables or model.rules
    assert model.decoder_kind == ("phrase" if kind == "phrase" else "chart")
    assert set(model.weights)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_and_place_do_not_change_a_byte(corpus, tmp_path, kind):
    for name, threads in (("a", 1), ("b", 2)):
        train(corpus / "de", corpus / "en", tmp_path / name, kind=kind, lm_order=3, threads=threads)
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")


def test_memory_does_not_change_a_byte(corpus, tmp_path):
    for name, memory in (("a", "2G"), ("b", "40k")):
        train(corpus / "de", corpus / "en", tmp_path / name, lm_order=3, memory=memory)
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")


def test_a_second_call_does_nothing_and_a_changed_option_what_it_must(corpus, tmp_path):
    def run(**options):
        return {
            report.name
            for report in train(corpus / "de", corpus / "en", tmp_path / "model", lm_order=3, **options).steps
            if not report.skipped
        }

    assert {"corpus", "alignment", "phrase table", "language model"} <= run()
    assert run() == set()
    assert run(threads=1, memory="1G") == set()
    assert run(min_count=2) == {"phrase table"}


def test_a_global_grammar_is_a_table_of_rules(corpus, tmp_path):
    train(corpus / "de", corpus / "en", tmp_path / "model", kind="hiero", grammar="global", lm_order=2)
    model = Model.open(tmp_path / "model")
    assert [part.source for part in model.rules] == ["table", "text"]
    table = model.rule_source()
    assert isinstance(table, RuleTable)
    assert len(table) > PAIRS
    assert table.names == model.rules[0].features


def test_a_given_alignment_is_taken_and_cut_as_the_text_is(corpus, tmp_path):
    options = {"alignment": corpus / "align", "max_length": 10, "lm_order": 2}
    with pytest.warns(IgnoredInputWarning, match="kept 58 of 120 sentence pairs"):
        train(corpus / "de", corpus / "en", tmp_path / "model", **options)
    lines = [(corpus / name).read_text().splitlines() for name in ("de", "en", "align")]
    kept = [row for row in zip(*lines, strict=True) if all(1 <= len(side.split()) <= 10 for side in row[:2])]
    assert 0 < len(kept) < PAIRS
    assert (tmp_path / "model" / "source.txt").read_text().splitlines() == [row[0] for row in kept]
    alignments = Alignments.read(tmp_path / "model" / "alignment.gz")
    assert list(alignments.lines()) == [row[2] for row in kept]


def test_folds_keep_documents_together_and_reach_the_counts(corpus, tmp_path):
    options = {"folds": 3, "documents": corpus / "docs", "lm_order": 2}
    train(corpus / "de", corpus / "en", tmp_path / "model", **options)
    folds = np.loadtxt(tmp_path / "model" / "folds.txt", dtype=int)
    assert set(folds) == {0, 1, 2}
    documents = (corpus / "docs").read_text().split()
    assert len({(name, int(fold)) for name, fold in zip(documents, folds, strict=True)}) == len(
        set(documents)
    )
    assert PhraseCounts.open(tmp_path / "model" / "phrase-counts.bin").folds == 3


@pytest.mark.slow
def test_classes_and_a_bilingual_language_model_are_made_when_asked_for(corpus, tmp_path):
    options = {"classes": (5, 9), "bilingual_lm_order": 2, "lm_order": 2}
    train(corpus / "de", corpus / "en", tmp_path / "model", **options)
    assert WordClasses.read(tmp_path / "model" / "classes.target.9.txt").n_classes == 9
    model = Model.open(tmp_path / "model")
    assert [part.name for part in model.language_models] == ["LM0", "BilingualLM0"]
    assert LanguageModel.open(tmp_path / "model" / "bilingual-lm.bin").order == 2


def test_raw_text_is_tokenized_and_cased(tmp_path):
    for side, line in (("de", "Das Haus, das ich sah."), ("en", "The house, which I saw.")):
        (tmp_path / side).write_text(f"{line}\n" * 4)
    options = {
        "tokenize": "moses",
        "source_language": "de",
        "target_language": "en",
        "case": "lower",
        "lm_order": 2,
    }
    train(tmp_path / "de", tmp_path / "en", tmp_path / "model", **options)
    assert (tmp_path / "model" / "target.txt").read_text().startswith("the house , which i saw .\n")
    assert Model.open(tmp_path / "model").text["case"] == "lower"


def test_a_trained_model_goes_to_moses_and_back(corpus, tmp_path):
    train(corpus / "de", corpus / "en", tmp_path / "model", lm_order=3)
    ini = export_model(tmp_path / "model", tmp_path / "moses")
    import_model(ini, tmp_path / "again")
    first, second = Model.open(tmp_path / "model"), Model.open(tmp_path / "again")
    assert dict(first.weights) == dict(second.weights)
    tables = [PhraseTable.open(m.directory / m.phrase_tables[0].path) for m in (first, second)]
    assert len(tables[0]) == len(tables[1])
    for source in (".", "das", "der mann"):
        found = [sorted(table.lookup(source), key=lambda pair: pair.target) for table in tables]
        for one, two in zip(*found, strict=True):  # Moses' files round scores, and equal ones change places
            assert one.target == two.target
            assert list(one.scores.values()) == pytest.approx(list(two.scores.values()), rel=1e-4)
    line = (corpus / "en").read_text().splitlines()[0]
    scores = [
        LanguageModel.open(m.directory / m.language_models[0].path).score(line) for m in (first, second)
    ]
    assert scores[0] == pytest.approx(scores[1], abs=1e-4)
    Model.open(tmp_path / "again", verify=True)


@pytest.mark.parametrize("kind", ["hiero", "itg"])
def test_models_of_rules_are_not_exported(corpus, tmp_path, kind):
    train(corpus / "de", corpus / "en", tmp_path / "model", kind=kind, lm_order=2, lm_text=corpus / "en")
    with pytest.raises(InputError, match=f"only phrase models are exported; this one is of kind {kind}"):
        export_model(tmp_path / "model", tmp_path / "moses")


@pytest.mark.process
def test_a_killed_training_goes_on(corpus, tmp_path):
    command = ["train", "--source", str(corpus / "de"), "--target", str(corpus / "en"), "--lm-order", "3"]
    program = [sys.executable, "-m", "tunesmith", *command, "-o", str(tmp_path / "model")]
    running = subprocess.Popen(program, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    for line in running.stderr:
        if "lexicon: started" in line:
            running.kill()
            break
    running.communicate()
    done = set(json.loads((tmp_path / "model" / "manifest.json").read_text())["steps"])
    assert "alignment" in done
    trained = train(corpus / "de", corpus / "en", tmp_path / "model", lm_order=3)
    assert {report.name for report in trained.steps if report.skipped} >= {"corpus", "alignment"}
    train(corpus / "de", corpus / "en", tmp_path / "whole", lm_order=3)
    assert bytes_of(tmp_path / "model") == bytes_of(tmp_path / "whole")


def test_sides_of_different_lengths_are_an_error_with_the_line(corpus, tmp_path):
    (tmp_path / "short").write_text("a\n" * (PAIRS - 1))
    with pytest.raises(InputError, match=rf"de:{PAIRS}: "):
        train(corpus / "de", tmp_path / "short", tmp_path / "model")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "frase"}, "did you mean 'phrase'"),
        ({"aligner": "hnm"}, "hmm"),
        ({"reorderings": ()}, "did you mean 'reordering'"),
        ({"reordering": ("hier-msx-bidirectional-fe",)}, "msx"),
        ({"tokenize": "moses"}, "languages of both sides"),
        ({"folds": 1}, "at least 2"),
        ({"memory": "lots"}, "lots"),
        ({"smoothing": "good"}, "good-turing"),
        ({"lm_order": 9}, "lm_order"),
        ({"threads": 0}, "threads"),
        ({"max_phrase_length": 9}, "max_phrase_length"),
        ({"orientation_events": "block"}, "did you mean 'blocks'"),
        ({"kind": "itg", "orientation_events": "moses"}, "orientation_events is an option of phrase models"),
        ({"reordering": "none", "orientation_events": "moses"}, "orientation_events moses is for reordering"),
        (
            {"reordering": "wbe-msd-bidirectional-fe", "orientation_events": "decoder"},
            "orientation_events decoder is for reordering models of phrases or blocks, and there are none",
        ),
        ({"classes": 0}, "classes"),
        ({"lm_prune": 3}, "lm_prune"),
        ({"ratio": 0}, "ratio"),
        ({"kind": "hiero", "smoothing": "good-turing"}, "smoothing is an option of itg and phrase models"),
        ({"kind": "itg", "grammar": "global"}, "grammar is an option of hiero models"),
        ({"kind": "phrase", "itg_form": "plain"}, "itg_form is an option of itg models"),
        ({"kind": "itg", "itg_form": "norm"}, "did you mean 'normal'"),
    ],
)
def test_a_wrong_option_is_refused_before_any_work(corpus, tmp_path, options, message):
    with pytest.raises(OptionError, match=message):
        train(corpus / "de", corpus / "en", tmp_path / "model", **options)
    assert not (tmp_path / "model" / "manifest.json").exists()


def test_orientations_that_were_counted_in_another_way_are_counted_again(corpus, tmp_path):
    options = {"alignment": corpus / "align", "lm_order": 2, "folds": 2}
    given, folder = (corpus / "de", corpus / "en"), tmp_path / "model"
    made = {}
    for events in ("moses", "blocks"):
        again = train(*given, folder, orientation_events=events, **options)
        counted = {"phrase pairs", "phrase table"}
        assert counted <= {report.name for report in again.steps if not report.skipped}
        assert Manifest.read(folder).steps["phrase pairs"].options["orientation_events"] == events
        with FoldModels.of(folder).open(0) as fold:
            tables = [Model.open(each).phrase_table() for each in (folder, fold)]
        made[events] = [[pair.reordering for pair in table] for table in tables]
    skipped = [report.skipped for report in train(*given, folder, **options).steps]
    assert all(skipped)  # blocks are the default
    for moses, blocks in zip(*made.values(), strict=True):
        half = len(moses[0]) // 2
        assert moses != blocks
        assert sum(row[0] for row in moses) == pytest.approx(sum(row[0] for row in blocks))  # backward
        assert sum(row[half] for row in moses) < sum(row[half] for row in blocks)  # more is monotone


@pytest.mark.parametrize("option", ["source", "target", "alignment", "lm_text", "temporary"])
def test_a_missing_file_is_found_before_any_work(corpus, tmp_path, option):
    given = {"source": corpus / "de", "target": corpus / "en"} | {option: tmp_path / "missing"}
    with pytest.raises(InputError, match=r"no such file|does not exist"):
        train(given.pop("source"), given.pop("target"), tmp_path / "model", **given)
    assert not (tmp_path / "model").exists()


def test_options_take_names_of_files_and_single_values(corpus, tmp_path):
    options = {"alignment": str(corpus / "align"), "lm_text": str(corpus / "en"), "classes": 3}
    given = (str(corpus / "de"), str(corpus / "en"), str(tmp_path / "model"))
    train(*given, reordering="none", lm_order=2, **options)
    model = Model.open(str(tmp_path / "model"))
    assert model.reordering == ()
    assert (tmp_path / "model" / "classes.source.3.txt").is_file()


def test_more_text_for_the_language_model_is_prepared_as_the_target_is(tmp_path):
    for side, line in (("de", "Das Haus."), ("en", "The house."), ("more", "Another House, large.")):
        (tmp_path / side).write_text(f"{line}\n" * 3)
    options = {"tokenize": "moses", "source_language": "de", "target_language": "en", "lm_order": 2}
    for case, word in (("lower", "another"), ("true", "Another")):
        more = {"case": case, "lm_text": tmp_path / "more"}
        train(tmp_path / "de", tmp_path / "en", tmp_path / case, **options, **more)
        lm = Model.open(tmp_path / case).language_model()
        assert word in lm and "large" in lm and "House," not in lm


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (lambda links: [*links, "0-0"], rf"a:{PAIRS + 1}: has {PAIRS + 1} lines for {PAIRS} sentence pairs"),
        (lambda links: links[:-1], rf"a:{PAIRS}: has {PAIRS - 1} lines"),
        (lambda links: [*links[:6], "99-3", *links[7:]], "a:7: found the link 99-3"),
    ],
)
def test_an_alignment_that_does_not_fit_is_an_error_with_its_line(corpus, tmp_path, lines, message):
    links = lines((corpus / "align").read_text().splitlines())
    (tmp_path / "a").write_text("".join(f"{line}\n" for line in links))
    with pytest.raises(InputError, match=message):
        train(corpus / "de", corpus / "en", tmp_path / "model", alignment=tmp_path / "a")


def test_tuned_weights_outlive_another_training(corpus, tmp_path):
    train(corpus / "de", corpus / "en", tmp_path / "model", lm_order=2)
    tuned = Weights(dict.fromkeys(Model.open(tmp_path / "model").weights, 0.5))
    tuned.write(tmp_path / "model" / "weights.json")
    train(corpus / "de", corpus / "en", tmp_path / "model", lm_order=2, min_count=2)
    assert dict(Model.open(tmp_path / "model").weights) == dict(tuned)


def test_a_model_with_a_missing_or_cut_file_does_not_open(corpus, tmp_path):
    train(corpus / "de", corpus / "en", tmp_path / "model", lm_order=2)
    (tmp_path / "model" / "lm.bin").write_bytes(b"x")
    with pytest.raises(InputError, match=r"lm\.bin: differs from the manifest"):
        Model.open(tmp_path / "model")
    (tmp_path / "model" / "lm.bin").unlink()
    with pytest.raises(InputError, match=r"lm\.bin: is missing; run the same `tunesmith train` again"):
        Model.open(tmp_path / "model")


def test_an_export_is_refused_before_anything_is_written(corpus, tmp_path):
    train(corpus / "de", corpus / "en", tmp_path / "model", lm_order=2, lm_text=corpus / "en")
    with pytest.raises(InputError, match="not empty"):
        export_model(tmp_path / "model", corpus)
    with pytest.raises(InputError, match="no feature 'foo'"):
        export_model(tmp_path / "model", tmp_path / "moses", weights=Weights({"foo": 1.0}))
    assert not (tmp_path / "moses").exists()
    export_model(tmp_path / "model", tmp_path / "moses")  # a language model whose text is elsewhere
    exported = LanguageModel.open(tmp_path / "moses" / "LM0.arpa.gz")
    assert exported.counts == LanguageModel.open(tmp_path / "model" / "lm.bin").counts


def test_the_command_prints_steps_sizes_and_times(corpus, tmp_path):
    command = ["train", "--source", str(corpus / "de"), "--target", str(corpus / "en"), "--lm-order", "2"]
    run = CliRunner().invoke(_build(), [*command, "--reordering", "none", "-o", str(tmp_path / "model")])
    assert run.exit_code == 0
    assert "phrases.bin" in run.output
    assert "kB" in run.output
    assert Model.open(tmp_path / "model").reordering == ()
