"""Word alignment: time and memory compared with fast_align, agreement with it, and error rate.

python -m benchmarks.alignment [SOURCE TARGET]

Without files: Multi30k de-en, beside fast_align's figures there, and generated text. With two files of
tokenized text, also that text with the diagonal model: both directions and symmetrization, reading included.
"command" is all of `tunesmith align` in a process of its own, as fast_align's and atools' seconds are of
theirs; "warm" is the same call within a running interpreter. Two threads.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks.command import Measured, measure_command
from benchmarks.machine import SHARED, calibrate
from benchmarks.peers import show_side_by_side
from tunesmith.align import Aligner, align, alignment_error_rate, symmetrize, train_aligner
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.generated import generate

DATA = SHARED / "data"
FAST_ALIGN_SECONDS = 4.3 + 4.0 + 0.3
"""Both directions and symmetrization of Multi30k on 2 cores of the peers' machine."""
PAIRS = 4000

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float, float]:
    """Return the result, wall seconds and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def peak_megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def show_error() -> None:
    """Print the alignment error rate of each model on generated text."""
    pairs = list(generate(PAIRS, seed=1, lowercase=True))
    bitext = Bitext(
        Sentences.of(pair.source for pair in pairs), Sentences.of(pair.references[0] for pair in pairs)
    )
    gold = Alignments.of(pair.alignment for pair in pairs)
    print(f"\nAlignment error rate x100 on {PAIRS:,} generated pairs:\n")
    print("| model | forward | reverse | joined | log likelihood, forward |\n|---|---|---|---|---|")
    for name in ("ibm1", "diagonal", "hmm"):
        aligner = train_aligner(bitext, name)
        directions = aligner.directions(bitext)
        joined = symmetrize(*directions)
        rates = [100 * alignment_error_rate(each, gold).aer for each in (*directions, joined)]
        cells = " | ".join(f"{rate:.2f}" for rate in rates)
        print(f"| {name} | {cells} | {aligner.history[-1].forward:,.0f} |")


def show_agreement(aligner: Aligner, bitext: Bitext) -> None:
    """Print the F1 of our links and fast_align's."""
    moses = DATA / "moses"
    directions = aligner.directions(bitext)
    for found, name in (
        (directions[0], "fast_align.fwd.gz"),
        (directions[1], "fast_align.rev.gz"),
        (symmetrize(*directions), "aligned.grow-diag-final-and.gz"),
    ):
        agreement = 1 - alignment_error_rate(found, Alignments.read(moses / name)).aer
        print(f"{aligner.model.name}: F1 {agreement:.4f} with {name}")


def show_multi30k() -> None:
    """Time the models on Multi30k de-en."""
    files = DATA / "multi30k.train.de.xz", DATA / "multi30k.train.en.xz"
    machine = calibrate()
    print("Multi30k de-en, both directions and symmetrization, reading included:\n")
    peer = FAST_ALIGN_SECONDS / (machine.speed or 1.0)
    print(
        "| model | command: wall s | CPU s | peak MB | warm: wall s | CPU s | fast_align / command"
        " | fast_align / warm |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in ("diagonal", "hmm", "ibm1"):
        whole = command(name, *files)
        _, wall, cpu = timed(lambda name=name: align(Bitext.read(*files), name))  # type: ignore[misc]
        print(
            f"| {name} | {whole.seconds:.2f} | {whole.cpu:.2f} | {whole.megabytes:.0f} | {wall:.2f} |"
            f" {cpu:.2f} | {peer / whole.seconds:.1f}x | {peer / wall:.1f}x |",
            flush=True,
        )
    print(f"\nfast_align both ways and atools: {peer:.2f} s at the speed of this machine.")
    show_side_by_side("align")
    print()
    bitext = Bitext.read(*files)
    for name in ("diagonal", "hmm"):
        show_agreement(train_aligner(bitext, name), bitext)


def command(model: str, source: Path, target: Path) -> Measured:
    """Measure the whole command, the quickest of three."""
    with tempfile.TemporaryDirectory() as folder:
        files = ("--source", source, "--target", target, "-o", Path(folder) / "links")
        return measure_command("align", *files, "--model", model, "--threads", 2, "--quiet", rounds=3)


def show_files(source: Path, target: Path) -> None:
    """Time the diagonal model on a bitext of one's own."""
    links, wall, cpu = timed(lambda: align(Bitext.read(source, target), "diagonal"))
    print(f"\n{source} {target}: {len(links):,} pairs in {wall:.1f} s wall, {cpu:.1f} s CPU,", end=" ")
    print(f"peak {peak_megabytes():,} MB")


def main(files: Sequence[str] = ()) -> None:
    """Print all tables."""
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start.\n")
    if DATA.is_dir():
        show_multi30k()
    show_error()
    if files:
        show_files(Path(files[0]), Path(files[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
