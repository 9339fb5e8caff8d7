"""Forests: all derivations that a search kept, and what can be computed from them."""

from tunesmith.forest.build import build_forest
from tunesmith.forest.count import count_derivations, log_count_derivations
from tunesmith.forest.derivation import Derivation, Segment
from tunesmith.forest.expectation import (
    Expectation,
    entropy,
    expectation,
    expected_features,
    expected_statistics,
    feature_sums,
)
from tunesmith.forest.forest import Edge, Forest
from tunesmith.forest.inside import (
    Posteriors,
    inside,
    log_partition,
    max_marginals,
    outside,
    posteriors,
)
from tunesmith.forest.kbest import derivations, kbest, kbest_pool
from tunesmith.forest.prune import kept_edges, prune, trim
from tunesmith.forest.sample import sample
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.forest.threads import map_forests
from tunesmith.forest.union import union
from tunesmith.forest.viterbi import viterbi

__all__ = [
    "Derivation",
    "Edge",
    "Expectation",
    "Forest",
    "Posteriors",
    "Scores",
    "Segment",
    "build_forest",
    "count_derivations",
    "derivations",
    "edge_scores",
    "entropy",
    "expectation",
    "expected_features",
    "expected_statistics",
    "feature_sums",
    "inside",
    "kbest",
    "kbest_pool",
    "kept_edges",
    "log_count_derivations",
    "log_partition",
    "map_forests",
    "max_marginals",
    "outside",
    "posteriors",
    "prune",
    "sample",
    "trim",
    "union",
    "viterbi",
]
