"""Rule and scale of consensus decoding, chosen on select text, then compared with Viterbi on test text.

Run `python -m experiments.consensus.scales --select SELECT --test TEST --weights W`: SELECT and TEST are the
beginnings of the names of three files each, `.nbest` and `.forests` of `tunesmith decode`, and `.en`. It
prints BLEU of the select text for each rule and scale, and on the test text, for the default scale and the
chosen one, BLEU and the p-value of approximate randomization against Viterbi.
"""

from __future__ import annotations

import argparse
from functools import cached_property
from pathlib import Path

from experiments.consensus.constants import choice
from tunesmith.candidates import Pool, rerank
from tunesmith.consensus import consensus_rule
from tunesmith.forest import ForestPool, map_forests
from tunesmith.metrics import compare_systems, evaluate
from tunesmith.weights import Weights

SCALES = (None, 0.5, 2.0)
"""None is the default: each sentence has its own."""
SIZE = 30
"""Candidates that rules compare."""
RULES = (("lists", "mbr"), ("lists", "fast"), ("forests", "fast"))


class Text:
    """The lists and forests of a text, and its references."""

    def __init__(self, name: str, weights: Weights) -> None:
        self._references = [Path(f"{name}.en")]
        self._pool = Pool.read(f"{name}.nbest", references=self._references).head(SIZE)
        self._forests = ForestPool.open(f"{name}.forests", self._references)
        self._weights = weights

    @cached_property
    def viterbi(self) -> list[str]:
        """The best candidates."""
        return list(rerank(self._pool, self._weights).texts)

    def choices(self, over: str, name: str, scale: float | None) -> list[str]:
        """Return the choices of a rule."""
        rule = consensus_rule(name, scale=scale, size=SIZE)
        if over == "lists":
            return list(rule.over_pool(self._pool, self._weights, threads=1).texts)
        return map_forests(
            lambda forest: choice(rule, self._weights, forest), self._forests.forests, threads=1
        )

    def bleu(self, texts: list[str]) -> float:
        """Return the BLEU of translations."""
        (found,) = evaluate("bleu", texts, self._texts, resamples=0, threads=1)
        return 100 * found.score

    def compared(self, texts: list[str]) -> str:
        """Return the BLEU of translations, the difference from Viterbi's, and the p-value."""
        systems = {"viterbi": [self.viterbi], "consensus": [texts]}
        found = compare_systems("bleu", self._texts, systems, resamples=10, trials=2000, threads=1).rows[-1]
        return f"{100 * found.mean:.2f} | {100 * (found.difference or 0):+.2f} | {found.p_randomization:.3f}"

    @cached_property
    def _texts(self) -> list[list[str]]:
        return list(map(list, self._pool.references))


def main() -> None:
    """Print the tables of one system."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("select", "test", "weights"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    weights = Weights.read(given.weights)
    select, test = Text(given.select, weights), Text(given.test, weights)
    print(f"Viterbi: select {select.bleu(select.viterbi):.2f}, test {test.bleu(test.viterbi):.2f}")
    for over, name in RULES:
        scores = {scale: select.bleu(select.choices(over, name, scale)) for scale in SCALES}
        shown = ", ".join(
            f"{'default' if scale is None else scale} {score:.2f}" for scale, score in scores.items()
        )
        print(f"select, {name} over {over}: {shown}", flush=True)
        best = max(scores, key=lambda scale: scores[scale])
        for scale in dict.fromkeys([None, best]):
            print(f"test | {name} over {over} | {scale} | {test.compared(test.choices(over, name, scale))}")


if __name__ == "__main__":
    main()
