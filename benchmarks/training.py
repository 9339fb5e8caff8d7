"""From raw Europarl French-English (300,113 pairs, 7.5 M words per side) to a phrase and a hiero model.

    python -m benchmarks.training [pairs]

Text is tokenized, lowercased, aligned by the diagonal model, and goes into a 5-gram model and either a phrase
table with hier-mslr reordering or an index for grammars on demand, on 2 threads. Each model is trained in a
process of its own; the peak is that process's. The bar is 10 minutes and 8 GB for each.
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
from pathlib import Path

from benchmarks.machine import SHARED, calibrate

PEERS = {
    "alignment": "fast_align 208 + 195 s",
    "language model": "lmplz 13.5 s",
    "phrase table": "Moses 993 s, lexicon to reordering",
}


def train(kind: str, folder: str) -> None:
    """Train in this process and print what it took; called in a fresh one."""
    from tunesmith.model.training import train as train_model

    start = time.perf_counter()
    trained = train_model(
        Path(folder) / "train.fr",
        Path(folder) / "train.en",
        Path(folder) / kind,
        kind=kind,
        source_language="fr",
        target_language="en",
        tokenize="moses",
        case="lower",
        aligner="diagonal",
        threads=2,
        progress=lambda line: print(line, file=sys.stderr),
    )
    record = {
        "seconds": time.perf_counter() - start,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
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
            command = [sys.executable, "-m", "benchmarks.training", "--train", kind, folder]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=os.environ)
            record = json.loads(done.stdout)
            print(f"\n### {kind}\n\n| step | s | MB | the peers, on their machine |\n|---|---|---|---|")
            for name, seconds, size in record["steps"]:
                print(f"| {name} | {seconds:.1f} | {size / 1e6:.1f} | {PEERS.get(name, '')} |")
            peak = record["peak"] / 1e9
            peers = "23.5 minutes" if kind == "phrase" else ""
            print(f"| all | {record['seconds']:.1f} | peak {peak:.2f} GB of memory | {peers} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--train"]:
        train(*sys.argv[2:4])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else None)
