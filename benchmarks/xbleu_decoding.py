"""Decoding with trained reordering models: CPU time beside that of the model with its lexicalized one.

    [MULTI30K_MODEL=folder EUROPARL_MODEL=folder] python -m benchmarks.xbleu_decoding

Phrase models of Multi30k de-en (test_2016) and of Europarl fr-en (200 sentences of its test set) with a
hierarchical reordering model, and the same with a trained model attached: SparseHRMLocal, SparseHRM and
SparseHRM+BiPhrases. The weights of the trained models are random numbers for the features of the forests of
these sentences. Pop limit 200, one thread, warm; CPU seconds are sums over parts of 20 sentences, of the
best of several rounds that take turns, so that other work on the machine disturbs little.
Classes of words are made from the training text where the model has none. Aims: 1.05 times the time for
SparseHRMLocal, 1.3 times for SparseHRM+BiPhrases.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.machine import SHARED
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.preparation import model_side
from tunesmith.features import SparseHRM, SparseHRMBiPhrases, SparseHRMLocal
from tunesmith.features.sparse_reordering import SparseReordering
from tunesmith.files import read_lines
from tunesmith.texts import Texts
from tunesmith.weights import WeightStore
from tunesmith.xbleu.attach import attach
from tunesmith.xbleu.reordering import TrainedReordering
from tunesmith.xbleu.word_lists import provide_lists

DATA = SHARED / "data"
POP_LIMIT, ROUNDS, PART, SIZE = 200, 12, 20, 0.05
SETS = (SparseHRMLocal(), SparseHRM(), SparseHRMBiPhrases())
BASE = "lexicalized"


def linked(model: Path, folder: Path) -> Path:
    """Make a folder with links to the files of a model, so that lists can be put beside them."""
    folder.mkdir()
    for path in model.iterdir():
        if path.is_file():
            (folder / path.name).symlink_to(path.resolve())
    return folder


def write_trained(folder: Path, model: Path, template: SparseReordering, sentences: Sequence[str]) -> Path:
    """Write a trained model with random weights for the features of the sentences' forests."""
    decoder = open_decoder(model, options={"pop_limit": POP_LIMIT}, templates=[template])
    names: set[str] = set()
    for found in decoder.translate_all(sentences, forest=True):
        assert found.forest is not None
        names.update(filter(template.owns, found.forest.feature_names))
    draw = random.Random(1)
    folder.mkdir()
    provide_lists(template, model, folder)
    store = WeightStore.of({name: draw.gauss(0, SIZE) for name in sorted(names)})
    TrainedReordering.write(folder, template.with_lists(folder), store, {})
    return folder


def seconds_of(decoder: AnyDecoder, sentences: Sequence[str]) -> tuple[float, int]:
    """Return the CPU seconds of translating the sentences, and the number of edges of the searches."""
    begin = time.process_time()
    found = list(decoder.translate_all(sentences, threads=1))
    return time.process_time() - begin, sum(each.native.edges for each in found)


def compare(title: str, model: Path, sentences: Sequence[str], folder: Path) -> None:
    """Print a row per feature set."""
    decoders = {BASE: open_decoder(model, options={"pop_limit": POP_LIMIT})}
    for template in SETS:
        provide_lists(template, model, model)
    for template in SETS:
        trained = write_trained(folder / template.name, model, template, sentences)
        begin = time.process_time()
        attached = attach(model, trained, folder / f"{template.name}-model", threads=1).directory
        decoders[template.name] = open_decoder(attached, options={"pop_limit": POP_LIMIT})
        rows = (attached / "reordering" / "rows.0.bin").stat().st_size
        print(f"{template.name}: {time.process_time() - begin:.1f} s to attach, {rows:,} bytes", flush=True)
    parts = [sentences[begin : begin + PART] for begin in range(0, len(sentences), PART)]
    seconds = dict.fromkeys(decoders, 0.0)
    edges = dict.fromkeys(decoders, 0)
    for part in parts:
        best: dict[str, float] = {}
        for round_number in range(ROUNDS + 1):
            for shown, decoder in decoders.items():
                took, count = seconds_of(decoder, part)
                if round_number == 0:  # it fills the caches
                    edges[shown] += count
                else:
                    best[shown] = min(took, best.get(shown, took))
        for shown, took in best.items():
            seconds[shown] += took
    for shown, took in seconds.items():
        print(
            f"| {title}: {shown} | {took:.3f} | {took / seconds[BASE]:.3f} | {edges[shown]:,} |", flush=True
        )


def main() -> None:
    print("| model | CPU seconds | times | edges |\n|---|---|---|---|")
    tests = (
        ("Multi30k", "MULTI30K_MODEL", "multi30k.test_2016.de.xz", 1000),
        ("Europarl", "EUROPARL_MODEL", "europarl-fr-en.test.fr.xz", 200),
    )
    for title, variable, test, size in tests:
        model = os.environ.get(variable)
        if not model or not (DATA / test).exists():
            print(f"{title}: no model; name one by {variable}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            side = model_side(model, "source")
            sentences = list(side.prepare(Texts.of(list(read_lines(DATA / test))[:size])))
            compare(title, linked(Path(model), Path(folder) / "model"), sentences, Path(folder))


if __name__ == "__main__":
    main()
