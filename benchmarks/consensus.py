"""Consensus decoding: BLEU and CPU time of each rule compared with Viterbi.

    python -m benchmarks.consensus [MODEL ...]

Moses' phrase model of Multi30k (filtered tables, MERT weights), on the 1,000 sentences of test_2016, or given
models. Forests are decoded once, with contexts of three words. MERT's weights have no scale of their own, so
several are shown beside the default, a fixed sharpness. "CPU s" is that of choosing by the default;
beside it are its ratios to that of a given scale, and to decoding with forests. Lists are the 100 best
distinct strings of the same forests.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.machine import SHARED, calibrate
from tunesmith.consensus import ConsensusRule, consensus_rule
from tunesmith.decode import Translation, open_decoder
from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.consensus import choose_translations
from tunesmith.files import read_lines
from tunesmith.forest import kbest_pool
from tunesmith.metrics.evaluation import evaluate
from tunesmith.model.importing import import_model

DATA = SHARED / "data"
SCALES = (None, 1.0, 3.0, 10.0, 30.0)
RULES: list[tuple[str, dict[str, object]]] = [
    ("fast", {}),
    ("fast", {"metric": "bleu(sentence='none')"}),
    ("fast", {"size": 1000}),
    ("linear", {}),
    ("linear", {"posterior": "counts"}),
    ("mbr", {}),
    ("mbr", {"metric": "chrf"}),
    ("variational", {}),
    ("variational", {"viterbi": 1.0}),
]


def timed(run: Callable[[], list[str]]) -> tuple[float, list[str]]:
    begin = time.process_time()
    texts = run()
    return time.process_time() - begin, texts


def show(
    name: str, rows: Callable[[ConsensusRule], list[str]], references: Sequence[str], decoding: float
) -> None:
    scales = " | ".join("default" if scale is None else f"scale {scale:g}" for scale in SCALES)
    print(f"\n{name}\n\n| rule | {scales} | CPU s | of a given scale | of decoding |")
    print("|---" * (len(SCALES) + 4) + "|")
    for rule, options in RULES:
        cells, times = [], []
        for scale in SCALES:
            chosen = consensus_rule(rule, scale=scale, **options)
            seconds, texts = timed(lambda chosen=chosen: rows(chosen))  # type: ignore[misc]
            times.append(seconds)
            cells.append(f"{100 * evaluate('bleu', texts, [list(references)], resamples=0)[0].score:.2f}")
        label = rule + (f" {options}" if options else "")
        default, *given = times
        cells += [f"{default:.1f}", f"{default * len(given) / sum(given):.2f}", f"{default / decoding:.2f}"]
        print(f"| {label} | {' | '.join(cells)} |", flush=True)


def measure(model: Path, sentences: Sequence[str], references: Sequence[str]) -> None:
    decoder: AnyDecoder = open_decoder(model, options={"context": 3})
    begin = time.process_time()
    found: list[Translation] = list(decoder.translate_all(sentences, forest=True))
    decoding = time.process_time() - begin
    best = evaluate("bleu", [each.text for each in found], [list(references)], resamples=0)[0].score
    forests = [each.forest for each in found if each.forest is not None]
    edges = sum(forest.edge_count for forest in forests)
    print(
        f"\n{model.name}: {len(found)} sentences, {edges / len(found):.0f} edges per forest,"
        f" decoding {decoding:.1f} CPU s ({len(found) / decoding:.0f} sentences/s),"
        f" Viterbi BLEU {100 * best:.2f}"
    )

    def from_forests(rule: ConsensusRule) -> list[str]:
        return [each.text for each in choose_translations(decoder, rule, found)]

    pool = kbest_pool(forests, decoder.weights, 100, unique=True, missing=0.0)

    def from_lists(rule: ConsensusRule) -> list[str]:
        return rule.over_pool(pool, decoder.weights).texts

    show("From forests:", from_forests, references, decoding)
    show("From lists of 100:", from_lists, references, decoding)


def main() -> None:
    if not SHARED.exists():
        print("needs the peers' data, which are not here")
        return
    machine = calibrate()
    print(f"{machine.cores} cores, {machine.calibration}")
    sentences, references = (
        list(read_lines(DATA / f"multi30k.test_2016.{side}.xz")) for side in ("de", "en")
    )
    if len(sys.argv) > 1:
        for name in sys.argv[1:]:
            measure(Path(name), sentences, references)
        return
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "phrases"
        import_model(DATA / "moses" / "moses.mert.ini", model)
        measure(model, sentences, references)


if __name__ == "__main__":
    main()
