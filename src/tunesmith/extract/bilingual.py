"""Bilingual tokens: the words of a bilingual language model."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext
from tunesmith.errors import OptionError
from tunesmith.texts import Texts

__all__ = ["JOINER", "bilingual_tokens"]

JOINER = "\u241f"
"""The picture of the unit separator, which no text is expected to hold: tokens cannot be confused."""


def bilingual_tokens(bitext: Bitext, alignments: Alignments, *, joiner: str = JOINER) -> Texts:
    """Return a line a sentence pair, which has a token a target word (Niehues et al. 2011).

    A token is the target word and the source words that it is aligned to, in their order, with `joiner`
    between them. A target word without links is a token by itself; source words without links are not
    there. An n-gram model of these lines is a bilingual language model: it sees how source words were
    reordered, beyond the borders of phrases.
    """
    if not joiner or any(character in " \n\r" for character in joiner):
        raise OptionError(f"the joiner must be some text without blanks and line ends, not {joiner!r}")
    source_words, target_words = (side.vocabulary.words() for side in (bitext.source, bitext.target))
    return Texts(
        *_native.bilingual_tokens(
            bitext.source.arrays,
            bitext.target.arrays,
            alignments.arrays,
            (source_words.blob, source_words.offsets),
            (target_words.blob, target_words.offsets),
            joiner,
        )
    )
