"""What this machine is, beside the one on which the peers were measured."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared"
PEER_MULTIPLY_ADDS = 857.0
"""M multiply-adds per second of the machine that measured the peers (845 to 870)."""


@dataclass(frozen=True)
class Machine:
    """Cores, and speed relative to the peers' machine (None without the calibration program)."""

    cores: int
    speed: float | None
    calibration: str


def calibrate() -> Machine:
    """Build and run the calibration program that lies beside a developer's checkout."""
    source = SHARED / "calibrate.cpp"
    cores = os.cpu_count() or 1
    if not source.exists():
        return Machine(cores, None, "not calibrated")
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "calibrate"
        subprocess.run(["g++", "-O2", "-std=c++20", str(source), "-o", str(binary)], check=True)
        printed = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout
    found = re.search(r"multiply-adds (\d+)", printed)
    assert found is not None
    return Machine(cores, float(found[1]) / PEER_MULTIPLY_ADDS, printed.split("  ")[0].strip())
