"""Weights of features: a value per name. Few are a mapping, millions a store; both have files."""

from tunesmith._native import FeatureVector
from tunesmith.weights.mapping import Weights
from tunesmith.weights.opening import LARGEST_MAPPING, changed, open_weights
from tunesmith.weights.store import WeightStore

__all__ = ["LARGEST_MAPPING", "FeatureVector", "WeightStore", "Weights", "changed", "open_weights"]
