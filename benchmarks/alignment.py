"""Word alignment: time and memory compared with fast_align, agreement with it and eflomal, and error rate.

python -m benchmarks.alignment [SOURCE TARGET]

Without files: Multi30k de-en, beside fast_align's figures there, and generated text. With two files of
tokenized text, also that text with the diagonal model and the HMM: both directions and symmetrization,
reading included. eflomal is measured if it is installed (`pip install eflomal`).
"command" is all of `tunesmith align` in a process of its own, as fast_align's and atools' seconds are of
theirs; "warm" is the same call within a running interpreter. Two threads.
"""

from __future__ import annotations

import importlib.util
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
from tunesmith.align import Aligner, align_corpus, alignment_error_rate, symmetrize, train_aligner
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.files import read_lines
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


def eflomal_links(source: Sequence[str], target: Sequence[str]) -> tuple[Alignments, Alignments, float]:
    """Align lines by eflomal with its default options; return both directions and the CPU seconds."""
    import eflomal

    before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) + time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("forward", "reverse")]
        eflomal.Aligner().align(
            list(source), list(target), links_filename_fwd=files[0], links_filename_rev=files[1]
        )
        cpu = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) + time.process_time() - before
        forward, reverse = map(Alignments.read, files)
    return forward, reverse, cpu


def has_eflomal() -> bool:
    return importlib.util.find_spec("eflomal") is not None


def show_error() -> None:
    """Print the alignment error rate of each model on generated text."""
    pairs = list(generate(PAIRS, seed=1, lowercase=True))
    bitext = Bitext(
        Sentences.of(pair.source for pair in pairs), Sentences.of(pair.references[0] for pair in pairs)
    )
    gold = Alignments.of(pair.alignment for pair in pairs)
    print(f"\nAlignment error rate x100 on {PAIRS:,} generated pairs:\n")
    print("| model | forward | reverse | joined | log likelihood, forward |\n|---|---|---|---|---|")
    for name in ("ibm1", "diagonal", "hmm", "ibm4"):
        aligner = train_aligner(bitext, name)
        directions = aligner.directions(bitext)
        joined = symmetrize(*directions)
        rates = [100 * alignment_error_rate(each, gold).aer for each in (*directions, joined)]
        cells = " | ".join(f"{rate:.2f}" for rate in rates)
        print(f"| {name} | {cells} | {aligner.history[-1].forward:,.0f} |")
    if has_eflomal():
        sides = [pair.source for pair in pairs], [pair.references[0] for pair in pairs]
        forward, reverse, _ = eflomal_links(*sides)
        found = forward, reverse, symmetrize(forward, reverse)
        cells = " | ".join(f"{100 * alignment_error_rate(each, gold).aer:.2f}" for each in found)
        print(f"| eflomal | {cells} | |")


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
    for name in ("diagonal", "hmm", "ibm1", "ibm4"):
        whole = command(name, *files)
        _, wall, cpu = timed(lambda name=name: align_corpus(Bitext.read(*files), name))  # type: ignore[misc]
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
    if has_eflomal():
        show_eflomal(files, bitext)


def show_eflomal(files: tuple[Path, Path], bitext: Bitext) -> None:
    """Print eflomal's CPU time, and the F1 of its symmetrized links and ours."""
    forward, reverse, cpu = eflomal_links(*(read_lines(file) for file in files))
    joined = symmetrize(forward, reverse)
    print(f"\neflomal, both directions: {cpu:.1f} s CPU")
    for name in ("diagonal", "hmm", "ibm4"):
        agreement = 1 - alignment_error_rate(train_aligner(bitext, name).align(bitext), joined).aer
        print(f"{name}: F1 {agreement:.4f} with eflomal's links, symmetrized")


def command(model: str, source: Path, target: Path) -> Measured:
    """Measure the whole command, the quickest of three."""
    with tempfile.TemporaryDirectory() as folder:
        files = ("--source", source, "--target", target, "-o", Path(folder) / "links")
        return measure_command("align", *files, "--aligner", model, "--threads", 2, "--quiet", rounds=3)


def show_files(source: Path, target: Path) -> None:
    """Time the diagonal model and the HMM on a bitext of one's own."""
    for model in ("diagonal", "hmm"):
        links, wall, cpu = timed(lambda model=model: align_corpus(Bitext.read(source, target), model))  # type: ignore[misc]
        print(
            f"\n{source} {target}, {model}: {len(links):,} pairs in {wall:.1f} s wall, {cpu:.1f} s CPU,",
            end=" ",
        )
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
