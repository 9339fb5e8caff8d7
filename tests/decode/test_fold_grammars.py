"""Grammars of training sentences without their folds, in one mapped file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run
from tests.decode.test_jackknife import drawn
from tests.model.jackknife.folded import Folded, fold_corpus

from tunesmith.decode import Request, open_decoder
from tunesmith.decode.jackknife import with_fold_grammars
from tunesmith.errors import InputError
from tunesmith.extract.grammar_file import GrammarFile
from tunesmith.model import Model
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import SentenceFolds

ROWS = [3, 50, 7, 90, 20, 55]


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    return fold_corpus(tmp_path_factory.mktemp("folded"), 120, folds=3)


@pytest.fixture(scope="module")
def model(folded: Folded) -> Path:
    return folded.train("hiero", max_rule_span=5)


def requests_of(folded: Folded) -> tuple[list[Request], SentenceFolds]:
    lines = folded.lines("de")
    return [Request(lines[row]) for row in ROWS], SentenceFolds(folded.fold_of()[ROWS])


def test_rules_of_the_file_are_those_that_a_fold_model_extracts(
    folded: Folded, model: Path, tmp_path: Path
) -> None:
    models = FoldModels.of(model, JackknifeOptions(jackknife=True, jackknife_lm=False), threads=1)
    requests, folds = requests_of(folded)
    assert not folds.is_sorted
    named = with_fold_grammars(models, requests, folds, tmp_path / "grammars")
    assert len(GrammarFile.open(tmp_path / "grammars")) == len(ROWS)
    for request, with_rules, fold in zip(requests, named, folds.fold_of.tolist(), strict=True):
        with models.open(fold) as directory:
            extracting = open_decoder(directory).translate(request, forest=True)
            given = open_decoder(directory).translate(with_rules, forest=True)
            whole = open_decoder(model).translate(request, forest=True)
        assert (given.text, given.score) == (extracting.text, extracting.score)
        assert given.forest is not None and extracting.forest is not None and whole.forest is not None
        assert given.forest.edge_count == extracting.forest.edge_count != whole.forest.edge_count


def test_an_index_is_not_opened_for_sentences_that_bring_rules(
    folded: Folded, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = FoldModels.of(model, JackknifeOptions(jackknife=True, jackknife_lm=False), threads=1)
    requests, folds = requests_of(folded)
    named = with_fold_grammars(models, requests, folds, tmp_path / "grammars")
    with models.open(int(folds.fold_of[0])) as directory:
        monkeypatch.setattr(Model, "rule_extractor", lambda *_: pytest.fail("the index was opened"))
        assert open_decoder(directory).translate(named[0]).found


def test_a_file_of_the_same_grammars_is_not_written_again(
    folded: Folded, model: Path, tmp_path: Path
) -> None:
    models = FoldModels.of(model, JackknifeOptions(jackknife=True, jackknife_lm=False), threads=1)
    requests, folds = requests_of(folded)
    path = tmp_path / "grammars"
    first = with_fold_grammars(models, requests, folds, path)
    written = path.stat().st_ino
    assert with_fold_grammars(models, requests, folds, path) == first
    assert path.stat().st_ino == written
    others = SentenceFolds((folds.fold_of + 1) % 3)
    with_fold_grammars(models, requests, others, path)
    assert path.stat().st_ino != written
    path.write_text("damaged")
    assert with_fold_grammars(models, requests, folds, path) == first


def test_commands_extract_once_and_decode_from_the_file(folded: Folded, model: Path, tmp_path: Path) -> None:
    drawn(folded, tmp_path, ROWS)
    shared = ["--jackknife", "--fold-file", "folds"]
    extract = ["extract", "grammars", "--model", model, "--input", "de", "-o", "grammars", "-q"]
    extracted = run(*extract, *shared, folder=tmp_path)
    assert extracted.returncode == 0, extracted.stderr
    assert '<seg id="0" grammar="grammars#' in extracted.stdout
    (tmp_path / "sgm").write_text(extracted.stdout)
    outputs = []
    for name in ("de", "sgm"):
        decode = ["decode", model, "-i", name, "-o", "out", *shared, "--no-jackknife-lm", "--threads", "1"]
        done = run(*decode, folder=tmp_path)
        assert done.returncode == 0, done.stderr
        outputs.append((tmp_path / "out").read_text())
    assert outputs[0] == outputs[1]
    mapped = run(*extract, "--mapped", folder=tmp_path)  # of the whole text
    assert mapped.stdout.splitlines()[5].startswith('<seg id="5" grammar="grammars#5">')
    (tmp_path / "wrong").write_text('<seg grammar="grammars#6">das</seg>\n')
    done = run("decode", model, "-i", "wrong", folder=tmp_path)
    assert done.returncode == 1
    assert "has no grammar 6; it has 6, from 0" in done.stderr


def test_a_number_that_is_not_in_the_file_is_an_error(folded: Folded, model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        open_decoder(model).translate(Request("das", grammar=tmp_path / "none", grammar_number=0))
