"""Which sentences a model was trained on, and how many sentences of another text are among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tunesmith.container import Container, write_container
from tunesmith.corpus.line_keys import EMPTY, LineKeys, line_keys
from tunesmith.files import PathLike

__all__ = ["SEEN", "Seen", "overlap_messages", "show_overlap"]

SEEN = "seen.bin"
"""File name in the model's directory."""

KIND, VERSION = "seen", 1
_SIDES = ("source", "target")


@dataclass(frozen=True, eq=False)
class Seen:
    """Keys (`tunesmith.corpus.line_keys`) of the different sources and targets of the training text, sorted.

    A file of 8 bytes per different sentence of each side; a search takes time logarithmic in their number.
    """

    source: LineKeys
    target: LineKeys

    @classmethod
    def of(cls, sources: Iterable[LineKeys], targets: Iterable[LineKeys]) -> Seen:
        """Make it from the keys of blocks of lines."""
        return cls(_different(sources), _different(targets))

    def save(self, path: PathLike) -> None:
        """Write the keys as a container."""
        write_container(path, KIND, VERSION, {side: getattr(self, side) for side in _SIDES})

    @classmethod
    def open(cls, path: PathLike) -> Seen:
        """Map a file that `save` wrote."""
        arrays = Container.open(path, KIND, VERSION).arrays
        return cls(*(arrays[side] for side in _SIDES))

    @classmethod
    def of_model(cls, directory: PathLike) -> Seen | None:
        """Return the sentences that a model was trained on; None if unknown, such as for imported models."""
        path = Path(directory) / SEEN
        return cls.open(path) if path.is_file() else None

    def count_sources(self, lines: Iterable[str]) -> int:
        """Return how many of the lines are sources of the training text."""
        return _count(self.source, line_keys(lines))

    def count_targets(self, references: Sequence[Sequence[str]]) -> int:
        """Return how many sentences have a reference that is a target of the training text."""
        found = [_found(self.target, line_keys(reference)) for reference in references]
        return int(np.logical_or.reduce(found).sum()) if found else 0


def overlap_messages(
    seen: Seen | None, sources: Sequence[str] = (), references: Sequence[Sequence[str]] = (), name: str = ""
) -> list[str]:
    """Return a sentence for each side of a judged text that was in the training text, with its share.

    `name` says which text it is: "tuning", "dev". A score on such sentences is not one on new text.
    """
    if seen is None:
        return []
    prefix = f"{name} " if name else ""
    counts = [("sources", seen.count_sources(sources), len(sources))]
    if references:
        counts.append(("references", seen.count_targets(references), len(references[0])))
    return [show_overlap(found, lines, prefix + what) for what, found, lines in counts if found]


def show_overlap(found: int, lines: int, what: str) -> str:
    """Return the sentence that `found` of a number of `what`, sources or references, were trained on."""
    return (
        f"{found:,} of {lines:,} {what} ({100 * found / lines:.1f}%) were in the model's training text;"
        " scores on them do not show how it translates new text"
    )


def _different(blocks: Iterable[LineKeys]) -> LineKeys:
    keys: LineKeys = np.unique(np.concatenate([np.zeros(0, dtype=np.uint64), *blocks]))
    return np.asarray(keys[keys != EMPTY])


def _found(known: LineKeys, keys: LineKeys) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    if not len(known):
        return np.zeros(len(keys), dtype=np.bool_)
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.asarray(known[places] == keys)


def _count(known: LineKeys, keys: LineKeys) -> int:
    return int(_found(known, keys).sum())
