"""All products of texts: the same files here and by workers, in any order, and after a kill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.distribute.shipping_executor import ShippingExecutor
from tests.model.jackknife.folded import Folded, fold_corpus

from tunesmith.decode.jackknife import FoldDecoders
from tunesmith.distribute import LocalExecutor
from tunesmith.errors import InputError
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.jackknife.sentence_folds import OTHER
from tunesmith.passes import run
from tunesmith.passes.decoding import Decoding
from tunesmith.passes.run import Written
from tunesmith.reestimate import derivation_text
from tunesmith.reestimate.forced import ForcedDerivationOptions, write_forced
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import write_oracles
from tunesmith.reestimate.store import DerivationStore
from tunesmith.runs.store import StoreFolder
from tunesmith.xbleu import list_text, lists
from tunesmith.xbleu.forest_options import ForestOptions
from tunesmith.xbleu.forest_store import ForestStore
from tunesmith.xbleu.forests import write_forests
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists
from tunesmith.xbleu.store import ListStore

SENTENCES = 36
KEPT = JackknifeOptions(jackknife=True, keep_fold_tables=True)


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_text, "PIECE", 12)
    monkeypatch.setattr(derivation_text, "PIECE", 12)
    monkeypatch.setattr(lists, "BATCH", 5)


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    return fold_corpus(tmp_path_factory.mktemp("products"), SENTENCES, folds=2)


@pytest.fixture(scope="module")
def model(folded: Folded) -> Path:
    return folded.train("phrase", max_phrase_length=2)


@dataclass(frozen=True)
class Case:
    """How a product is written, and opened."""

    write: Callable[[Path, Folded, Path, Decoding], Written[Any]]
    store: Any


def _oracles(model: Path, folded: Folded, folder: Path, decoding: Decoding, **options: Any) -> Written[Any]:
    dev = {"tune_source": folded.folder / "de", "tune_references": [folded.folder / "en"]}
    chosen = OracleOptions(nbest=3, compare=2, keep_forests=True, **options)
    return write_oracles(model, folder, chosen, decoding, **dev)


CASES = {
    "lists": Case(
        lambda model, _, folder, decoding: write_lists(
            model, folder, ListOptions(5), replace(decoding, jackknife=KEPT)
        ),
        ListStore,
    ),
    "forests": Case(
        lambda model, _, folder, decoding: write_forests(
            model, folder, ForestOptions(features="hrm"), replace(decoding, jackknife=KEPT)
        ),
        ForestStore,
    ),
    "oracles": Case(_oracles, DerivationStore),
    "oracles without folds": Case(
        lambda model, folded, folder, decoding: _oracles(
            model, folded, folder, replace(decoding, jackknife=KEPT), jackknife=True
        ),
        DerivationStore,
    ),
    "forced": Case(
        lambda model, _, folder, decoding: write_forced(
            model, folder, ForcedDerivationOptions(nbest=4, stages=2), decoding
        ),
        DerivationStore,
    ),
}
by_product = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def files_of(folder: Path) -> dict[str, bytes]:
    """Return all files of a store but its record, in which there may be clocks."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix not in (".json", "")}


def counted(written: Written[Any]) -> dict[str, Any]:
    """Return what a store counts, without clocks."""
    return {name: value for name, value in asdict(written.store.counts).items() if "seconds" not in name}


@by_product
def test_files_depend_neither_on_threads_nor_on_executors(
    case: Case, model: Path, folded: Folded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = case.write(model, folded, tmp_path / "usual", Decoding(threads=1))
    assert usual.report.decoded == usual.store.record["text"]["pairs"]
    assert len(usual.store.files) > 2
    monkeypatch.setattr(run, "PAUSE", 0.0)
    heard: list[str] = []
    for name, more in {
        "threads": {"threads": 3},
        "local": {"executor": LocalExecutor(1)},
        "shipped": {"executor": ShippingExecutor(tmp_path, backwards=True)},
    }.items():
        decoding = Decoding(progress=heard.append, **more)
        written = case.write(model, folded, tmp_path / name, decoding)
        assert files_of(tmp_path / name) == files_of(tmp_path / "usual") != {}
        assert written.store.record["made_by"] == usual.store.record["made_by"]
        assert counted(written) == counted(usual)
        assert written.report.decoded == usual.report.decoded
        assert f"{written.report.decoded} of {written.report.decoded} sentences" in heard[-1]
        assert [path.name for path in (tmp_path / name).glob(".*")] == [".lock"]


@by_product
def test_a_killed_run_by_workers_resumes(case: Case, model: Path, folded: Folded, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        case.write(model, folded, tmp_path / "run", Decoding(executor=ShippingExecutor(tmp_path, most=2)))
    assert (tmp_path / "run" / ".weights").exists()
    with pytest.raises(InputError, match="is not complete; run the same"):
        case.store.open(tmp_path / "run")
    resumed = case.write(model, folded, tmp_path / "run", Decoding())
    case.write(model, folded, tmp_path / "usual", Decoding())
    assert resumed.report.resumed == 2
    assert files_of(tmp_path / "run") == files_of(tmp_path / "usual")
    assert not (tmp_path / "run" / ".weights").exists()


@by_product
def test_a_killed_run_resumes_from_the_pieces_that_are_recorded(
    case: Case, model: Path, folded: Folded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, left = StoreFolder.add, 3

    def dying(*arguments: Any) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt  # after the file was written, and before it was recorded
        usual(*arguments)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(StoreFolder, "add", dying)
        case.write(model, folded, tmp_path / "run", Decoding(threads=1))
    opened: list[int] = []
    open_ = FoldDecoders.open
    monkeypatch.setattr(FoldDecoders, "open", lambda self, fold: opened.append(fold) or open_(self, fold))
    resumed = case.write(model, folded, tmp_path / "run", Decoding(threads=2))
    assert opened in ([OTHER], [1]), "fold 0 has no work left"
    case.write(model, folded, tmp_path / "usual", Decoding(threads=1))
    assert resumed.report.resumed == 2 and 0 < resumed.report.decoded < SENTENCES
    assert files_of(tmp_path / "run") == files_of(tmp_path / "usual")
    again = case.write(model, folded, tmp_path / "run", Decoding())
    assert again.report.resumed == len(again.store.files) and again.report.decoded == 0
