"""The table of defaults in `docs/online.md` is true, and has all options that results depend on."""

from __future__ import annotations

import inspect
import re
from typing import Any

from tests.documents import ROOT

from tunesmith.metrics import get_metric
from tunesmith.options import determinants
from tunesmith.systems.model import ModelSystem
from tunesmith.tuning.online.learner import LearnerOptions
from tunesmith.tuning.online.mixing import MixingOptions
from tunesmith.tuning.online.options import ScheduleOptions
from tunesmith.tuning.online.tune import tune_online
from tunesmith.tuning.online.updates.base import UPDATES

NOT_COMPARED = {"beam", "seed", "start", "patience", "frozen"}
"""Options for forests, and those that no program has a default for."""


def defaults() -> dict[str, Any]:
    """All options of learning from lists by the default update."""
    arguments = inspect.signature(tune_online).parameters
    update = UPDATES[arguments["update"].default]()
    learner = LearnerOptions()
    document = learner.open_document(get_metric("bleu"))
    parts: dict[str, Any] = determinants(update) | determinants(learner) | determinants(MixingOptions())
    own = {
        "update": update.name,
        "metric": arguments["metric"].default,
        "document_decay": document.decay,
        "document_start": document.usual_start,
        "start_scale": "gains" if ModelSystem.balances_start else 1,
    }
    return parts | determinants(ScheduleOptions()) | own


def shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        f"{value:,g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
    )


def test_our_column_of_the_table_is_the_defaults() -> None:
    page = (ROOT / "docs" / "online.md").read_text(encoding="utf-8")
    _, _, table = page.partition("| option | ours | paper | original program |")
    rows = re.findall(r"^\| `--([a-z-]+)` \| ([^|]+) \| [^|]+ \| [^|]+ \|$", table, re.MULTILINE)
    expected = {name: shown(value) for name, value in defaults().items() if name not in NOT_COMPARED}
    assert {flag.replace("-", "_"): ours for flag, ours in rows} == expected
    assert len(rows) == len(expected)


def test_the_page_names_the_numbers_of_both_documents() -> None:
    page = (ROOT / "docs" / "online.md").read_text(encoding="utf-8")
    for kind in ("chiang", "kbmira"):
        document = LearnerOptions(document=kind).open_document(get_metric("bleu"))  # type: ignore[arg-type]
        (row,) = re.findall(rf"^\| `{kind}` \|.*\|$", page, re.MULTILINE)
        assert f"{document.decay:g}" in row and f"`{document.usual_start}`" in row
