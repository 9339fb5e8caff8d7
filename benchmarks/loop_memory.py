"""Peak memory of a tuning loop, and what it consists of.

python -m benchmarks.loop_memory [--before SRC] [MODEL]

`tune model --method mira`, 10 iterations at most, 100-best lists of the 1,014 sentences of Multi30k's val, on
two threads, with MODEL, a German-English phrase model; without it one is trained first. The process's memory
is sampled every 20 ms. "files" are mapped: the model, the lists of earlier rounds and libraries. `--before`
runs the package in another folder too, with its own build, and compares the weights. Moses' decoder takes 130
MB in such a loop, with filtered binary tables.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import SHARED

MOSES = 130
"""Peak MB of Moses' decoder in a loop of kbmira with the same lists."""
HERE = Path(__file__).parent.parent / "src"


@dataclass
class Peak:
    """Highest memory, in MB: of all, and of its kinds at that time."""

    resident: float = 0.0
    own: float = 0.0
    files: float = 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path)
    parser.add_argument("model", nargs="?", type=Path)
    given = parser.parse_args()
    if not (SHARED / "data/multi30k.val.de.xz").exists():
        print("skipped: the shared data is not beside this checkout")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = {
            part: [SHARED / f"data/multi30k.{part}.{side}.xz" for side in ("de", "en")]
            for part in ("train", "val")
        }
        model = given.model or folder / "model"
        if given.model is None:
            source, target = texts["train"]
            words = ["train", "--source", source, "--target", target, "--aligner", "hmm", "-o", model]
            subprocess.run(_command(words), check=True, env=_environment(HERE), stdout=subprocess.DEVNULL)
        print("| build | peak MB | its own | files | CPU s | Moses' / peak |\n|---|---|---|---|---|---|")
        builds = {"before": given.before, "this": HERE}
        weights = set()
        for build, package in builds.items():
            if package is not None:
                peak, cpu = _measure(package, model, texts["val"], folder / build)
                cells = [f"{value:.0f}" for value in (peak.resident, peak.own, peak.files)]
                print(
                    f"| {build} | {' | '.join(cells)} | {cpu:.1f} | {MOSES / peak.resident:.2f}x |",
                    flush=True,
                )
                weights.add((folder / build / "weights.json").read_text().partition('"weights"')[2])
        if given.before is not None:
            print(f"\nweights: {'equal to the last bit' if len(weights) == 1 else 'DIFFERENT'}")


def _measure(package: Path, model: Path, texts: list[Path], output: Path) -> tuple[Peak, float]:
    source, references = texts
    words = ["tune", "model", model, "--source", source, "--references", references, "--method", "mira"]
    words += ["--iterations", 10, "--threads", 2, "-o", output]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        _command(words), env=_environment(package), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = Peak()
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            continue
        found = {
            name: int(size) / 1024 for name, size in re.findall(r"(VmRSS|RssAnon|RssFile):\s+(\d+)", status)
        }
        if found.get("VmRSS", 0.0) > peak.resident:
            peak = Peak(found["VmRSS"], found["RssAnon"], found["RssFile"])
        time.sleep(0.02)
    if process.returncode:
        raise SystemExit(f"the loop failed with status {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return peak, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _command(words: list[object]) -> list[str]:
    return [sys.executable, "-m", "tunesmith", *map(str, words)]


def _environment(package: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(package)}


if __name__ == "__main__":
    main()
