"""Stores of lists: jackknifed, resumed, of other text; and the command."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.commands import run
from tests.decode import tiny
from tests.model.jackknife.folded import Folded, fold_corpus
from tests.xbleu.made_lists import Candidate, made_lists, read_list

from tunesmith.corpus.folds import write_folds
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.metrics import Bleu
from tunesmith.model import Model
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.jackknife.drawing import draw_pairs
from tunesmith.passes.decoding import Decoding
from tunesmith.xbleu import list_text, lists
from tunesmith.xbleu.list_file import ListFile
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists
from tunesmith.xbleu.store import ListStore

SHORT = ListOptions(nbest=5)


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    """The pair of line 2 is also in another fold, that of line 4 in the same."""
    corpus = fold_corpus(tmp_path_factory.mktemp("folded"), 60, folds=3)
    for side in ("de", "en", "align"):
        lines = corpus.lines(side)
        lines[50], lines[4] = lines[2], lines[3]
        (corpus.folder / side).write_text("".join(f"{line}\n" for line in lines))
    return corpus


@pytest.fixture(scope="module")
def model(folded: Folded) -> Path:
    """Fold models are built once, for all tests."""
    model = folded.train("phrase", max_phrase_length=2)
    models = FoldModels.of(model, JackknifeOptions(jackknife=True, keep_fold_tables=True))
    for fold in range(3):
        with models.open(fold):
            pass
    return model


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_text, "PIECE", 8)
    monkeypatch.setattr(lists, "BATCH", 3)


KEPT = Decoding(jackknife=JackknifeOptions(jackknife=True, keep_fold_tables=True))


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def candidates(store: ListStore) -> dict[int, list[Candidate]]:
    """Return the candidates of each row of the text."""
    files = [ListFile.open(path) for path in store.files]
    return {int(row): read_list(file, number) for file in files for number, row in enumerate(file.sentences)}


def test_every_usable_sentence_is_translated_without_its_fold(
    folded: Folded, model: Path, tmp_path: Path
) -> None:
    written = write_lists(model, tmp_path / "store", SHORT, replace(KEPT, threads=2))
    store, folds = written.store, folded.fold_of()
    found = candidates(store)
    assert sorted(found) == [row for row in range(60) if row not in (2, 4, 50)]
    text = store.record["text"]
    assert (text["lines"], text["several_folds"], text["repeated"], text["empty"]) == (60, 2, 1, 0)
    assert written.report.decoded == 57
    models = FoldModels.of(model, KEPT.jackknife)
    sides = [folded.lines(side) for side in ("de", "en")]
    for fold in range(3):
        rows = [row for row in found if folds[row] == fold]
        texts = [[side[row] for row in rows] for side in sides]
        with models.open(fold) as directory:
            file, _ = made_lists(PhraseDecoder.open(directory), *texts, tmp_path / "fold", nbest=5)
        assert [found[row] for row in rows] == [read_list(file, number) for number in range(len(rows))]


def test_files_have_sentences_of_one_fold_and_counts_are_sums(
    folded: Folded, model: Path, tmp_path: Path
) -> None:
    store = write_lists(model, tmp_path / "store", SHORT, KEPT).store
    assert ListStore.open(store.path).record == store.record
    assert store.model == model and store.record["folds"] == {
        str(fold): int((folded.fold_of()[list(candidates(store))] == fold).sum()) for fold in range(3)
    }
    for number, path in enumerate(store.files):
        file = ListFile.open(path)
        assert path.name == f"lists.{number:05}" and len(file) == store.pieces.counts[number].sentences <= 8
        assert set(folded.fold_of()[file.sentences]) == {store.pieces.folds[number]}
    every, counts = list(candidates(store).values()), store.counts
    assert store.sentences == len(every) == 57
    assert counts.candidates == sum(map(len, every))
    scores = [Bleu().sentence_score(np.array([each.statistics for each in one])) for one in every]
    assert counts.first_bleu == pytest.approx(sum(score[0] for score in scores))
    assert counts.oracle_bleu == pytest.approx(sum(score.max() for score in scores))
    assert counts.bytes == sum(path.stat().st_size for path in store.files)
    both = counts.bytes_per_candidate * counts.candidates + counts.bytes_per_event * counts.events
    assert both == pytest.approx(counts.bytes)


def test_confined_fold_models_give_the_same_bytes_and_are_removed(model: Path, tmp_path: Path) -> None:
    """Tables of whole fold models are used where they are; elsewhere, they are made for the fold alone."""
    write_lists(model, tmp_path / "whole", SHORT, KEPT)
    said: list[str] = []
    elsewhere = JackknifeOptions(jackknife=True, fold_folder=tmp_path / "folds")
    for folds, name in ((None, "there"), (elsewhere, "own")):
        write_lists(model, tmp_path / name, SHORT, Decoding(jackknife=folds, progress=said.append))
        assert bytes_of(tmp_path / name) == bytes_of(tmp_path / "whole")
        assert any("table" in line for line in said) is (name == "own")
    assert sorted(path.name for path in (model / "folds").iterdir() if path.is_dir()) == ["0", "1", "2"]
    assert not list((tmp_path / "folds").iterdir())


def test_a_lost_file_is_written_again(model: Path, tmp_path: Path) -> None:
    store = write_lists(model, tmp_path / "store", SHORT, KEPT).store
    whole = bytes_of(store.path)
    store.files[3].unlink()
    with pytest.raises(InputError, match=r"lists.00003: is missing; run the same `tunesmith xbleu lists`"):
        ListStore.open(store.path)
    again = write_lists(model, store.path, SHORT, KEPT)
    assert again.report.resumed == len(store.files) - 1 and 0 < again.report.decoded <= 8
    assert bytes_of(store.path) == whole


def test_a_store_knows_where_its_model_was_moved_when_the_command_is_given_again(
    model: Path, tmp_path: Path
) -> None:
    options = ListOptions(nbest=2, pairs=4)
    write_lists(model, tmp_path / "store", options, KEPT)
    shutil.copytree(model, tmp_path / "moved")
    again = write_lists(tmp_path / "moved", tmp_path / "store", options, KEPT)
    assert again.report.decoded == 0 and again.store.model == tmp_path / "moved"


def test_the_same_weights_in_another_file_leave_the_digest_of_a_store(model: Path, tmp_path: Path) -> None:
    options, output = replace(SHORT, pairs=2, jackknife=False), tmp_path / "store"
    weights = dict(Model.open(model).weights)
    digests = set[str]()
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_text(json.dumps(weights))
        digests.add(write_lists(model, output, options, Decoding(weights=tmp_path / name)).store.digest)
    assert len(digests) == 1


def test_other_options_are_refused_unless_the_store_is_restarted(model: Path, tmp_path: Path) -> None:
    few = ListOptions(nbest=3, pairs=5)
    write_lists(model, tmp_path / "store", few, KEPT)
    before = bytes_of(tmp_path / "store")
    others = {**PhraseDecoder.open(model).weights, "LM0": 0.25}
    for options, changes, message in (
        (ListOptions(nbest=4, pairs=5), {}, "lists with nbest 3, not 4; use the same options"),
        (few, {"search": {"pop_limit": 5}}, "lists with pop_limit 200, not 5"),
        (few, {"weights": others}, "lists with other weights"),
    ):
        with pytest.raises(OptionError, match=message):
            write_lists(model, tmp_path / "store", options, replace(KEPT, **changes))
    assert bytes_of(tmp_path / "store") == before
    anew = ListOptions(nbest=4, pairs=5, restart=True)
    assert write_lists(model, tmp_path / "store", anew, KEPT).store.record["nbest"] == 4
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    with pytest.raises(InputError, match=r"contains 'thesis.tex' but no lists"):
        write_lists(model, tmp_path / "mine", anew, KEPT)
    assert (tmp_path / "mine" / "thesis.tex").exists()


def test_pairs_are_drawn_as_corpus_draw_draws_them(model: Path, tmp_path: Path) -> None:
    drawn = draw_pairs(model, tmp_path / "drawn", 9, max_length=8, seed=3)
    options = ListOptions(nbest=3, pairs=9, max_length=8, seed=3)
    store = write_lists(model, tmp_path / "store", options, KEPT).store
    assert [*candidates(store)] == drawn.rows.tolist()
    assert store.record["text"]["long"] == drawn.counts.long > 0


def test_other_text_is_translated_by_its_folds_or_by_the_whole_model(
    folded: Folded, model: Path, tmp_path: Path
) -> None:
    rows = [3, 57, 20, 41]
    for side in ("de", "en"):
        lines = folded.lines(side)
        (tmp_path / side).write_text("".join(f"{lines[row]}\n" for row in rows))
    write_folds(tmp_path / "folds", folded.fold_of()[rows])
    text = {"source": tmp_path / "de", "target": tmp_path / "en"}
    every = candidates(write_lists(model, tmp_path / "all", SHORT, KEPT).store)
    looked_up = write_lists(model, tmp_path / "own", SHORT, KEPT, **text).store
    assert candidates(looked_up) == {number: every[row] for number, row in enumerate(rows)}
    given = JackknifeOptions(jackknife=True, keep_fold_tables=True, fold_file=tmp_path / "folds")
    by_file = write_lists(model, tmp_path / "given", SHORT, Decoding(jackknife=given), **text).store
    assert candidates(by_file) == candidates(looked_up)
    whole = write_lists(model, tmp_path / "whole", options=ListOptions(5, jackknife=False), **text).store
    assert whole.record["folds"] == {"-1": 4}
    assert whole.counts.first_bleu > looked_up.counts.first_bleu, "it knows these sentences"
    with (tmp_path / "de").open("a") as source, (tmp_path / "en").open("a") as target:
        source.write("nobody wrote this\n")
        target.write("nobody did\n")
    with pytest.warns(TunesmithWarning, match="1 of 5 sentences are not in the training text"):
        mixed = write_lists(model, tmp_path / "mixed", SHORT, KEPT, **text).store
    assert mixed.record["folds"]["-1"] == 1
    with pytest.raises(OptionError, match="give both source and target"):
        write_lists(model, tmp_path / "half", SHORT, KEPT, source=tmp_path / "de")
    with pytest.raises(OptionError, match="fold_file is about other text"):
        write_lists(model, tmp_path / "half", SHORT, Decoding(jackknife=given))


def test_models_without_folds_and_of_rules_are_refused(
    folded: Folded, small_model: Path, small_hiero: Path, tmp_path: Path
) -> None:
    done = run("xbleu", "lists", small_model, "-o", tmp_path / "store")
    assert done.returncode == 2 and "`tunesmith train --folds 10`" in done.stderr
    assert "--no-jackknife" in done.stderr and not (tmp_path / "store").exists()
    with pytest.raises(OptionError, match="with the whole model by jackknife=False"):
        write_lists(small_model, tmp_path / "store")
    done = run("xbleu", "lists", small_hiero, "-o", tmp_path / "store", "--no-jackknife")
    assert done.returncode == 1 and "expected a phrase-based one" in done.stderr
    whole = run("xbleu", "lists", small_model, "-o", tmp_path / "store", "--no-jackknife", "--pairs", 5)
    assert whole.returncode == 0 and "5 lists of 5 sentence pairs" in whole.stderr
    imported = tiny.write_model(tmp_path / "moses", seed=5)
    done = run("xbleu", "lists", imported, "-o", tmp_path / "other", "--no-jackknife")
    assert done.returncode == 1
    assert (
        "has no training text, as imported models do not; name a text by --source and --target" in done.stderr
    )
    done = run(
        "xbleu", "lists", small_model, "-o", tmp_path / "other", "--no-jackknife", "--keep-fold-tables"
    )
    assert done.returncode == 2
    assert "--keep-fold-tables is for folds, and --no-jackknife leaves none out" in done.stderr


def test_the_command_reports_what_it_wrote(model: Path, tmp_path: Path) -> None:
    command = ("xbleu", "lists", model, "-o", tmp_path / "store", "--nbest", 4, "--keep-fold-tables")
    done = run(*command, "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["lists"] == 57 and found["several_folds"] == 2 and found["decoded"] == 57
    assert found["lines"] == 60 and found["repeated"] == 1
    assert found["bytes_per_candidate"] <= 40
    assert 0 < found["first_bleu"] < found["oracle_bleu"] <= 1
    done = run(*command)
    assert done.returncode == 0 and done.stdout == ""
    assert "resumed after 9 of 9 files" in done.stderr
    assert "57 lists of 57 sentence pairs; of 60 lines, 1 are repeated, 2 are in several" in done.stderr
    done = run(*command[:-2], 7)
    assert done.returncode == 2 and "contains lists with --nbest 4, not 7; use the same" in done.stderr
    assert "or --restart or another folder to start anew" in done.stderr


def test_dense_values_are_added_to_the_same_lists_and_are_a_setting(model: Path, tmp_path: Path) -> None:
    few = ListOptions(nbest=4, pairs=6)
    dense = replace(few, dense=True)
    plain = write_lists(model, tmp_path / "plain", few, KEPT).store
    store = write_lists(model, tmp_path / "dense", dense, KEPT).store
    assert candidates(store) == candidates(plain)
    assert plain.dense == () and "dense" not in json.dumps(plain.record)
    assert store.dense == PhraseDecoder.open(model).feature_names
    assert plain.counts.dense_bytes == 0
    assert plain.counts.bytes_per_candidate == store.counts.bytes_per_candidate
    assert 0 < store.counts.dense_bytes_per_candidate < 4 * len(store.dense)
    assert store.counts.bytes == sum(path.stat().st_size for path in store.files)
    for folder, options in (("plain", dense), ("dense", few)):
        with pytest.raises(OptionError, match=r"with dense (none, not true|true, not none)"):
            write_lists(model, tmp_path / folder, options, KEPT)


def test_a_damaged_record_is_an_error(model: Path, tmp_path: Path) -> None:
    store = write_lists(model, tmp_path / "store", ListOptions(2, pairs=3), KEPT).store
    record = store.path / "store.json"
    whole = record.read_text()
    for damaged, message in (
        ("{", "is not the record of lists"),
        (whole.replace("tunesmith-lists", "tunesmith-model"), "has a model; expected a store of lists"),
        (whole.replace('"lists.00000"', '"../lists"'), "is damaged"),
        (whole.replace('"candidates": ', '"candidates": "'), "is not the record|is damaged"),
        (json.dumps([]), "is damaged"),
    ):
        record.write_text(damaged)
        with pytest.raises(InputError, match=message):
            ListStore.open(store.path)
    record.write_text(whole)
    store.files[0].unlink()
    with pytest.raises(InputError, match=r"lists.00000: is missing"):
        ListStore.open(store.path)
    with pytest.raises(InputError, match=r"is not a store of lists: it has no store.json"):
        ListStore.open(tmp_path)
