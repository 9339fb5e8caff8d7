"""The snippets of docs/metrics.md run, one after another, as a reader would type them."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from pathlib import Path

from tunesmith.metrics import METRICS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"


def test_the_snippets_run() -> None:
    snippets = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(snippets) > 4
    # In a process of its own, because the last snippet registers a metric.
    command = [sys.executable, "-W", "error", "-c", "\n".join(snippets)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "bleu|order:4" in result.stdout


def test_every_metric_and_option_is_described() -> None:
    rows = {
        line.split("|")[1].strip(" `"): line
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    }
    for name in METRICS:
        for option in dataclasses.fields(METRICS[name]):  # type: ignore[arg-type]
            assert f"`{option.name}`" in rows[name]
