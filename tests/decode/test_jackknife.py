"""Sentences of the training text, translated without their folds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.model.jackknife.folded import Folded, fold_corpus

from tunesmith import Decoding, decode_file
from tunesmith.corpus.folds import write_folds
from tunesmith.decode import DecodeOutputs, forced_decode, open_decoder
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.metrics.evaluation import evaluate
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.tuning import tune_model

ONCE = ("xyzzy plugh", "hollow voice")
"""A pair that no other pair has a word in common with."""


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    corpus = fold_corpus(tmp_path_factory.mktemp("folded"), 120, folds=3)
    for side, line in zip(("de", "en", "align"), (*ONCE, "0-0 1-1"), strict=True):
        lines = corpus.lines(side)
        lines[7] = line
        (corpus.folder / side).write_text("".join(f"{each}\n" for each in lines))
    return corpus


@pytest.fixture(scope="module", params=["phrase", "hiero", "itg"])
def model(request: pytest.FixtureRequest, folded: Folded) -> Path:
    limits = {"max_rule_span": 4} if request.param == "hiero" else {"max_phrase_length": 3}
    return folded.train(request.param, **limits)


def drawn(folded: Folded, folder: Path, rows: list[int]) -> dict[str, Path]:
    """Write the sentences of some rows, and their folds."""
    for side in ("de", "en"):
        lines = folded.lines(side)
        (folder / side).write_text("".join(f"{lines[row]}\n" for row in rows))
    write_folds(folder / "folds", folded.fold_of()[rows])
    return {name: folder / name for name in ("de", "en", "folds")}


def decode(model: Path, source: Path, folder: Path, **options: object) -> list[str]:
    jackknife = JackknifeOptions(jackknife=True, **options)
    decode_file(model, source, DecodeOutputs(folder / "out"), Decoding(jackknife=jackknife, threads=1))
    return (folder / "out").read_text().splitlines()


def test_each_sentence_is_translated_by_the_model_without_its_fold(
    folded: Folded, model: Path, tmp_path: Path
) -> None:
    rows = [3, 50, 7, 90, 20, 110]
    files = drawn(folded, tmp_path, rows)
    models, folds = FoldModels.of(model), folded.fold_of()
    expected = []
    for row in rows:
        with models.open(int(folds[row])) as directory:
            expected.append(open_decoder(directory).translate(folded.lines("de")[row]).text)
    assert decode(model, files["de"], tmp_path, fold_file=files["folds"]) == expected
    assert expected[2] == ONCE[0]  # its own words are unknown, and passed through
    assert not list((model / "folds").iterdir())


def test_folds_are_looked_up_in_the_training_text(folded: Folded, model: Path, tmp_path: Path) -> None:
    files = drawn(folded, tmp_path, [3, 50, 7, 90])
    given = decode(model, files["de"], tmp_path, fold_file=files["folds"])
    assert decode(model, files["de"], tmp_path) == given
    (tmp_path / "mixed").write_text(files["de"].read_text() + "nobody wrote this\n")
    with pytest.warns(TunesmithWarning, match="1 of 5 sentences are not in the training text"):
        assert decode(model, tmp_path / "mixed", tmp_path)[:4] == given
    (tmp_path / "other").write_text("nobody wrote this\n")
    with pytest.raises(InputError, match="none of the sentences is in the model's training text"):
        decode(model, tmp_path / "other", tmp_path)


def test_forcing_reaches_what_other_folds_teach(folded: Folded, model: Path) -> None:
    pairs = list(zip(folded.lines("de"), folded.lines("en"), strict=True))[:30]
    whole = [result.found for result in forced_decode(model, pairs, threads=1)]
    results = forced_decode(model, pairs, jackknife=JackknifeOptions(jackknife=True), threads=1)
    found = [result.found for result in results]
    assert whole[7]
    assert not found[7]
    assert sum(whole) > sum(found)


def test_tuning_translates_without_folds(folded: Folded, model: Path, tmp_path: Path) -> None:
    order = np.argsort(folded.fold_of(), kind="stable")[::10].tolist()
    files = drawn(folded, tmp_path, order)
    options = JackknifeOptions(jackknife=True, fold_file=files["folds"], keep_fold_tables=True)
    shared = {"output": tmp_path / "run", "iterations": 1, "nbest": 10, "threads": 1, "frozen": ["Unknown*"]}
    result = tune_model(model, files["de"], files["en"], "mira", jackknife=options, **shared)
    text = open_decoder(model).translate_all(files["de"].read_text().splitlines(), threads=1)
    references = [files["en"].read_text().splitlines()]
    (whole,) = evaluate("bleu", [each.text for each in text], references, resamples=0)
    assert result.scores[0] < whole.score
    assert not [line for line in result.warnings if "training text" in line]
    assert not (tmp_path / "run" / ".grammars").exists()
    files = drawn(folded, tmp_path, [0, 50, 100, 1])
    unsorted = JackknifeOptions(jackknife=True, fold_file=files["folds"])
    with pytest.raises(OptionError, match="sort the input by folds"):
        tune_model(model, files["de"], files["en"], jackknife=unsorted, **shared)
