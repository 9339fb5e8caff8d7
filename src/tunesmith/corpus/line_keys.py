"""Keys of lines: numbers by which equal sentences are found, however they are spaced and cased."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith.corpus.clean import lowercase, space_lines
from tunesmith.texts import Texts

__all__ = ["EMPTY", "LineKeys", "line_keys"]

LineKeys: TypeAlias = npt.NDArray[np.uint64]

EMPTY = 0
"""The key of a line without characters, which is equal to no other line."""

_SPACE = 0x20
_KEY_BYTES = 8


def line_keys(lines: Iterable[str]) -> LineKeys:
    """Return a 64-bit BLAKE2b hash of each line, lowercased, without white space and control characters.

    So raw text and the same text tokenized (without entities) and cased in any way have equal keys. Among n
    different lines, two have the same key by chance with probability n^2 / 2^65: 3e-6 for 10 million.
    """
    lowered = lowercase(space_lines(Texts.of(lines))[0])
    kept = lowered.blob != _SPACE
    blob = lowered.blob[kept].tobytes()
    ends = np.concatenate([[0], np.cumsum(kept)])[lowered.offsets].tolist()
    digests = b"".join(
        hashlib.blake2b(blob[begin:end], digest_size=_KEY_BYTES).digest() for begin, end in pairwise(ends)
    )
    keys = np.frombuffer(digests, dtype="<u8").astype(np.uint64)
    keys[np.diff(ends) == 0] = EMPTY
    return keys
