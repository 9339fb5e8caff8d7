"""Whatever a file contains, reading it gives a result or an error that says what is wrong: no traceback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from tests.mutations import NASTY, changed_bytes, changed_json
from tests.random_pools import random_pool
from tests.tuning.toy_systems import ToySystem

from tunesmith.align import Aligner, aligner, train_aligner
from tunesmith.candidates import mapped
from tunesmith.container import Container, container_kind, write_container
from tunesmith.corpus import Bitext
from tunesmith.decode import open_decoder
from tunesmith.errors import TunesmithError
from tunesmith.extract import lexicon
from tunesmith.model.steps import BuildStep, run_steps
from tunesmith.tables import phrase_table
from tunesmith.tuning import tune, tune_model
from tunesmith.weights import Weights


def refusals(path: Path, contents: Iterable[bytes], read: Callable[[], object]) -> int:
    """Read each content; return how many were refused. Other exceptions than TunesmithErrors pass."""
    count = 0
    for content in contents:
        path.write_bytes(content)
        try:
            read()
        except TunesmithError as error:
            assert len(str(error)) < 1000
            count += 1
    return count


def test_weights(tmp_path):
    path = tmp_path / "weights.json"
    Weights({"a": 1.5, "b": -2.0}).write(path, method="mert")
    data = path.read_bytes()
    read = lambda: Weights.read(path)  # noqa: E731
    assert refusals(path, changed_json(data, 100, seed=1), read) > 30
    assert refusals(path, changed_bytes(data, 100, seed=2), read) > 30


@pytest.fixture
def model(small_model: Path, tmp_path: Path) -> Path:
    shutil.copytree(small_model, tmp_path / "model")
    return tmp_path / "model"


def test_the_list_of_features_of_a_model(model):
    path = model / "features.json"
    manifest = json.loads((model / "manifest.json").read_text())
    for step in manifest["steps"].values():
        step["outputs"].pop("features.json", None)  # else only its size would be noticed
    (model / "manifest.json").write_text(json.dumps(manifest))
    data = path.read_bytes()
    read = lambda: open_decoder(model).translate("das haus ist klein .")  # noqa: E731
    assert refusals(path, changed_json(data, 60, seed=3), read) > 30
    assert refusals(path, changed_bytes(data, 30, seed=4), read) > 15


def test_the_manifest_of_a_model(tmp_path):
    folder, path = tmp_path / "model", tmp_path / "model" / "manifest.json"
    step = BuildStep(
        "one", ("1",), lambda shop: [shop["1"].write_text("x")][:0], options={"k": [1, {"a": 2}]}
    )
    read = lambda: run_steps(folder, "toy", [step])  # noqa: E731
    read()
    data = path.read_bytes()
    assert refusals(path, changed_json(data, 80, seed=5), read) > 20
    assert refusals(path, changed_bytes(data, 40, seed=6), read) > 10


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*was begun by")
def test_the_state_of_a_loop(tmp_path):
    toy = ToySystem(sentences=4)
    references = toy.write_references(tmp_path / "references")
    path = tmp_path / "tuned" / "run.json"

    def read(iterations: int = 2) -> None:
        options = {"iterations": iterations, "threads": 1, "nbest": 2, "seed": 3}
        tune_model(toy, None, references, "mira", "bleu", output=tmp_path / "tuned", **options)

    read(1)
    shutil.copytree(tmp_path / "tuned", tmp_path / "kept")
    data = path.read_bytes()

    def again() -> None:
        content = path.read_bytes()
        shutil.rmtree(tmp_path / "tuned")
        shutil.copytree(tmp_path / "kept", tmp_path / "tuned")
        path.write_bytes(content)
        read()

    assert refusals(path, changed_json(data, 60, seed=7), again) > 30
    assert refusals(path, changed_bytes(data, 20, seed=8), again) > 5


class StopError(Exception):
    """Ends a run after some iterations."""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*is not continued")
def test_the_history_and_the_checkpoint_of_a_run(tmp_path):
    pool, path = random_pool(2, lists=6), tmp_path / "run.jsonl"
    checkpoint = tmp_path / "run.jsonl.checkpoint.npz"

    def stop(record: dict[str, object]) -> None:
        if record["iteration"] == 3:
            raise StopError

    with pytest.raises(StopError):
        tune(pool, "mira", history=path, watch=stop, threads=1, epochs=4)
    history, saved = path.read_bytes(), checkpoint.read_bytes()
    whole = tune(pool, "mira", threads=1, epochs=4).weights

    def resume() -> None:
        if path.read_bytes() == history:  # the checkpoint is what changes
            assert checkpoint.exists()
        else:
            checkpoint.write_bytes(saved)
        assert tune(pool, "mira", history=path, threads=1, epochs=4).weights == whole

    def with_checkpoint() -> None:
        path.write_bytes(history)
        resume()

    line = history.splitlines()[0]
    rest = history[len(line) :]
    assert refusals(path, (each + rest for each in changed_json(line, 10, seed=9)), resume) > 3
    assert refusals(path, changed_bytes(history, 10, seed=10), resume) > 0
    assert refusals(checkpoint, changed_bytes(saved, 60, seed=11), with_checkpoint) > 30


def test_a_checkpoint_with_other_arrays_is_refused(tmp_path):
    pool, path = random_pool(2, lists=6), tmp_path / "run.jsonl"
    checkpoint = tmp_path / "run.jsonl.checkpoint.npz"

    def stop(record: dict[str, object]) -> None:
        if record["iteration"] == 3:
            raise StopError

    with pytest.raises(StopError):
        tune(pool, "mira", history=path, watch=stop, threads=1)
    with np.load(checkpoint) as saved:
        arrays = dict(saved)
    for name in arrays:
        for value in (np.array("x"), np.array([]), np.array([np.nan, 1e300]), np.array(10**18)):
            np.savez(checkpoint, **(arrays | {name: value}))
            with pytest.raises(TunesmithError, match="is damaged"):
                tune(pool, "mira", history=path, threads=1)


@pytest.fixture(scope="module")
def containers(small_model: Path, small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of several kinds."""
    folder = tmp_path_factory.mktemp("containers")
    for name in ("phrases.bin", "lexicon.bin"):
        shutil.copy(small_model / name, folder)
    lines = [(small_corpus / side).read_text().splitlines()[:20] for side in ("de", "en")]
    for side, texts in zip(("de", "en"), lines, strict=True):
        (folder / side).write_text("".join(f"{line}\n" for line in texts))
    train_aligner(Bitext.read(folder / "de", folder / "en"), "ibm1", threads=1).save(folder / "aligner.bin")
    mapped.write_mapped(random_pool(3, lists=4), folder / "lists.pool")
    return folder


OPENERS = {
    "phrases.bin": (phrase_table.PhraseTable.open, phrase_table.VERSION),
    "lexicon.bin": (lexicon.Lexicon.open, lexicon._VERSION),
    "aligner.bin": (Aligner.open, aligner.VERSION),
    "lists.pool": (mapped.read_mapped, mapped.VERSION),
}


@pytest.mark.parametrize("name", OPENERS)
def test_the_notes_of_a_container(containers, tmp_path, name):
    kind = container_kind(containers / name)
    opener, version = OPENERS[name]
    found = Container.open(containers / name, kind, version)
    assert found.meta
    for key in found.meta:
        for value in NASTY:
            try:
                write_container(tmp_path / name, kind, version, found.arrays, found.meta | {key: value})
                opener(tmp_path / name)
            except TunesmithError as error:
                assert len(str(error)) < 2000
