"""Language models."""

from tunesmith.lm.arpa import compile_lm, read_arpa
from tunesmith.lm.class_map import read_class_map
from tunesmith.lm.estimate import EstimatedModel, estimate
from tunesmith.lm.model import LanguageModel
from tunesmith.lm.score import Perplexity, TextScores, WordScore

__all__ = [
    "EstimatedModel",
    "LanguageModel",
    "Perplexity",
    "TextScores",
    "WordScore",
    "compile_lm",
    "estimate",
    "read_arpa",
    "read_class_map",
]
