"""The built-in corpus: German and English sentence pairs made by a grammar, never collected."""

from tunesmith.corpus.generated.generate import generate
from tunesmith.corpus.generated.label import LABEL
from tunesmith.corpus.generated.pairs import SentencePair
from tunesmith.corpus.generated.reranking.lists import CandidateLists, candidate_lists
from tunesmith.corpus.generated.reranking.system import HAND_WEIGHTS
from tunesmith.corpus.generated.write import CorpusFiles, write_corpus

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
