"""Which sentences the rounds of a training have learned from, and which were held out of all of them.

The file `sentences.npz` of a reordering model has digests of their source words, so that the next round knows
them even if stores were moved or removed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith.array_files import read_arrays
from tunesmith.errors import InputError
from tunesmith.files import open_write
from tunesmith.named_files import own_file
from tunesmith.xbleu.list_file import ListFile
from tunesmith.xbleu.store import ListStore

__all__ = ["SENTENCES", "Digests", "SeenSentences", "source_digests"]

SENTENCES = "sentences.npz"

Digests: TypeAlias = npt.NDArray[np.uint64]
"""Hashes of source sentences."""


def _none() -> Digests:
    return np.zeros(0, dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class SeenSentences:
    """Sentences that were trained on in any round, and those that were held out and never trained on."""

    trained: Digests = field(default_factory=_none)
    held_out: Digests = field(default_factory=_none)

    @classmethod
    def read(cls, folder: Path) -> SeenSentences:
        """Read those of the model in a folder; an InputError if it has none."""
        path = folder / SENTENCES
        if not path.is_file():
            raise InputError(
                f"has no {SENTENCES}, which says what was held out: it was trained on forests or by an older"
                " version; train it again on lists, with {}",
                "restart",
                path=folder,
            )
        found = read_arrays(path, "train the model again")
        try:
            arrays = found["trained"], found["held_out"]
            if any(each.dtype != np.uint64 or each.ndim != 1 for each in arrays):
                raise ValueError("expected arrays of digests")
        except (ValueError, KeyError):
            raise InputError("is damaged; train the model again", path=path) from None
        return cls(*arrays)

    def write(self, folder: Path) -> None:
        """Write the file of the model in a folder, atomically."""
        with open_write(own_file(folder, SENTENCES)) as stream:
            np.savez(stream, trained=self.trained, held_out=self.held_out)

    def after(self, trained: Digests, held_out: Digests) -> SeenSentences:
        """Return those after a round that trained on some sentences and held out others."""
        every = np.union1d(self.trained, trained)
        return SeenSentences(every, np.setdiff1d(np.union1d(self.held_out, held_out), every))


def source_digests(store: ListStore) -> Digests:
    """Return the digest of the source words of each list. O(words)."""
    found: list[bytes] = []
    for path in store.files:
        file = ListFile.open(path)
        words, (offsets, numbers) = list(file.words), file.sources
        spelled = [words[number] for number in numbers.tolist()]
        found += [
            hashlib.blake2b(" ".join(spelled[begin:end]).encode(), digest_size=8).digest()
            for begin, end in pairwise(offsets.tolist())
        ]
    if len(found) != store.sentences:
        raise InputError(f"has {len(found)} lists; its record says {store.sentences}", path=store.path)
    return np.frombuffer(b"".join(found), dtype="<u8").astype(np.uint64)
