"""Derivations by executors of other models: bit for bit those of threads, also of shipped files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.distribute.shipping_executor import ShippingExecutor

from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate import derivation_text
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import write_oracles
from tunesmith.reestimate.store import DerivationStore

OPTIONS = OracleOptions(nbest=3, compare=2, keep_forests=True)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derivation_text, "PIECE", 16)


def files_of(store: DerivationStore) -> dict[str, bytes]:
    """Return all files of a store but its record, in which there are clocks."""
    return {path.name: path.read_bytes() for path in store.path.iterdir() if path.suffix not in (".json", "")}


def test_oracles_without_folds_and_of_rules_are_those_of_threads(
    model: Path, index_model: Path, rule_model: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    folds = OracleOptions(jackknife=True)
    for number, (of, options) in enumerate(
        [(model, folds), (index_model, OracleOptions()), (rule_model, OracleOptions())]
    ):
        found = [
            write_oracles(
                of,
                tmp_path / f"{number}-{executor is None}",
                options,
                Decoding(
                    jackknife=JackknifeOptions(jackknife=True) if options.jackknife else None,
                    executor=executor,
                ),
                **dev,
            )
            for executor in (None, ShippingExecutor(tmp_path))
        ]
        assert files_of(found[0].store) == files_of(found[1].store)
        assert not list((of / "folds").glob("[0-9]*"))


def test_shipped_models_have_tables_for_each_least_count(
    model: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    executor = ShippingExecutor(tmp_path)  # its copy of the model stays
    for least_count in (1.5, 2.5):
        options = OracleOptions(least_count=least_count)
        folder = tmp_path / str(least_count)
        shipped = write_oracles(model, folder / "shipped", options, Decoding(executor=executor), **dev)
        threads = write_oracles(model, folder / "threads", options=options, **dev)
        assert files_of(shipped.store) == files_of(threads.store)
    assert files_of(shipped.store) != files_of(DerivationStore.open(tmp_path / "1.5" / "threads"))
