"""Forests: all derivations that a search kept, and algorithms over them."""

from tunesmith.forest.build import build_forest
from tunesmith.forest.context import expand_context, has_local_context, refine_context
from tunesmith.forest.count import count_derivations, log_count_derivations
from tunesmith.forest.derivation import Derivation, Segment
from tunesmith.forest.envelope import Envelope, envelope
from tunesmith.forest.expectation import (
    Expectation,
    entropy,
    expectation,
    expected_features,
    expected_statistics,
    feature_sums,
)
from tunesmith.forest.file import ForestFile, ForestWriter
from tunesmith.forest.forest import Edge, Forest
from tunesmith.forest.inside import Posteriors, inside, log_partition, max_marginals, outside, posteriors
from tunesmith.forest.intersect import intersect, refine_to_target
from tunesmith.forest.kbest import derivations, kbest, kbest_pool
from tunesmith.forest.linear_bleu import linear_thetas, oracle_linear
from tunesmith.forest.nbest import write_nbest
from tunesmith.forest.ngram_corpus import NgramCorpus
from tunesmith.forest.ngrams import NgramIncidence, expected_ngrams, ngram_incidence
from tunesmith.forest.oracle import BleuOracle, oracle_bleu
from tunesmith.forest.pool import ForestPool
from tunesmith.forest.prune import kept_edges, prune, trim
from tunesmith.forest.readers import read_forests
from tunesmith.forest.refinement import Refinement
from tunesmith.forest.sample import sample
from tunesmith.forest.scores import Scores, edge_scores
from tunesmith.forest.threads import map_forests
from tunesmith.forest.union import union
from tunesmith.forest.viterbi import viterbi
from tunesmith.forest.writers import write_forests

__all__ = [
    "BleuOracle",
    "Derivation",
    "Edge",
    "Envelope",
    "Expectation",
    "Forest",
    "ForestFile",
    "ForestPool",
    "ForestWriter",
    "NgramCorpus",
    "NgramIncidence",
    "Posteriors",
    "Refinement",
    "Scores",
    "Segment",
    "build_forest",
    "count_derivations",
    "derivations",
    "edge_scores",
    "entropy",
    "envelope",
    "expand_context",
    "expectation",
    "expected_features",
    "expected_ngrams",
    "expected_statistics",
    "feature_sums",
    "has_local_context",
    "inside",
    "intersect",
    "kbest",
    "kbest_pool",
    "kept_edges",
    "linear_thetas",
    "log_count_derivations",
    "log_partition",
    "map_forests",
    "max_marginals",
    "ngram_incidence",
    "oracle_bleu",
    "oracle_linear",
    "outside",
    "posteriors",
    "prune",
    "read_forests",
    "refine_context",
    "refine_to_target",
    "sample",
    "trim",
    "union",
    "viterbi",
    "write_forests",
    "write_nbest",
]
