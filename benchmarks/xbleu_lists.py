"""N-best lists of the training text, as reordering models are trained on: time per sentence, and bytes.

    python -m benchmarks.xbleu_lists [MODEL [WEIGHTS]]

MODEL is a phrase model of Europarl French-English that was trained with `--folds 10`; without it one is
trained first, on the whole text. Sentences of one fold, drawn at random, are translated without that fold as
`tunesmith xbleu lists` does, at the default pop limit, to 100-best lists. Its table, which has only what the
fold's sentences need, and its language model are timed apart. "Search" is the searches alone, whose options
are new or, "warm", known from an earlier round (the best of several); "lists" adds the search for the n best
strings, their events and the file. The last line is what 136,000 sentences in ten folds would take. The bar:
20 minutes on 2 idle cores; lists add at most 15% to the searches; 40 bytes per candidate and 100 per event.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

import numpy as np

from benchmarks.changing_weights import DATA, europarl_lines
from tunesmith import _native
from tunesmith.decode import open_decoder
from tunesmith.decode.base import AnyDecoder
from tunesmith.model import train
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.jackknife.usable_pairs import UsablePairs, take_lines
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.xbleu.list_counts import count_file

FOLD = 3
SENTENCES = 2000
BATCH = 250
NBEST = 100
ROUNDS = 4
WANTED = 136_000
FOLDS = 10


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of a call, and the CPU seconds of this process."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def train_folded(folder: Path) -> Path:
    """Train a model of Europarl in ten folds."""
    for side in ("fr", "en"):
        text = "".join(f"{line}\n" for line in europarl_lines(f"train.{side}"))
        (folder / side).write_text(text, encoding="utf-8")
    languages = {"source_language": "fr", "target_language": "en"}
    train(folder / "fr", folder / "en", folder / "model", folds=FOLDS, tokenize="moses", **languages)
    return folder / "model"


def search(decoder: AnyDecoder, sources: Texts) -> None:
    """Search only; the forests of a batch are dropped."""
    options = decoder.native_options(forest=False)
    for begin in range(0, len(sources), BATCH):
        requests = [
            _native.DecoderRequest(_native.WordLattice.sentence(text))
            for text in sources[begin : begin + BATCH]
        ]
        _native.search_scored_forests(decoder.native_model, options, requests, thread_count(None))


def write(decoder: AnyDecoder, sources: Texts, targets: Texts, path: Path) -> None:
    """Search and write lists."""
    writer, options = _native.ListWriter(), decoder.native_options(forest=False)
    for begin in range(0, len(sources), BATCH):
        rows = np.arange(begin, min(begin + BATCH, len(sources)))
        sides = [side.take(rows) for side in (sources, targets)]
        arrays = [(side.blob, side.offsets) for side in sides]
        writer.decode(
            decoder.native_model, options, *arrays, rows.astype(np.uint32), NBEST, thread_count(None)
        )
    writer.write(str(path))


def measure(model: Path, weights: Path | None, folder: Path) -> None:
    """Print the table."""
    models = replace(FoldModels.of(model), confined=True, folder=folder / "folds")
    text = [models.home / name for name in ("source.txt", "target.txt")]
    usable = UsablePairs.of(text, models.fold_of_pairs).rows
    own = usable[models.fold_of_pairs[usable] == FOLD]
    drawn = np.sort(np.random.default_rng(1).choice(own, 2 * SENTENCES, replace=False))
    first, second = (take_lines(text, half) for half in (drawn[::2], drawn[1::2]))
    began, cpu = time.perf_counter(), time.process_time()
    with models.open(FOLD) as directory:
        fold = time.perf_counter() - began, time.process_time() - cpu
        decoder = open_decoder(directory, weights)
        path = folder / "lists"
        rows = {"search": timed(lambda: search(decoder, first[0]))}
        rounds: dict[str, list[tuple[float, float]]] = {"search, warm": [], "lists, warm": []}
        for _ in range(ROUNDS):
            rounds["search, warm"].append(timed(lambda: search(decoder, first[0])))
            rounds["lists, warm"].append(timed(lambda: write(decoder, *first, path)))
        rows |= {name: min(times, key=itemgetter(1)) for name, times in rounds.items()}
        rows["lists"] = written = timed(lambda: write(decoder, *second, path))
    print("| what | s | CPU s | ms of CPU per sentence |")
    print("|---|---|---|---|")
    print(f"| table and language model of a fold | {fold[0]:.1f} | {fold[1]:.1f} | |")
    for name, (wall, cpu) in rows.items():
        print(f"| {name} | {wall:.1f} | {cpu:.1f} | {1000 * cpu / SENTENCES:.2f} |")
    counts = count_file(path, 0, 0, 0)
    print(
        f"\n{counts.sentences:,} lists, {counts.candidates:,} candidates;"
        f" {counts.bytes_per_candidate:.1f} bytes per candidate, {counts.bytes_per_event:.1f} per event,"
        f" {counts.events / counts.sentences:.1f} different events per list. Sentence BLEU"
        f" {100 * counts.first_bleu / counts.sentences:.2f} of the first candidates,"
        f" {100 * counts.oracle_bleu / counts.sentences:.2f} of the best."
    )
    whole = FOLDS * fold[0] + WANTED / SENTENCES * written[0]
    least = (FOLDS * fold[1] + WANTED / SENTENCES * written[1]) / 60
    print(
        f"\n{WANTED:,} sentences in {FOLDS} folds: {whole / 60:.1f} minutes at this load, {least:.1f} of CPU"
        f" time; {WANTED / SENTENCES * written[0] / 60:.1f} of the former are lists."
    )


def main() -> None:
    model, weights = [*map(Path, sys.argv[1:3]), None, None][:2]
    if model is None and not (DATA / "europarl-fr-en.train.fr.xz").exists():
        print("Nothing measured: the shared data is not there.")
        return
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start.\n", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(model or train_folded(folder), weights, folder)


if __name__ == "__main__":
    main()
