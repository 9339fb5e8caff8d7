"""Oracles and n-gram counts on generated forests: seconds, and how close a beam comes to the best BLEU.

python -m benchmarks.forest_oracles
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from tunesmith.errors import InputError
from tunesmith.forest import (
    Edge,
    Forest,
    build_forest,
    expand_context,
    intersect,
    ngram_incidence,
    oracle_bleu,
    oracle_linear,
)

T = TypeVar("T")
VOCABULARY = 60


def word(dice: random.Random) -> str:
    return f"w{int(VOCABULARY * dice.random() ** 2)}"  # few words are frequent, as in text


def noisy(dice: random.Random, truth: str) -> tuple[str, ...]:
    """Return a translation of a word: mostly wrong, sometimes with one more word."""
    return (truth if dice.random() < 0.3 else word(dice), *([word(dice)] if dice.random() < 0.2 else []))


def lattice(dice: random.Random, reference: list[str], width: int) -> Forest:
    """Return a phrase lattice: `width` translations of each word, each continued from nodes nearby."""
    nodes = [[Edge((), (), {})]]
    for truth in reference:
        end = len(nodes)
        tails = [0] if end == 1 else [end - 1, max(1, end - 2)]
        nodes.append([Edge((dice.choice(tails),), (-1, *noisy(dice, truth)), {}) for _ in range(width)])
    return build_forest(nodes)


def chart(dice: random.Random, reference: list[str], width: int) -> Forest:
    """Return a chart of all binary trees over the words, in order and swapped."""
    nodes: list[list[Edge]] = []
    number: dict[tuple[int, int], int] = {}
    for size in range(1, len(reference) + 1):
        for begin in range(len(reference) - size + 1):
            edges = [Edge((), noisy(dice, reference[begin]), {}) for _ in range(width if size == 1 else 0)]
            for middle in range(begin + 1, begin + size):
                tails = (number[begin, middle], number[middle, begin + size])
                edges += [Edge(tails, (-1, -2), {}), Edge(tails, (-2, -1), {})]
            number[begin, begin + size] = len(nodes)
            nodes.append(edges)
    return build_forest(nodes)


def timed(run: Callable[[], T]) -> tuple[float, T | None]:
    start = time.process_time()
    try:
        result = run()
    except InputError:
        return float("nan"), None
    return time.process_time() - start, result


def measure_speed() -> None:
    dice = random.Random(1)
    short, long = ([word(dice) for _ in range(n)] for n in (65, 2500))
    print("| forest | edges | what | CPU s |\n|---|---|---|---|")
    for name, forest, reference in (
        ("lattice", lattice(dice, long, 40), long[:40]),
        ("chart", chart(dice, short, 5), short),
    ):
        text = " ".join(reference)
        n = 2 if name == "lattice" else 1  # a chart of n words has too many contexts for more
        local = expand_context(forest, n)
        for what, run in (
            ("oracle, beam 8", lambda: oracle_bleu(forest, [text], beam=8)),  # noqa: B023
            ("oracle, beam 32", lambda: oracle_bleu(forest, [text])),  # noqa: B023
            ("linear oracle", lambda: oracle_linear(forest, [text])),  # noqa: B023
            ("intersection with a prefix", lambda: intersect(forest, reference[:5], prefix=True)),  # noqa: B023
            (f"{n}-grams of {local.edge_count} edges", lambda: ngram_incidence(local, n)),  # noqa: B023
        ):
            seconds, _ = timed(run)
            print(f"| {name} | {forest.edge_count} | {what} | {seconds:.2f} |")
    print("\nnan: the exact oracle would split the forest into more than 20 million edges.")


def measure_beams() -> None:
    print("\n| forest | beam | BLEU of the beam's oracle / of the best | CPU s |\n|---|---|---|---|")
    for name, make, length, width in (("lattice", lattice, 12, 6), ("chart", chart, 6, 3)):
        dice = random.Random(2)
        forests = []
        for _ in range(20):
            reference = [word(dice) for _ in range(length)]
            forests.append((make(dice, reference, width), [" ".join(reference)]))
        best = sum(oracle_bleu(forest, texts, beam=None).gain for forest, texts in forests)
        for beam in (1, 4, 8, 16, 32, 64):
            seconds, found = timed(lambda: sum(oracle_bleu(f, t, beam=beam).gain for f, t in forests))  # noqa: B023
            print(f"| {name} | {beam} | {(found or 0) / best:.4f} | {seconds:.3f} |")


def main() -> None:
    measure_speed()
    measure_beams()


if __name__ == "__main__":
    main()
