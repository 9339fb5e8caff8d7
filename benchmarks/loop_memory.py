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
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.machine import SHARED
from benchmarks.watched import Watched, watch

MOSES = 130
"""Peak MB of Moses' decoder in a loop of kbmira with the same lists."""
HERE = Path(__file__).parent.parent / "src"


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
                peak = _measure(package, model, texts["val"], folder / build)
                cells = [f"{value:.0f}" for value in (peak.resident, peak.own, peak.files)]
                print(
                    f"| {build} | {' | '.join(cells)} | {peak.cpu:.1f} | {MOSES / peak.resident:.2f}x |",
                    flush=True,
                )
                weights.add((folder / build / "weights.json").read_text().partition('"weights"')[2])
        if given.before is not None:
            print(f"\nweights: {'equal to the last bit' if len(weights) == 1 else 'DIFFERENT'}")


def _measure(package: Path, model: Path, texts: list[Path], output: Path) -> Watched:
    source, references = texts
    words = ["tune", "model", model, "--source", source, "--references", references, "--method", "mira"]
    words += ["--iterations", 10, "--threads", 2, "-o", output]
    return watch(_command(words), environment=_environment(package))


def _command(words: list[object]) -> list[str]:
    return [sys.executable, "-m", "tunesmith", *map(str, words)]


def _environment(package: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(package)}


if __name__ == "__main__":
    main()
