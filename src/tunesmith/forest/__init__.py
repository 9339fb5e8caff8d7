"""Forests: all derivations that a search kept, and what can be computed from them."""

from tunesmith.forest.build import build_forest
from tunesmith.forest.context import expand_context, has_local_context, refine_context
from tunesmith.forest.forest import Edge, Forest
from tunesmith.forest.intersect import intersect, refine_to_target
from tunesmith.forest.linear_bleu import LinearOracle, linear_thetas, oracle_linear
from tunesmith.forest.ngrams import NgramIncidence, expected_ngrams, ngram_incidence
from tunesmith.forest.oracle import BleuOracle, oracle_bleu
from tunesmith.forest.refinement import Refinement

__all__ = [
    "BleuOracle",
    "Edge",
    "Forest",
    "LinearOracle",
    "NgramIncidence",
    "Refinement",
    "build_forest",
    "expand_context",
    "expected_ngrams",
    "has_local_context",
    "intersect",
    "linear_thetas",
    "ngram_incidence",
    "oracle_bleu",
    "oracle_linear",
    "refine_context",
    "refine_to_target",
]
