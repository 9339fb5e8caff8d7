"""Small pools of forests, and MIRA on all of their derivations, written plainly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from tests.forest.enumeration import Listed, listed, ngram_counts, spelled
from tests.forest.rolled_forests import rolled
from tests.toy_forests import Kind, random_forest_pool

from tunesmith.forest import Forest, build_forest
from tunesmith.forest.pool import ForestPool
from tunesmith.metrics import Bleu, Metric
from tunesmith.types import FloatArray, Stats

WORDS = ("a", "b", "c", "d")


def featured(forest: Forest, generator: np.random.Generator, names: Sequence[str]) -> Forest:
    """Return the forest with random features, so that no two derivations of different edges tie."""
    nodes = [
        [
            replace(edge, features={str(name): float(np.float32(generator.normal())) for name in names})
            for edge in edges
        ]
        for edges in spelled(forest)
    ]
    return build_forest(nodes, names)


def rolled_and_featured(generator: np.random.Generator, number: int) -> Forest:
    """Return a rolled forest; features are shared, and some are of every third sentence."""
    return featured(rolled(int(generator.integers(2**32)), 40), generator, ["lm", "tm", f"own{number % 3}"])


def rolled_pool(seed: int, sentences: int = 8, references: int = 1) -> ForestPool:
    """Return a pool of forests whose derivations can be listed, and repeat n-grams and nodes."""
    return random_forest_pool(seed, sentences, references, Kind(rolled_and_featured, WORDS, range(8)))


@dataclass(frozen=True, eq=False)
class Spelled:
    """A derivation of a pool's sentence with all that a learner may ask."""

    edges: tuple[int, ...]
    features: FloatArray
    stats: Stats
    words: int
    matches: FloatArray
    """Not clipped, of each order."""


def spelled_derivations(pool: ForestPool, sentence: int, metric: Bleu) -> list[Spelled]:
    """List the derivations of a sentence; features are in the order of the pool's."""
    forest, references = pool.forests[sentence], pool.references_of(sentence)
    known = {ngram for text in references for ngram in ngram_counts(tuple(text.split()), metric.order)}
    places = {name: place for place, name in enumerate(pool.feature_names)}
    rows = np.zeros((forest.edge_count, len(places)))
    for number in range(forest.edge_count):
        for name, value in forest.edge(number).features.items():
            rows[number, places[name]] += value

    def one(found: Listed) -> Spelled:
        matches = np.zeros(metric.order)
        for ngram, count in ngram_counts(found.words, metric.order).items():
            matches[len(ngram) - 1] += count * (ngram in known)
        stats = metric.stats(" ".join(found.words), references)
        return Spelled(found.edges, rows[list(found.edges)].sum(axis=0), stats, len(found.words), matches)

    return [one(found) for found in listed(forest)]


def background_gain(metric: Metric, background: Stats, stats: Stats) -> float:
    """Return B: the gain of statistics in the company of the background, in words."""
    together = background + stats
    return float(metric.gain(together)) * float(metric.size(together))


def linear_gain(metric: Bleu, background: Stats) -> Callable[[Spelled], float]:
    """Return the first terms of B at the background as a function of words and matches."""
    slopes = metric.score_gradient(background) * metric.size(background)
    return lambda one: float(slopes[1:-1:2].sum() * one.words + slopes[0:-1:2] @ one.matches)


@dataclass(frozen=True, eq=False)
class PlainPass:
    """What a pass ends in. `ties` tells that another hope or fear was as good, so that the end may differ."""

    weights: FloatArray
    average: FloatArray
    background: Stats
    updates: int
    ties: bool


def plain_pass(
    pool: ForestPool,
    metric: Bleu,
    order: Sequence[int],
    weights: FloatArray,
    *,
    c: float,
    decay: float,
    linear: bool,
) -> PlainPass:
    """Cherry and Foster's pass, line by line, over all derivations."""
    background, seen, updates, ties = np.ones(metric.width), [], 0, False
    for sentence in order:
        derivations = spelled_derivations(pool, sentence, metric)
        scores = [float(one.features @ weights) for one in derivations]
        gains = [background_gain(metric, background, one.stats) for one in derivations]
        sought = [linear_gain(metric, background)(one) for one in derivations] if linear else gains

        def best(sign: float) -> int:
            worth = np.array(scores) + sign * np.array(sought)  # noqa: B023
            winner = int(np.argmax(worth))
            for rival in np.flatnonzero(worth > worth[winner] - 1e-9):
                one, other = derivations[winner], derivations[rival]  # noqa: B023
                same = np.allclose(one.features, other.features) and (one.stats == other.stats).all()
                nonlocal ties
                ties = ties or not same
            return winner

        hope, fear = best(1.0), best(-1.0)
        difference = derivations[hope].features - derivations[fear].features
        loss = gains[hope] - gains[fear] - (scores[hope] - scores[fear])
        if gains[hope] > gains[fear] and loss > 0 and difference.any():
            weights = weights + min(c, loss / (difference @ difference)) * difference
            updates += 1
        background = decay * background + derivations[hope].stats
        seen.append(weights)
    return PlainPass(weights, np.mean(seen, axis=0), background, updates, ties)
