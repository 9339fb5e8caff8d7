"""The built-in corpus: German and English sentence pairs made by a grammar, never collected."""

from tunesmith.corpus.generated.generate import generate
from tunesmith.corpus.generated.label import LABEL
from tunesmith.corpus.generated.pairs import SentencePair
from tunesmith.corpus.generated.write import write_corpus

__all__ = ["LABEL", "SentencePair", "generate", "write_corpus"]
