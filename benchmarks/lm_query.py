"""Speed of language model queries, measured from native code, compared with KenLM's probing model.

    python -m benchmarks.lm_query [--arpa FILE] [--text FILE]

The model is of order 5 on Europarl's English (or the ARPA file that is given); queries are the words of other
Europarl text, each after its state: in the order of the text, and all of them in random order, so that memory
latency dominates. Millions of queries per second of CPU time on one core, the best of runs that alternate
between the programs, because machines are noisy. KenLM is built from its source package, if
available; both answer the same queries, and the sums of their scores are compared.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks.machine import SHARED
from tunesmith.files import read_lines

HERE = Path(__file__).resolve().parent
DRIVERS = HERE / "lm_query_drivers"
NATIVE = HERE.parent / "native"
LIBRARY = HERE.parent / "build" / str(sys.implementation.cache_tag) / "libtunesmith_core.a"
"""What `make demo` builds."""
SENTENCES = 75_000
TOKEN = re.compile(r"\w+|[^\w\s]")
ROUNDS = 3
Rates = dict[str, tuple[float, float]]
"""By what was measured: millions of queries per second, and the sum of the log10 scores."""


def write_tokens(lines: Iterable[str], path: Path) -> Path:
    """Write lowercased lines, words and marks apart."""
    with path.open("w", encoding="utf-8") as out:
        out.writelines(" ".join(TOKEN.findall(line.lower())) + "\n" for line in lines)
    return path


def make_arpa(folder: Path) -> Path:
    """Train a model on Europarl."""
    text = write_tokens(read_lines(SHARED / "data" / "europarl-fr-en.train.en.xz"), folder / "train")
    arpa = folder / "lm.arpa"
    train = [sys.executable, "-m", "tunesmith", "lm", "train", str(text), "--order", "5", "-o", str(arpa)]
    subprocess.run(train, check=True, capture_output=True)
    return arpa


def compile_model(arpa: Path, binary: Path) -> None:
    """Compile in a process of its own and print what it took."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "tunesmith", "lm", "compile", str(arpa), "-o", str(binary)],
        check=True,
        capture_output=True,
    )
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"Compiled {arpa.stat().st_size / 1e6:.0f} MB of ARPA to {binary.stat().st_size / 1e6:.0f} MB in "
        f"{after.elapsed - before.elapsed:.1f} s ({cpu:.1f} s CPU); highest process {peak:.0f} MB.\n"
    )


def build(sources: Iterable[Path], includes: Iterable[Path], program: Path, *flags: str) -> Path:
    command = ["g++", "-std=c++20", "-O3", "-DNDEBUG", "-w", *flags]
    command += [f"-I{folder}" for folder in (DRIVERS, *includes)]
    subprocess.run([*command, *map(str, sources), "-o", str(program), "-pthread"], check=True)
    return program


def build_ours(folder: Path) -> Path:
    return build([DRIVERS / "ours.cpp", LIBRARY], [NATIVE / "include"], folder / "ours")


def build_kenlm(folder: Path) -> Path | None:
    """Build KenLM's queries from its source package; None, and a reason, where there is none."""
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-binary", "kenlm", "--no-deps"]
    done = subprocess.run(
        [*download, "kenlm", "-d", str(folder)], capture_output=True, text=True, check=False
    )
    packages = sorted(folder.glob("kenlm-*.tar.gz"))
    if not packages:
        print(f"KenLM is left out: its source package cannot be had ({done.stderr.strip()[-200:]}).\n")
        return None
    with tarfile.open(packages[0]) as archive:
        archive.extractall(folder, filter="data")
    root = next(path for path in folder.glob("kenlm-*") if path.is_dir())
    found = [*root.glob("util/double-conversion/*.cc"), *root.glob("util/*.cc"), *root.glob("lm/*.cc")]
    sources = [path for path in found if not path.name.endswith(("main.cc", "test.cc"))]
    flags = ("-DKENLM_MAX_ORDER=6", "-DHAVE_CLOCKGETTIME")
    return build([DRIVERS / "kenlm.cpp", *sources], [root], folder / "kenlm", *flags)


def measure(commands: dict[str, list[object]]) -> dict[str, Rates]:
    """Run the programs in turn, several times; keep the best rate of each."""
    columns: dict[str, Rates] = {name: {} for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            words = [str(word) for word in command]
            printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
            for what, _count, rate, total in (line.split("\t") for line in printed.splitlines()):
                best = columns[name].get(what, (0.0, 0.0))[0]
                columns[name][what] = (max(best, float(rate)), float(total))
    return columns


def show(columns: dict[str, Rates]) -> None:
    print(f"| M queries/s | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for name in columns["mapped"]:
        cells = [f"{rates[name][0]:.2f}" if name in rates else "" for rates in columns.values()]
        print(f"| {name} | {' | '.join(cells)} |")
    if "KenLM" in columns:
        theirs = columns.pop("KenLM")
        print()
        for column, ours in columns.items():
            ratios = [f"{name} {ours[name][0] / theirs[name][0]:.2f}" for name in theirs]
            print(f"{column.capitalize()} over KenLM: {', '.join(ratios)}.")
        apart = max(abs(ours[name][1] / theirs[name][1] - 1) for ours in columns.values() for name in theirs)
        print(f"The sums of the scores differ by {apart:.0e} of their size.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--arpa", type=Path, help="the model [trained on Europarl]")
    parser.add_argument("--text", type=Path, help="tokenized text to query [of Europarl]")
    options = parser.parse_args()
    if not (SHARED.is_dir() or (options.arpa and options.text)):
        print("Nothing measured: the shared data is not there, and no --arpa and --text were given.")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        arpa = options.arpa or make_arpa(folder)
        text = options.text
        if text is None:
            lines = read_lines(SHARED / "data" / "europarl-de-en.train.en.xz")
            text = write_tokens(lines[:: len(lines) // SENTENCES], folder / "queries")
        binary = folder / "lm.bin"
        compile_model(arpa, binary)
        ours, theirs = build_ours(folder), build_kenlm(folder)
        commands: dict[str, list[object]] = {
            "mapped": [ours, binary, text, "map"],
            "in memory": [ours, binary, text, "memory"],
        }
        if theirs is not None:
            subprocess.run([theirs, "--build", arpa, folder / "lm.kenlm"], check=True, capture_output=True)
            commands["KenLM"] = [theirs, folder / "lm.kenlm", text]
        show(measure(commands))


if __name__ == "__main__":
    main()
