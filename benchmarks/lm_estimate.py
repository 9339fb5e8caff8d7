"""Speed of estimating and writing a language model, compared with lmplz on the same text.

    python -m benchmarks.lm_estimate [--text FILE] [--order 5] [--memory 1G]

The text is the English side of Europarl fr-en (300,113 sentences, 8.3 M tokens), tokenized by sacremoses
and lowercased (kept under build/benchmarks, because that takes minutes). lmplz took 13.5 s, 17 s of CPU and
1,895 MB for it at order 5, on the peers' machine; the target is 1.5 times its time. Every run is a fresh
process on two threads, and includes reading the text and writing a plain ARPA file.
"""

from __future__ import annotations

import argparse
import json
import lzma
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.machine import SHARED, calibrate
from tunesmith.lm.estimate import estimate

LMPLZ_SECONDS, LMPLZ_CPU, LMPLZ_MB = 13.5, 17.0, 1895.0
TARGET = 1.5
PREPARED = Path(__file__).resolve().parents[1] / "build" / "benchmarks" / "europarl-fr-en.train.en"


def tokenize(lines: list[str]) -> str:
    from sacremoses import MosesTokenizer

    tokenizer = MosesTokenizer(lang="en")
    return "".join(" ".join(tokenizer.tokenize(line, escape=False)).lower() + "\n" for line in lines)


def prepare() -> Path:
    """Tokenize and lowercase Europarl once."""
    if not PREPARED.exists():
        with lzma.open(SHARED / "data" / "europarl-fr-en.train.en.xz", "rt", encoding="utf-8") as stream:
            lines = stream.read().split("\n")[:-1]
        parts = [lines[begin : begin + 5000] for begin in range(0, len(lines), 5000)]
        with multiprocessing.Pool() as workers:
            text = "".join(workers.imap(tokenize, parts))
        PREPARED.parent.mkdir(parents=True, exist_ok=True)
        PREPARED.write_text(text, encoding="utf-8")
    return PREPARED


def measure(text: str, order: int, memory: str, output: str) -> dict[str, float]:
    """Estimate and write in this process; called in a fresh one."""
    start = time.perf_counter()
    model = estimate(text, order=order, memory=memory, threads=2)
    estimated = time.perf_counter()
    model.write_arpa(output)
    return {
        "estimate": estimated - start,
        "write": time.perf_counter() - estimated,
        "cpu": time.process_time(),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "tokens": model.tokens,
        "ngrams": sum(model.counts),
        "bytes": Path(output).stat().st_size,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--text", type=Path, help="tokenized text instead of Europarl's")
    parser.add_argument("--order", type=int, default=5)
    parser.add_argument("--memory", nargs="*", default=["1G", "64M"])
    parser.add_argument("--measure", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        text, order, memory, output = options.measure
        print(json.dumps(measure(text, int(order), memory, output)))
        return
    if options.text is None and not (SHARED / "data").is_dir():
        print("the shared data is not here: name a text")
        return
    comparable = options.text is None and options.order == 5
    text = options.text or prepare()
    speed = calibrate().speed or 1.0
    print("| memory | estimate s | write s | CPU s | peak MB | M tokens | M n-grams | ARPA MB |")
    print("|---|---|---|---|---|---|---|---|")
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for memory in options.memory:
            output = Path(folder) / "lm.arpa"
            words = ["--measure", text, options.order, memory, output]
            command = [sys.executable, "-m", "benchmarks.lm_estimate", *(str(word) for word in words)]
            answer = subprocess.run(command, env=os.environ, capture_output=True, check=True)
            found = json.loads(answer.stdout)
            runs.append(found)
            print(
                f"| {memory} | {found['estimate']:.1f} | {found['write']:.1f} | {found['cpu']:.1f} |"
                f" {found['peak']:.0f} | {found['tokens'] / 1e6:.1f} | {found['ngrams'] / 1e6:.1f} |"
                f" {found['bytes'] / 1e6:.0f} |"
            )
            output.unlink()
    if comparable:
        first = runs[0]
        wall = (first["estimate"] + first["write"]) * speed / LMPLZ_SECONDS
        print(
            f"\nAt {options.memory[0]}, scaled by this machine's speed of {speed:.2f} times the peers':"
            f" {wall:.2f} of lmplz's time (target {TARGET}), {first['cpu'] * speed / LMPLZ_CPU:.2f} of its"
            f" CPU time, {first['peak'] / LMPLZ_MB:.2f} of its memory."
        )


if __name__ == "__main__":
    main()
