"""Re-estimated models beside their baseline: phrase pairs, bytes, time of decoding; and time of counting.

    python -m benchmarks.reestimation WEIGHTS SOURCE MODEL MODEL2 [MODEL3 ...]

The tokenized text SOURCE is translated by each model with the same weights, in turn, three times; the best
time counts, CPU time per sentence on all cores. If a model has its derivations (`tunesmith reestimate
--keep-derivations`), their phrases are counted once more, with orientations by extraction.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from tunesmith.decode.opening import open_decoder
from tunesmith.files import read_lines
from tunesmith.model import Model
from tunesmith.reestimate.counting import count_uses
from tunesmith.reestimate.reestimation import DERIVATIONS
from tunesmith.reestimate.store import DerivationStore

ROUNDS = 3


def decoding_ms(model: Path, weights: Path, lines: list[str]) -> float:
    """Return the CPU time per sentence, in milliseconds."""
    decoder = open_decoder(model, weights)
    began = time.process_time()
    for _ in decoder.translate_all(lines):
        pass
    return 1000 * (time.process_time() - began) / len(lines)


def show_decoding(weights: Path, source: Path, models: list[Path]) -> None:
    """Print one row per model."""
    lines = read_lines(source)
    times = [[decoding_ms(model, weights, lines) for model in models] for _ in range(ROUNDS)]
    print("| model | pairs | table, MB | decoding: ms of CPU per sentence |")
    print("|---|---|---|---|")
    for number, model in enumerate(models):
        table = Model.open(model).phrase_table()
        size = table.path.stat().st_size / 1e6
        print(f"| {model.name} | {len(table):,} | {size:.1f} | {min(each[number] for each in times):.2f} |")


def show_counting(model: Path) -> None:
    """Print the time of counting the derivations that a model has."""
    store = DerivationStore.open(model / DERIVATIONS)
    with tempfile.TemporaryDirectory() as name:
        began, cpu = time.perf_counter(), time.process_time()
        found = count_uses(store.files, Path(name) / "uses", Path(name) / "extracted")
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(
        f"{model.name}: {found.derivations:,} derivations of {found.sentences:,} sentences,"
        f" {found.pairs:,} pairs, counted in {wall:.1f} s, {cpu:.1f} s of CPU"
    )


def main() -> None:
    if len(sys.argv) < 5:
        print(__doc__)
        return
    weights, source, *models = map(Path, sys.argv[1:])
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start.\n", flush=True)
    show_decoding(weights, source, models)
    print()
    for model in models:
        if (model / DERIVATIONS).is_dir():
            show_counting(model)


if __name__ == "__main__":
    main()
