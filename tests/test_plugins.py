"""A metric from another distribution: found by its entry point, in Python and on the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = '''
"""The share of hypotheses that have as many words as their first reference."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith.metrics import Metric


@dataclass(frozen=True)
class SameLength(Metric):
    name: ClassVar[str] = "same_length"
    slack: int = 0

    @property
    def width(self):
        return 2

    def measure(self, segments, threads=1):
        sentences = np.repeat(np.arange(len(segments.offsets) - 1), np.diff(segments.offsets))
        lengths = [len(text.split()) for text in segments.hypotheses]
        wanted = [len(segments.references[0][sentence].split()) for sentence in sentences]
        same = np.abs(np.subtract(lengths, wanted)) <= self.slack
        return np.stack([same, np.ones(len(same))], axis=-1).astype(np.float64)

    def score(self, stats):
        return stats[..., 0] / np.maximum(stats[..., 1], 1.0)
'''
METADATA = "Metadata-Version: 2.1\nName: length-metrics\nVersion: 1.0\n"
ENTRY_POINTS = "[tunesmith.metrics]\nsame_length = length_metrics:SameLength\n"

IN_PYTHON = """
from tunesmith.metrics import METRICS, get_metric

metric = get_metric("same_length(slack=1)")
assert "same_length" in METRICS and "same_length" not in METRICS.built_in()
assert metric.signature == "same_length|slack:1", metric.signature
assert metric.score(metric.stats("a b", ["a b c"])) == 1.0
"""
ON_THE_COMMAND_LINE = """
import sys
from tunesmith.cli.main import main

sys.argv = ["tunesmith", "eval", "out", "--references", "ref", "--metrics", "same_length", "--resamples", "0"]
sys.exit(main())
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with an installed distribution: a module and its dist-info."""
    folder = tmp_path / "site"
    info = folder / "length_metrics-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "length_metrics.py").write_text(MODULE)
    (info / "METADATA").write_text(METADATA)
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    files = ["length_metrics.py", f"{info.name}/METADATA", f"{info.name}/entry_points.txt"]
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in [*files, f"{info.name}/RECORD"]))
    return folder


def run(program: str, site: Path, cwd: Path) -> str:
    """Run a program in a new process, whose registries have not looked for entry points yet."""
    path = os.pathsep.join([str(site), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_metric_of_another_distribution_is_found_by_its_entry_point(site, tmp_path):
    run(IN_PYTHON, site, tmp_path)


def test_the_command_line_scores_with_a_metric_of_another_distribution(site, tmp_path):
    (tmp_path / "out").write_text("a b\na\n")
    (tmp_path / "ref").write_text("a c\na b\n")
    shown = run(ON_THE_COMMAND_LINE, site, tmp_path)
    assert "50.00" in shown and "same_length|slack:0" in shown
