"""Folders of derivations that failed or were killed before: what is continued, and what is begun anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.model.jackknife.folded import Folded

from tunesmith.errors import InputError, OptionError
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import write_oracles
from tunesmith.runs.store import StoreFolder


@pytest.fixture
def text(folded: Folded, tmp_path: Path) -> dict[str, Any]:
    """A few sentences to translate."""
    for side in ("de", "en"):
        (tmp_path / side).write_text("".join(f"{line}\n" for line in folded.lines(side)[:6]))
    return {"source": tmp_path / "de", "target": tmp_path / "en", "decoding": Decoding(threads=1)}


class Killed(BaseException):
    pass


def kill(*arguments: object) -> None:
    raise Killed


@pytest.mark.parametrize("restart", [False, True])
def test_a_table_without_rare_pairs_is_that_of_the_new_least_count(
    model: Path,
    dev: dict[str, Any],
    text: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    restart: bool,
) -> None:
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(StoreFolder, "add", kill)
        write_oracles(model, tmp_path / "store", options=OracleOptions(least_count=4), **dev, **text)
    assert list((tmp_path / "store" / ".tables").iterdir())
    options = OracleOptions(least_count=1, restart=restart)
    again = write_oracles(model, tmp_path / "store", options=options, **dev, **text).store
    fresh = write_oracles(model, tmp_path / "fresh", options=options, **dev, **text).store
    assert [file.read_bytes() for file in again.files] == [file.read_bytes() for file in fresh.files]


def test_a_failed_first_try_leaves_a_folder_that_can_be_used(
    model: Path, dev: dict[str, Any], text: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "short").write_text("a\n")
    wrong = {**dev, "tune_references": [tmp_path / "short"]}
    with pytest.raises(InputError, match="has 1 lines, but"):
        write_oracles(model, tmp_path / "store", **wrong, **text)
    assert not (tmp_path / "store").exists()
    with pytest.raises(InputError, match="no phrase pair with a count of 1000"):
        write_oracles(model, tmp_path / "store", options=OracleOptions(least_count=1000), **dev, **text)
    write_oracles(model, tmp_path / "store", **dev, **text)
    other = {**dev, "tune_references": [dev["tune_source"]]}
    with pytest.raises(OptionError, match="contains derivations with other tune_references"):
        write_oracles(model, tmp_path / "store", **other, **text)
