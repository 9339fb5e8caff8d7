"""Joined aligners: CPU time of alignment and of the whole training, beside one aligner.

python -m benchmarks.joined_aligners [PAIRS [ROUNDS [SRC]]]

The text is the first PAIRS (30,000) of Europarl French-English, tokenized and lowercased. Alignment is that
of `train` (reading, training, both directions, symmetrization, writing) in a process of its own, where ibm4
goes on from the HMM if that is there. With SRC, the `src` folder of another version, that is measured in the
same rounds. Medians of user CPU seconds with one thread.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks.changing_weights import DATA, europarl_lines
from tunesmith.corpus.prepare import PrepareOptions, prepare

LANGUAGES = ("fr", "en")
SETS = ("diagonal", "hmm", "ibm4", "hmm,ibm4,diagonal")
TRAINED = ("hmm", "hmm,ibm4,diagonal")
ALIGN = """
import sys
from tunesmith.align import train_aligner
from tunesmith.align.model import get_model
from tunesmith.corpus import Bitext

done = []
for name in sys.argv[3].split(","):
    bitext = Bitext.read(*sys.argv[1:3])
    wanted = getattr(get_model(name), "predecessor", None)
    start = {"start": each for each in done if each.model == wanted}
    done.append(train_aligner(bitext, name, threads=1, **start))
    done[-1].align(bitext, threads=1).write(sys.argv[4] + name)
"""


def cpu(command: list[str], src: Path) -> float:
    """Run a command of the version in `src`, and return its user CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(src)}, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def europarl(pairs: int, folder: Path) -> list[str]:
    """Write both sides of the first pairs, tokenized and lowercased, and return their paths."""
    for side in LANGUAGES:
        lines = europarl_lines(f"train.{side}")[:pairs]
        (folder / f"raw.{side}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    raw = (folder / f"raw.{side}" for side in LANGUAGES)
    prepare(*raw, folder / "text", PrepareOptions(*LANGUAGES, case="lower"), threads=1)
    return [str(folder / f"text.{side}") for side in LANGUAGES]


def main(pairs: int = 30_000, rounds: int = 3, other: str | None = None) -> None:
    """Print the medians of interleaved rounds."""
    if not (DATA / "europarl-fr-en.train.fr.xz").exists():
        print("the shared data is not beside this checkout: nothing was measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(*europarl(pairs, Path(folder)), rounds, other)


def measure(source: str, target: str, rounds: int, other: str | None) -> None:
    """Align and train in interleaved rounds, and print the medians."""
    here = Path(__file__).resolve().parents[1] / "src"
    versions = {"this version": here} | ({"the other": Path(other).resolve()} if other else {})
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for _ in range(rounds):
        for version, src in versions.items():
            with tempfile.TemporaryDirectory() as folder:
                for names in SETS:
                    command = [sys.executable, "-c", ALIGN, source, target, names, f"{folder}/links."]
                    found["align", names, version].append(cpu(command, src))
                for names in TRAINED:
                    files = ["--source", source, "--target", target, "-o", f"{folder}/{names}"]
                    command = [sys.executable, "-m", "tunesmith", "train", *files, "--aligner", names]
                    found["train", names, version].append(cpu([*command, "--threads", "1", "--quiet"], src))
    print(f"{rounds} interleaved rounds, load {os.getloadavg()[0]:.1f} at the end.\n")
    print(f"| user CPU seconds | {' | '.join(versions)} |\n|---|{'---|' * len(versions)}")
    for work, sets in (("align", SETS), ("train", TRAINED)):
        middle = {
            key: statistics.median(found[work, *key]) for key in ((n, v) for n in sets for v in versions)
        }
        for names in sets:
            values = (
                f"{middle[names, v]:.1f} ({middle[names, v] / middle[sets[0], v]:.2f}x)" for v in versions
            )
            print(f"| {work}: {names} | {' | '.join(values)} |")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*map(int, given[:2]), *given[2:3])
