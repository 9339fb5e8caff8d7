"""The files of a model directory."""

from __future__ import annotations

from tunesmith.corpus import Alignments, Bitext
from tunesmith.model.model import RECASER, TRUECASERS
from tunesmith.model.steps import Workshop

__all__ = [
    "ALIGNED",
    "ALIGNER",
    "ALIGNMENT",
    "BILINGUAL_LM",
    "COUNTS",
    "FOLDS",
    "GLUE",
    "ITG",
    "JOINED_STEP",
    "LEXICON",
    "LM",
    "PAIRS",
    "PHRASES",
    "RECASER",
    "RULES",
    "SOURCE",
    "SUFFIX",
    "TARGET",
    "TRUECASERS",
    "WORD_ORDER",
    "class_lm",
    "given_lm",
    "is_given",
    "joined_aligner",
    "joined_alignment",
    "read_aligned",
    "read_bitext",
    "target_classes",
]

SOURCE, TARGET = "source.txt", "target.txt"
PAIRS = "pairs.json"
FOLDS = "folds.txt"
ALIGNMENT = "alignment.gz"
ALIGNER = "aligner.bin"
WORD_ORDER = "word-order.json"
LEXICON = "lexicon.bin"
COUNTS = "phrase-counts.bin"
PHRASES = "phrases.bin"
SUFFIX = "suffix.bin"
RULES = "rules.bin"
GLUE, ITG = "glue.grammar", "itg.grammar"
LM = "lm.bin"
BILINGUAL_LM = "bilingual-lm.bin"

_GIVEN = "given-lm."

ALIGNED = (SOURCE, TARGET, ALIGNMENT)
"""The inputs of the steps after word alignment."""
JOINED_STEP = "alignment by "
"""Begins the names of the steps of aligners that are not the first."""


def joined_alignment(aligner: str) -> str:
    """Return the file name of the alignments by an aligner that is not the first."""
    return f"alignment.{aligner}.gz"


def joined_aligner(aligner: str) -> str:
    """Return the file name of a saved aligner that is not the first."""
    return f"aligner.{aligner}.bin"


def target_classes(count: int) -> str:
    """Return the file name of this number of target word classes."""
    return f"classes.target.{count}.txt"


def given_lm(number: int) -> str:
    """Return the file name of a language model that was given to training, by its number from 0."""
    return f"{_GIVEN}{number}.bin"


def is_given(lm: str) -> bool:
    """Return whether a file name of a model is that of a language model that was given to training."""
    return lm.startswith(_GIVEN)


def class_lm(count: int) -> str:
    """Return the file name of the language model over this number of classes."""
    return f"class-lm.{count}.bin"


def read_bitext(shop: Workshop) -> Bitext:
    """Read the prepared text."""
    return Bitext.read(shop[SOURCE], shop[TARGET])


def read_aligned(shop: Workshop) -> tuple[Bitext, Alignments]:
    """Read the prepared text and its alignment, and check that they fit."""
    bitext = read_bitext(shop)
    return bitext, Alignments.read(shop[ALIGNMENT], bitext)
