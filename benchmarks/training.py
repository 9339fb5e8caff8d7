"""From raw Europarl French-English (300,113 pairs, 7.5 M words per side) to a phrase and a hiero model.

    python -m benchmarks.training [pairs]

Text is tokenized, lowercased, aligned by the HMM, which is the default, or by the diagonal model, which was,
and goes into a 5-gram model and either a phrase table with hier-mslr reordering or an index for grammars on
demand, on 2 threads. Each model is trained in a process of its own; the peak is that process's. The bar is 10
minutes and 8 GB for each.
"""

from __future__ import annotations

import json
import lzma
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.machine import SHARED, calibrate

ALIGNERS = ("diagonal", "hmm")
PEERS = {
    "alignment": "fast_align 208 + 195 s",
    "language model": "lmplz 13.5 s",
    "phrase table": "Moses 993 s, lexicon to reordering",
}


def train(kind: str, aligner: str, folder: str) -> None:
    """Train in this process and print what it took; called in a fresh one."""
    from tunesmith.model.training import train as train_model

    start = time.perf_counter()
    trained = train_model(
        Path(folder) / "train.fr",
        Path(folder) / "train.en",
        Path(folder) / f"{kind}-{aligner}",
        kind=kind,
        source_language="fr",
        target_language="en",
        tokenize="moses",
        case="lower",
        aligner=aligner,
        threads=2,
        progress=lambda line: print(line, file=sys.stderr),
    )
    record = {
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time(),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9,
        "steps": [(step.name, step.seconds, step.bytes) for step in trained.steps],
    }
    print(json.dumps(record))


def main(pairs: int | None = None) -> None:
    data = SHARED / "data"
    if not (data / "europarl-fr-en.train.fr.xz").exists():
        print("the shared data is not beside this checkout: nothing was measured")
        return
    machine = calibrate()
    if machine.speed:
        print(f"This machine does {machine.speed:.2f} times the multiply-adds of the peers' machine.\n")
    with tempfile.TemporaryDirectory() as folder:
        for side in ("fr", "en"):
            with lzma.open(data / f"europarl-fr-en.train.{side}.xz", "rb") as stream:
                lines = stream.read().split(b"\n")[: pairs or None]
            (Path(folder) / f"train.{side}").write_bytes(b"\n".join(lines).rstrip(b"\n") + b"\n")
        for kind in ("phrase", "hiero"):
            records = {}
            for aligner in ALIGNERS:
                command = [sys.executable, "-m", "benchmarks.training", "--train", kind, aligner, folder]
                done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ)
                records[aligner] = json.loads(done.stdout)
            print_table(kind, records)


def print_table(kind: str, records: Mapping[str, Any]) -> None:
    """Print a row per step: seconds by aligner, and the size with the last one."""
    columns = ["step", *(f"{aligner}, s" for aligner in ALIGNERS), "MB", "the peers, on their machine"]
    print(f"\n### {kind}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for steps in zip(*(record["steps"] for record in records.values()), strict=True):
        name, _, size = steps[-1]
        seconds = [f"{step[1]:.1f}" for step in steps]
        print(f"| {' | '.join([name, *seconds, f'{size / 1e6:.1f}', PEERS.get(name, '')])} |")
    peers = "23.5 minutes" if kind == "phrase" else ""
    for what, digits in (("seconds", 1), ("cpu", 1), ("peak", 2)):
        cells = [f"{record[what]:.{digits}f}" for record in records.values()]
        label = {"seconds": "all", "cpu": "CPU s of all", "peak": "peak of memory, GB"}[what]
        print(f"| {' | '.join([label, *cells, '', peers if what == 'seconds' else ''])} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        train(*sys.argv[2:5])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
