"""Decoding by executors: all outputs are those of one process, and errors name lines."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.distribute.shipping_executor import ShippingExecutor
from tests.model.jackknife.folded import fold_corpus

from tunesmith import Decoding, decode_file
from tunesmith.consensus import FastConsensus
from tunesmith.decode import DecodeOutputs, open_decoder
from tunesmith.distribute import LocalExecutor
from tunesmith.errors import InputError, OptionError
from tunesmith.features.base import TEMPLATES
from tunesmith.generated import write_corpus
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.passes import translations


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translations, "PIECE", 3)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(write_corpus(tmp_path_factory.mktemp("text") / "text", 8, seed=3, lowercase=True).source)


def outputs(folder: Path, **more: Any) -> DecodeOutputs:
    folder.mkdir()
    return DecodeOutputs(
        folder / "text.gz",
        nbest_size=4,
        nbest=folder / "lists.jsonl.gz",
        alignment=folder / "alignment",
        forests=folder / "forests",
        log=folder / "log",
        **more,
    )


def written(folder: Path) -> dict[str, Any]:
    """Return the contents of files; of logs without clocks and without what threads keep in memory.

    Lists are compared as values: sparse features of a line stand in the order of first use in a piece.
    """
    found: dict[str, Any] = {path.name: path.read_bytes() for path in folder.iterdir()}
    if lists := found.pop("lists.jsonl.gz", None):
        found["lists"] = [json.loads(line) for line in gzip.decompress(lists).splitlines()]
    if log := found.pop("log", None):
        found["log"] = [{**json.loads(line), "seconds": 0, "memory": 0} for line in log.splitlines()]
    return found


def test_files_are_those_of_one_process(small_model: Path, source: Path, tmp_path: Path) -> None:
    usual_decoding = Decoding(templates=[TEMPLATES["target-bigrams"]()])
    changes = {"TargetBigram_the_man": 0.25}
    usual = decode_file(small_model, source, outputs(tmp_path / "usual"), usual_decoding, changes=changes)
    assert len(written(tmp_path / "usual")) == 5
    executors = {
        "local": LocalExecutor(1),
        "shipped": ShippingExecutor(tmp_path, backwards=True),
    }
    for name, executor in executors.items():
        decoding = replace(usual_decoding, executor=executor)
        summary = decode_file(small_model, source, outputs(tmp_path / name), decoding, changes=changes)
        assert written(tmp_path / name) == written(tmp_path / "usual")
        assert (summary.sentences, summary.words, summary.seen) == (8, usual.words, usual.seen)
        assert summary.score == pytest.approx(usual.score)


def test_rules_consensus_and_segments_are_those_of_one_process(
    small_model: Path, small_hiero: Path, source: Path, tmp_path: Path
) -> None:
    for number, (model, more) in enumerate(
        [
            (small_hiero, {"trees": "trees"}),
            (small_model, {"nbest": "moses", "nbest_segments": True, "segments": True}),
        ]
    ):
        for executor in (None, ShippingExecutor(tmp_path)):
            folder = tmp_path / f"{number}-{executor is None}"
            folder.mkdir()
            named = {
                name: folder / value if isinstance(value, str) else value for name, value in more.items()
            }
            rule = FastConsensus() if number else None
            decode_file(
                model,
                source,
                DecodeOutputs(folder / "text", **named),
                Decoding(executor=executor),
                consensus=rule,
            )
        assert written(tmp_path / f"{number}-True") == written(tmp_path / f"{number}-False")


def test_sentences_of_folds_are_translated_without_them(tmp_path: Path) -> None:
    folded = fold_corpus(tmp_path, 24, folds=2)
    model = folded.train("phrase", max_phrase_length=2)
    rows = np.argsort(FoldModels(model).fold_of_pairs, kind="stable")[6:18]
    options = JackknifeOptions(jackknife=True)

    def decode(name: str, rows: Any, executor: Any = None) -> str:
        (tmp_path / "some").write_text("".join(f"{folded.lines('de')[row]}\n" for row in rows))
        files = DecodeOutputs(tmp_path / name)
        decode_file(model, tmp_path / "some", files, Decoding(jackknife=options, executor=executor))
        return (tmp_path / name).read_text()

    assert decode("shards", rows, ShippingExecutor(tmp_path)) == decode("usual", rows)
    with pytest.raises(OptionError, match="must follow each other"):
        decode("unsorted", [rows[0], rows[-1], rows[1]], LocalExecutor(1))


@pytest.mark.process
def test_processes_leave_no_tables_of_folds(tmp_path: Path) -> None:
    folded = fold_corpus(tmp_path, 24, folds=2)
    model = folded.train("phrase", max_phrase_length=2)
    rows = np.argsort(FoldModels(model).fold_of_pairs, kind="stable")[6:18]
    (tmp_path / "some").write_text("".join(f"{folded.lines('de')[row]}\n" for row in rows))
    with LocalExecutor(2) as executor:
        options = JackknifeOptions(jackknife=True)
        decode_file(
            model,
            tmp_path / "some",
            DecodeOutputs(tmp_path / "out"),
            Decoding(jackknife=options, executor=executor),
        )
        assert list((model / "folds").iterdir())  # workers keep them for the next call
    assert not list((model / "folds").iterdir())


def test_a_sentence_that_fails_is_named_by_its_line_and_nothing_is_written(
    small_model: Path, tmp_path: Path
) -> None:
    source, output = tmp_path / "source", tmp_path / "out"
    source.write_text("a\nb\nc\nd\n((('a',0.5,1),),)\n")
    with pytest.raises(InputError, match=r"source:5: .*InputFeature0.* \(shard 2\)"):
        decode_file(small_model, source, DecodeOutputs(output), Decoding(executor=LocalExecutor(1)))
    assert [path.name for path in tmp_path.iterdir()] == ["source"]
    with pytest.raises(OptionError, match="needs the directory of a model"):
        decode_file(
            open_decoder(small_model), source, DecodeOutputs(output), Decoding(executor=LocalExecutor(1))
        )
