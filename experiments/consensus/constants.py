"""The default sharpness of consensus decoding, on text that no weight was tuned on.

Run `python -m experiments.consensus.constants --nbest N --forests F --references R --weights W`. It prints
the BLEU of consensus decoding for each value of the two constants of `tunesmith.consensus.sharpness`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest import mock

from tunesmith.candidates import Pool, rerank
from tunesmith.consensus import consensus_rule, sharpness
from tunesmith.consensus.base import ConsensusRule
from tunesmith.forest import Forest, ForestPool, map_forests
from tunesmith.metrics import evaluate
from tunesmith.weights import Weights

ENTROPIES = (0.05, 0.1, 0.2, 0.3, 0.5)
"""Nats per word, over forests."""
SHARES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.9999)
"""Of the entropy at scale 0, over lists; 1 would be scale 0."""
OVER_FORESTS = ("fast", "linear")
OVER_LISTS = ("fast", "mbr")


def rows(pool: Pool, forests: ForestPool, weights: Weights, threads: int) -> Iterator[str]:
    """Yield a table in Markdown, row by row."""

    def bleu(texts: list[str]) -> str:
        (found,) = evaluate("bleu", texts, list(map(list, pool.references)), resamples=0, threads=threads)
        return f"{100 * found.score:.2f}"

    yield "| over | rule | constant | BLEU |\n|---|---|---|---|"
    yield f"| lists | Viterbi | | {bleu(list(rerank(pool, weights).texts))} |"
    for value in ENTROPIES:
        with mock.patch.object(sharpness, "ENTROPY_A_WORD", value):
            for name in OVER_FORESTS:
                chosen = map_forests(
                    partial(choice, consensus_rule(name), weights), forests.forests, threads=threads
                )
                yield f"| forests | {name} | {value:g} | {bleu(chosen)} |"
    for value in SHARES:
        with mock.patch.object(sharpness, "LIST_SHARE", value):
            for name in OVER_LISTS:
                chosen = consensus_rule(name).over_pool(pool, weights, threads=threads).texts
                yield f"| lists | {name} | {value:g} | {bleu(chosen)} |"


def choice(rule: ConsensusRule, weights: Weights, forest: Forest) -> str:
    """Return the choice of a rule from a forest."""
    return rule.over_forest(forest, forest.scores(forest.weights(weights, missing=0.0))).text


def main() -> None:
    """Print the table of one system."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("nbest", "forests", "references", "weights"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    pool = Pool.read(given.nbest, references=[given.references])
    forests = ForestPool.open(given.forests, [given.references])
    for row in rows(pool, forests, Weights.read(given.weights), given.threads):
        print(row, flush=True)


if __name__ == "__main__":
    main()
