"""Fuzzes models, grammars, run folders and containers: `python -m tests.fuzz.fuzz_folders [seconds] [seed]`.

Whatever the bytes of a file are, and whatever is in its place, a command ends with a result or with a
TunesmithError, and soon. Checksums of containers and of manifests are made to fit in most cases, so that
damage reaches the code behind them.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.damaged_containers import mutations, section_mutations
from tests.mutations import changed_json, make_special
from tests.small_containers import KINDS
from tests.small_models import fit_manifest, write_small_corpus

from tunesmith.container import is_container
from tunesmith.decode import open_decoder
from tunesmith.errors import TunesmithError
from tunesmith.model import train
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import write_oracles
from tunesmith.tuning.model_tuning import tune_model
from tunesmith.xbleu.list_options import ListOptions
from tunesmith.xbleu.lists import write_lists

TOKENS = [
    b"null",
    b"-1",
    b"1e999",
    b"[]",
    b"{}",
    b'""',
    b"\xff",
    b"18446744073709551612",
    b"[X,1]",
    b"|||",
]
LONGEST = 120
"""Seconds that a command may take, on a loaded machine: none waits for a pipe, or reads a device."""
SENTENCES = ["der hund sieht das haus .", "ein kleines unbekanntes kind"]


def damaged(whole: bytes, generator: random.Random, *, is_binary: bool) -> bytes:
    """Return a mutation of a file, of the kind that its readers see most of."""
    seed = generator.randrange(1 << 30)
    if is_binary:
        if generator.random() < 0.8:
            return next(section_mutations(whole, 1, seed))[1]
    elif whole.lstrip()[:1] == b"{" and b"\n{" not in whole and generator.random() < 0.7:
        return next(itertools.islice(changed_json(whole, 20, seed), generator.randrange(20), None))
    elif generator.random() < 0.6:
        at = generator.randrange(len(whole))
        return whole[:at] + generator.choice(TOKENS) + whole[at + generator.randrange(8) :]
    return next(itertools.islice(mutations(whole, 8, seed), generator.randrange(8), None))


def decode(folder: Path) -> None:
    """Translate with the model of a folder."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):  # damaged, too
        fit_manifest(folder)
    options = {"pop_limit": 20, "memory": "256M"}
    list(open_decoder(folder, options=options).translate_all(SENTENCES, threads=1))


class Tuning:
    """Continues the run of a folder."""

    def __init__(self, corpus: Path, model: Path) -> None:
        self.corpus, self.model = corpus, model

    def __call__(self, folder: Path, iterations: int = 3) -> None:
        tune_model(
            *(self.model, self.corpus / "few.de", self.corpus / "few.en", "mira"),
            output=folder,
            iterations=iterations,
            nbest=10,
            threads=1,
        )


class Lists:
    """Continues the n-best lists of a folder."""

    def __init__(self, corpus: Path, model: Path) -> None:
        self.model = model
        self.text = {"source": corpus / "few.de", "target": corpus / "few.en"}

    def __call__(self, folder: Path) -> None:
        written = write_lists(
            self.model, folder, ListOptions(nbest=5, jackknife=False), Decoding(threads=1), **self.text
        )
        _ = written.store.counts, written.store.dense, written.store.record["text"]["pairs"]


class Oracles(Lists):
    """Continues the derivations of a folder."""

    def __call__(self, folder: Path) -> None:
        dev = {"tune_source": self.text["source"], "tune_references": [self.text["target"]]}
        written = write_oracles(
            self.model,
            folder,
            OracleOptions(nbest=1, jackknife=False),
            Decoding(threads=1),
            **dev,
            **self.text,
        )
        _ = written.store.counts.bleu("best"), written.store.files


Case = tuple[Path, Callable[[Path], object]]


def prepared(folder: Path) -> list[Case]:
    """Make a folder of each kind, and return how it is used; files are used in a folder of their own."""
    corpus = write_small_corpus(folder)
    for side in ("de", "en"):
        lines = (corpus / side).read_text().splitlines(keepends=True)
        (corpus / f"few.{side}").write_text("".join(lines[:8]))
        (corpus / side).write_text("".join(lines[:60]))
    align = (corpus / "align").read_text().splitlines(keepends=True)
    (corpus / "align").write_text("".join(align[:60]))
    cases: list[Case] = []
    for kind, options in {
        "phrases": {"max_phrase_length": 3},
        "rules": {"kind": "hiero", "grammar": "global", "max_rule_span": 5},
        "index": {"kind": "hiero", "grammar": "on-demand"},
    }.items():
        given = {"alignment": corpus / "align", "lm_order": 3, **options}
        train(corpus / "de", corpus / "en", folder / kind, **given)  # type: ignore[arg-type]
        cases.append((folder / kind, decode))
    tuning = Tuning(corpus, folder / "phrases")
    tuning(folder / "run", iterations=2)
    cases.append((folder / "run", tuning))
    for name, use in {"lists": Lists, "derivations": Oracles}.items():
        use(corpus, folder / "phrases")(folder / name)
        cases.append((folder / name, use(corpus, folder / "phrases")))
    for name, kind in KINDS.items():
        (folder / "containers" / name).mkdir(parents=True)
        kind.make(folder / "containers" / name / name)
        cases.append((folder / "containers" / name, lambda place, kind=kind: kind.read(place / place.name)))
    return cases


@contextlib.contextmanager
def within(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in the main thread if the block takes longer."""

    def end(number: int, frame: object) -> None:
        raise TimeoutError(f"took more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcomes(cases: list[Case], work: Path, seed: int) -> Iterator[tuple[str, bool]]:
    """Damage one file of one folder after the other; yield its name and whether it could still be used."""
    generator = random.Random(seed)
    for folder, use in itertools.cycle(cases):
        place = work / folder.name
        shutil.copytree(folder, place)
        files = [path for path in sorted(place.rglob("*")) if path.is_file() and path.stat().st_size]
        path = generator.choice(files)
        if generator.random() < 0.1:
            make_special(path, generator)
        else:
            path.write_bytes(damaged(path.read_bytes(), generator, is_binary=is_container(path)))
        try:
            with warnings.catch_warnings(), within(LONGEST):
                warnings.simplefilter("ignore")
                use(place)
        except TunesmithError:
            yield f"{folder.name}/{path.name}", False
        else:
            yield f"{folder.name}/{path.name}", True
        shutil.rmtree(place)


def main() -> None:
    """Run for some seconds; a file that a fault shows up with is kept in the temporary folder."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    folder = Path(tempfile.mkdtemp())
    (folder / "work").mkdir()
    cases = prepared(folder)
    begin, count, used = time.monotonic(), 0, 0
    for _, is_used in outcomes(cases, folder / "work", seed):
        count, used = count + 1, used + is_used
        if time.monotonic() - begin > seconds:
            break
    shutil.rmtree(folder)
    print(f"{count} damaged folders, {used} of them used, no fault")


if __name__ == "__main__":
    main()
