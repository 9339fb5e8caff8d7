"""Whole corpora on a real cluster of Spark: files identical, bit for bit, to those of this process."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.distribute.shard_functions import kill_executor_once
from tests.tuning.online.toy_online import learned, write_lists
from tests.xbleu.test_train import make_store

from tunesmith import Decoding, decode_file
from tunesmith.decode import DecodeOutputs
from tunesmith.distribute import LocalExecutor, Report
from tunesmith.distribute.spark import SparkExecutor
from tunesmith.errors import InputError
from tunesmith.generated import write_corpus
from tunesmith.passes import product, translations
from tunesmith.passes.product import PieceTask, make_piece
from tunesmith.passes.text import PieceLines
from tunesmith.reestimate import derivation_text
from tunesmith.reestimate.block_counts import BlockCounts
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import write_oracles
from tunesmith.xbleu import list_text
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists as write_xbleu_lists
from tunesmith.xbleu.train import train_reordering
from tunesmith.xbleu.training_options import ReorderingOptions

pytestmark = pytest.mark.spark


def losing_an_executor(marker: str, task: PieceTask[PieceLines, BlockCounts], report: Report) -> BlockCounts:
    """Find oracles, but kill the executor of Spark after those of the second piece, once."""
    counts = make_piece(task, report)
    if 30 <= int(task.piece.rows[0]) < 60:
        kill_executor_once(Path(marker))
    return counts


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder; not records, in which there are clocks."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix not in (".json", "")}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    files = write_corpus(tmp_path_factory.mktemp("text") / "text", 90, seed=4, lowercase=True)
    return {"source": Path(files.source), "target": Path(files.targets[0])}


def test_oracles_survive_the_death_of_an_executor(
    cluster: SparkExecutor,
    small_model: Path,
    text: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(derivation_text, "PIECE", 30)
    options = {"tune_source": text["source"], "tune_references": [text["target"]], **text}
    given = OracleOptions(nbest=2, keep_forests=True)
    threads = write_oracles(small_model, tmp_path / "threads", options=given, **options)
    marker = tmp_path / "killed"
    monkeypatch.setattr(product, "make_piece", partial(losing_an_executor, str(marker)))
    spark = write_oracles(small_model, tmp_path / "spark", given, Decoding(executor=cluster), **options)
    assert not Path(f"/proc/{marker.read_text()}").exists()
    assert files_of(tmp_path / "spark") == files_of(tmp_path / "threads")
    assert len(files_of(tmp_path / "spark")) == 6
    assert spark.store.counts.oracle == threads.store.counts.oracle


def test_decoded_files_are_those_of_this_process(
    cluster: SparkExecutor,
    small_model: Path,
    text: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(translations, "PIECE", 32)
    for name, executor in (("threads", None), ("spark", cluster)):
        folder = tmp_path / name
        folder.mkdir()
        outputs = DecodeOutputs(
            folder / "out.txt", nbest=folder / "lists.nbest", nbest_size=5, forests=folder / "all.forests"
        )
        decode_file(small_model, text["source"], outputs, Decoding(executor=executor))
    assert files_of(tmp_path / "spark") == files_of(tmp_path / "threads")
    assert len(files_of(tmp_path / "spark")) == 3
    (tmp_path / "bad").write_text("a\n((('a',0.5,1),),)\n")
    with pytest.raises(InputError, match=r"bad:2: .*InputFeature0"):
        decode_file(small_model, tmp_path / "bad", DecodeOutputs(tmp_path / "x"), Decoding(executor=cluster))


def test_lists_and_a_training_on_shards_are_those_of_this_machine(
    cluster: SparkExecutor,
    small_model: Path,
    text: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(list_text, "PIECE", 45)
    given: dict[str, Any] = {"options": ListOptions(nbest=5, jackknife=False), **text}
    write_xbleu_lists(small_model, tmp_path / "threads", **given)
    write_xbleu_lists(small_model, tmp_path / "spark", **given, decoding=Decoding(executor=cluster))
    assert files_of(tmp_path / "spark") == files_of(tmp_path / "threads")
    (tmp_path / "toy").mkdir()
    store = make_store(tmp_path / "toy")
    options = ReorderingOptions(features="local", gamma=1.5, epochs=2, shards=3)
    made = [
        train_reordering(store, tmp_path / name, options, executor=executor).model
        for name, executor in (("local", LocalExecutor(1)), ("shards", cluster))
    ]
    assert made[0].record["history"] == made[1].record["history"]
    weights = [(model.directory / "weights").read_bytes() for model in made]
    assert weights[0] == weights[1]


def test_a_run_goes_on_from_a_folder_of_hadoop(cluster: SparkExecutor, tmp_path: Path) -> None:
    setup = write_lists(tmp_path)
    whole = learned(setup, tmp_path / "whole", epochs=3)
    uri = f"file:{tmp_path}/remote/run"
    learned(setup, tmp_path / "first", epochs=1, checkpoint_to=cluster.folder(uri))
    assert cluster.folder(uri).names() == ["00001"]
    again = learned(setup, tmp_path / "second", epochs=3, checkpoint_to=cluster.folder(uri))
    assert again.resumed_after == 1 and cluster.folder(uri).names() == ["00003"]
    assert again.weights.read_bytes() == whole.weights.read_bytes()
    with pytest.raises(InputError, match=r'^nowhere://x: .*scheme "nowhere"'):
        cluster.folder("nowhere://x")
    with pytest.raises(InputError, match="Hadoop's file system refuses it"):
        cluster.folder(uri).get("missing", tmp_path / "y")
