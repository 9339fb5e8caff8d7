"""What docs/metrics.md claims."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from tunesmith.metrics import METRICS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"


def test_every_metric_and_option_is_described() -> None:
    rows = {
        line.split("|")[1].strip(" `"): line
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    }
    for name in METRICS:
        for option in dataclasses.fields(METRICS[name]):  # type: ignore[arg-type]
            assert f"`{option.name}`" in rows[name]
