"""Language models."""

from tunesmith.lm.arpa import compile_lm, read_arpa
from tunesmith.lm.class_map import read_class_map
from tunesmith.lm.estimate import EstimatedModel, estimate
from tunesmith.lm.interpolate import InterpolatedModel, interpolate
from tunesmith.lm.mixture_perplexities import MixturePerplexities, mixture_perplexities
from tunesmith.lm.mixture_weights import MixtureText, WeightFit
from tunesmith.lm.model import LanguageModel
from tunesmith.lm.score import Perplexity, TextScores, WordScore

__all__ = [
    "EstimatedModel",
    "InterpolatedModel",
    "LanguageModel",
    "MixturePerplexities",
    "MixtureText",
    "Perplexity",
    "TextScores",
    "WeightFit",
    "WordScore",
    "compile_lm",
    "estimate",
    "interpolate",
    "mixture_perplexities",
    "read_arpa",
    "read_class_map",
]
