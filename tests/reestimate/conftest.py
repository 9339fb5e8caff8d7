"""A small model with folds, for all tests of re-estimation."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.model.jackknife.folded import Folded, fold_corpus


@pytest.fixture(scope="package")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    return fold_corpus(tmp_path_factory.mktemp("reestimate"), 60, folds=3)


@pytest.fixture(scope="package")
def model(folded: Folded) -> Path:
    """A phrase model under whose distortion limit not all references are in reach."""
    return folded.train("phrase", max_phrase_length=3, distortion_limit=6)


@pytest.fixture(scope="package")
def dev(folded: Folded) -> dict[str, object]:
    """The first lines of the training text, as a tuning set."""
    for side in ("de", "en"):
        lines = folded.lines(side)[:12]
        (folded.folder / f"dev.{side}").write_text("".join(f"{line}\n" for line in lines))
    return {"tune_source": folded.folder / "dev.de", "tune_references": [folded.folder / "dev.en"]}


@pytest.fixture(scope="package")
def index_model(folded: Folded) -> Path:
    """A hierarchical model whose rules are extracted on demand."""
    return folded.train("hiero", max_rule_span=4)


@pytest.fixture(scope="package")
def rule_model(folded: Folded) -> Path:
    """The same with a table of all rules."""
    return folded.train("hiero", max_rule_span=4, grammar="global")
