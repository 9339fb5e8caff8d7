"""Statistics of 100,000 hypotheses of 25 words on one thread, and sacrebleu on a part of the same data.

Run with `python -m benchmarks.metrics [hypotheses]`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sacrebleu

from tunesmith.metrics import Metric, Segments, bootstrap_interval, get_metric

WORDS = 25
SAMPLE = 500  # sentences for sacrebleu
# (metric, sacrebleu's, the most seconds it may take)
CASES: list[tuple[str, Any, float | None]] = [
    ("bleu", sacrebleu.BLEU(tokenize="none", force=True), 1.0),
    ("chrf", sacrebleu.CHRF(), None),
    ("chrf++", sacrebleu.CHRF(word_order=2), None),
    ("ter", sacrebleu.TER(), 30.0),
    ("wer", None, None),
]


def make_texts(count: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Make hypotheses and references: words by Zipf's law; a fifth is changed, a block is moved."""
    rng = np.random.default_rng(seed)
    vocabulary = np.array(
        ["".join(rng.choice(list("etaoinshrdlu"), 1 + i % 9)) + str(i) for i in range(20_000)]
    )
    ranks = np.minimum(rng.zipf(1.3, size=(2, count, WORDS)), len(vocabulary)) - 1
    changed = rng.random((count, WORDS)) < 0.2
    hypotheses = np.where(changed, ranks[1], ranks[0])
    borders = np.sort(rng.integers(0, WORDS + 1, size=(count, 3)), axis=1)
    for row, (a, b, c) in zip(hypotheses, borders.tolist(), strict=True):
        row[a:c] = np.concatenate([row[b:c], row[a:b]])
    return [" ".join(row) for row in vocabulary[hypotheses]], [" ".join(row) for row in vocabulary[ranks[0]]]


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the shortest of a few runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main(count: int = 100_000) -> None:
    """Print a row a metric."""
    hypotheses, references = make_texts(count)
    segments = Segments.of(hypotheses, [references])
    sample = hypotheses[:SAMPLE], [references[:SAMPLE]]
    print(f"{count:,} hypotheses of {WORDS} words, one thread; sacrebleu on {SAMPLE} of them")
    heads = f"{'metric':8} {'seconds':>8} {'bar':>6} {'us each':>8}"
    print(f"{heads} {'sacrebleu us':>13} {'times faster':>13} {'score':>7}")
    for spec, peer, bar in CASES:
        metric = get_metric(spec)
        took = seconds(lambda metric=metric: metric.measure(segments, threads=1))  # type: ignore[misc]
        each = took / count * 1e6
        score = 100 * float(metric.score(metric.measure(segments).sum(axis=0)))
        columns = f"{spec:8} {took:8.2f} {bar or '':>6} {each:8.2f}"
        if peer is None:
            print(f"{columns} {'':>13} {'':>13} {score:7.2f}")
            continue
        start = time.perf_counter()
        theirs = peer.corpus_score(*sample).score
        peer_each = (time.perf_counter() - start) / SAMPLE * 1e6
        ours = 100 * corpus_score(metric, *sample)
        if abs(ours - theirs) > 1e-9:
            raise SystemExit(f"{spec}: {ours} differs from sacrebleu's {theirs}")
        print(f"{columns} {peer_each:13.1f} {peer_each / each:13.0f} {score:7.2f}")
    stats = get_metric("bleu").measure(segments)[:1000]
    took = seconds(lambda: bootstrap_interval(get_metric("bleu"), stats))
    print(f"bootstrap interval of BLEU, 1,000 sentences, 1,000 resamples: {took * 1e3:.0f} ms")


def corpus_score(metric: Metric, hypotheses: list[str], references: list[list[str]]) -> float:
    """Score a corpus."""
    return float(metric.score(metric.measure(Segments.of(hypotheses, references)).sum(axis=0)))


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
