"""What order alone could gain: the best candidates of n-best lists with the same words as the first ones.

Run `python -m experiments.xbleu.headroom --baseline runs/xbleu` after `tables`: lists of the select texts, by
the models and weights of `hrm`, seed 1. Candidates are chosen by sentence BLEU (add-one), and BLEU of the
texts that are chosen is reported: of the first candidates, of the best with the same words, of the best of
all.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from experiments.commands import tunesmith
from experiments.prepared import prepared
from experiments.texts import EUROPARL
from experiments.xbleu.tables import CORPORA
from tunesmith.candidates import Pool
from tunesmith.metrics import Bleu

SENTENCE = Bleu(sentence="add-one")


def pool_of(baseline: Path, corpus: str, size: int, threads: int) -> Pool:
    """Return the lists of the select text, decoded unless that is done."""
    folder = baseline / corpus
    file = folder / f"select.{size}best.gz"
    raw = ("--prepare",) if corpus in EUROPARL else ()
    if not file.exists():
        texts = ("-i", folder / "select.source", "-o", folder / "select.first", *raw)
        lists = ("--nbest", size, "--nbest-output", file, "--unique")
        weights = ("--weights", folder / "hrm" / "tuned.json")
        tunesmith("decode", folder / "model", *texts, *weights, *lists, "--threads", threads)
    references = prepared(folder / "select.target", raw, lambda: folder / "model")
    return Pool.read(file, references=[references])


def row(pool: Pool, corpus: str) -> str:
    """Return the line of a corpus: BLEU of the texts, and the share of candidates with the same words."""
    assert pool.texts is not None
    stats = pool.stats(SENTENCE)
    values = np.asarray(SENTENCE.sentence_score(stats))
    chosen: dict[str, list[int]] = {"first": [], "same words": [], "best": []}
    alike = 0
    for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True):
        words = Counter(pool.texts[begin].split())
        same = [each for each in range(begin, end) if Counter(pool.texts[each].split()) == words]
        alike += len(same) - 1
        chosen["first"].append(begin)
        chosen["same words"].append(max(same, key=lambda each: values[each]))
        chosen["best"].append(begin + int(np.argmax(values[begin:end])))
    scores = [f"{100 * float(SENTENCE.score(stats[rows].sum(axis=0))):.2f}" for rows in chosen.values()]
    share = alike / max(1, len(values) - len(pool))
    return f"| {' | '.join((corpus, f'{len(pool):,}', f'{share:.1%}', *scores))} |"


def main() -> None:
    """Print the table of all corpora that have weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--baseline", type=Path, default=Path("runs/xbleu"), help="folder of `tables`")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--nbest", type=int, default=100, help="candidates per list")
    given = parser.parse_args()
    print("| corpus | lists | same words | BLEU, first | best with the same words | best |")
    print("|---|---|---|---|---|---|")
    for corpus in CORPORA:
        if (given.baseline / corpus / "hrm" / "tuned.json").exists():
            pool = pool_of(given.baseline, corpus, given.nbest, given.threads)
            print(row(pool, corpus), flush=True)


if __name__ == "__main__":
    main()
