"""Bilingual tokens: the words of a bilingual language model."""

from __future__ import annotations

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext
from tunesmith.errors import OptionError
from tunesmith.texts import Texts

__all__ = ["JOINER", "bilingual_tokens"]

JOINER = "\u241f"
"""The symbol for the unit separator, which does not occur in normal text: tokens are unambiguous."""


def bilingual_tokens(bitext: Bitext, alignments: Alignments, *, joiner: str = JOINER) -> Texts:
    """Return one line per sentence pair with one token per target word (Niehues et al. 2011).

    A token is the target word and its aligned source words, in their order, joined by `joiner`. An
    unaligned target word is a token by itself; unaligned source words are omitted. An n-gram model of
    these lines is a bilingual language model: it models reordering across phrase boundaries.
    """
    if not joiner or any(character in " \n\r" for character in joiner):
        raise OptionError(f"the joiner must be a nonempty text without blanks and line ends, not {joiner!r}")
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
