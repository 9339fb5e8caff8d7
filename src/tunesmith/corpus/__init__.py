"""Text: sentences, bitexts and alignments as arrays."""

from tunesmith.corpus.alignments import Alignments
from tunesmith.corpus.bitext import Bitext
from tunesmith.corpus.sentences import Sentences
from tunesmith.corpus.vocabulary import Vocabulary

__all__ = ["Alignments", "Bitext", "Sentences", "Vocabulary"]
