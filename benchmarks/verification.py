"""What it costs to compare the checksums of a model's files, as a share of decoding.

    python -m benchmarks.verification

Moses' model of Multi30k (the full tables), its files in the page cache. Opening is of phrase table and
language model in a new process; decoding is the whole command on the 1,000 sentences of test_2016, with one
thread. All times are of the CPU, the best of several rounds: machines are shared.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.decoding import MOSES, import_full
from benchmarks.machine import SHARED
from tunesmith.files import read_lines

OPEN = """
import sys, time
from tunesmith.model import Model
begin = time.process_time()
model = Model.open(sys.argv[1], verify=sys.argv[2] == "all")
model.phrase_table(), model.language_model()
print(time.process_time() - begin)
"""
ROUNDS = 5


def opening(model: Path, cache: Path, verify: str) -> float:
    """Return the seconds of opening the binary files of a model in a new process."""
    command = [sys.executable, "-c", OPEN, str(model), verify]
    done = subprocess.run(
        command, env={**os.environ, "XDG_CACHE_HOME": str(cache)}, check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def decoding(model: Path, source: Path, cache: Path, verify: str) -> float:
    """Return the seconds of the whole command."""
    command = [sys.executable, "-m", "tunesmith", "decode", str(model), "--threads", "1", "--quiet"]
    files = ["--input", str(source), "--output", os.devnull, *(["--verify"] if verify == "all" else [])]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, *files], env={**os.environ, "XDG_CACHE_HOME": str(cache)}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    if not MOSES.is_dir():
        print("Nothing measured: the shared data is not there.")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = import_full(folder)
        source, cache, none = folder / "source", folder / "cache", Path(os.devnull)
        sentences = read_lines(SHARED / "data" / "multi30k.test_2016.de.xz")
        source.write_text("".join(line + "\n" for line in sentences), encoding="utf-8")
        opening(model, cache, "changed")  # makes the records, and fills the page cache
        print("| the files were | opening, ms | decoding, s |\n|---|---|---|")
        for what, records, verify in (
            ("compared before", cache, "changed"),
            ("not compared before, or there is no cache folder", none, "changed"),
            ("compared before; `--verify`", cache, "all"),
        ):
            opened = min(opening(model, records, verify) for _ in range(ROUNDS))
            decoded = min(decoding(model, source, records, verify) for _ in range(ROUNDS))
            print(f"| {what} | {1000 * opened:.0f} | {decoded:.2f} |", flush=True)


if __name__ == "__main__":
    main()
