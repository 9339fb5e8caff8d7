"""The built-in corpus: German and English sentence pairs made by a grammar, never collected."""

from tunesmith.generated.generate import generate
from tunesmith.generated.label import LABEL
from tunesmith.generated.pairs import SentencePair
from tunesmith.generated.reranking.lists import CandidateLists, candidate_lists
from tunesmith.generated.reranking.system import HAND_WEIGHTS
from tunesmith.generated.write import CorpusFiles, write_corpus

__all__ = [
    "HAND_WEIGHTS",
    "LABEL",
    "CandidateLists",
    "CorpusFiles",
    "SentencePair",
    "candidate_lists",
    "generate",
    "write_corpus",
]
