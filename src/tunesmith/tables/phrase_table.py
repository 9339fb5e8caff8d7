"""Memory-mapped phrase tables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tunesmith import _native
from tunesmith.container import Container
from tunesmith.errors import InputError
from tunesmith.files import PathLike

__all__ = ["KIND", "VERSION", "PhrasePair", "PhraseTable"]

KIND, VERSION = "phrases", 2


@dataclass(frozen=True)
class PhrasePair:
    """A phrase pair with its scores, reordering probabilities, counts and alignment.

    Scores and reordering are probabilities (float32). Counts are 0 if unknown; the alignment is links
    (source, target) of word positions within the phrases. `sparse` are scores that few pairs have, of any
    value: they are features as they are, not by their logs.
    """

    source: str
    target: str
    scores: Mapping[str, float]
    reordering: tuple[float, ...]
    alignment: tuple[tuple[int, int], ...]
    target_count: float
    source_count: float
    joint_count: float
    sparse: Mapping[str, float] = field(default_factory=dict)


class PhraseTable:
    """A mapped table: opens in milliseconds at any size once it was verified; processes share its memory."""

    def __init__(self, path: PathLike, *, in_memory: bool = False) -> None:
        self.path = Path(path)
        self.meta = Container.open(path, KIND, VERSION).meta
        self.native = _native.PhraseTable(str(path), in_memory)
        try:
            self.score_names = tuple(str(name) for name in self.meta["scores"])
            widths = sum(width for _, width in self.reordering_models)
        except (KeyError, TypeError, ValueError):
            raise InputError("is damaged: its notes do not name its scores", path=path) from None
        if (len(self.score_names), widths) != (self.native.score_count, self.native.reordering_count):
            raise InputError("is damaged: its notes name other scores than it has", path=path)

    @classmethod
    def open(cls, path: PathLike, *, verify: bool = False, in_memory: bool = False) -> PhraseTable:
        """Map a table; a missing, foreign or truncated file or another version is an InputError.

        `verify` compares its checksums even if the file is unchanged (`Container.open`). `in_memory` reads it
        into memory of this process: opening takes longer, but look-ups never wait for the disk.
        """
        table = cls(path, in_memory=in_memory)
        if verify:
            table.native.verify()
        return table

    @property
    def reordering_models(self) -> tuple[tuple[str, int], ...]:
        """The reordering models: type, such as `hier-mslr-bidirectional-fe`, and number of probabilities."""
        return tuple((str(model["type"]), int(model["width"])) for model in self.meta.get("reordering", []))

    @property
    def instances(self) -> int | None:
        """Number of phrase pairs extracted from the text; None if unknown.

        Filtering and pruning do not change it: counts refer to all extracted pairs.
        """
        found = self.meta.get("instances")
        return found if isinstance(found, int) and found > 0 else None

    @property
    def reordering_columns(self) -> tuple[tuple[int, int], ...]:
        """The columns (begin, end) of each reordering model's probabilities."""
        ends = list(itertools.accumulate((width for _, width in self.reordering_models), initial=0))
        return tuple(itertools.pairwise(ends))

    @property
    def sparse_names(self) -> tuple[str, ...]:
        """The names of the sparse scores; empty if no pair has any."""
        return tuple(self.native.sparse_names)

    @property
    def longest_source(self) -> int:
        """The number of words of the longest source phrase."""
        return self.native.longest_source

    def __len__(self) -> int:
        """Return the number of pairs."""
        return self.native.pair_count

    def __repr__(self) -> str:
        return f"<PhraseTable {self.path}: {len(self)} pairs of {self.native.source_count} source phrases>"

    def __contains__(self, source: str) -> bool:
        return bool(self.lookup(source))

    def __iter__(self) -> Iterator[PhrasePair]:
        """Yield all pairs; within a source phrase, the best first."""
        for node in self._nodes:
            yield from self._pairs(node)

    def source_phrases(self) -> Iterator[str]:
        """Yield the source phrases, in the order of the table."""
        return (self.native.source(node) for node in self._nodes)

    def lookup(self, source: str) -> list[PhrasePair]:
        """Return the pairs of a source phrase, by decreasing p(e|f); empty if unknown."""
        node = self.native.find_node(source)
        return [] if node <= 0 else list(self._pairs(node))

    def spans(self, sentence: str) -> list[tuple[int, int, int]]:
        """Return (begin, end, number of pairs) of every span of words that is a source phrase."""
        return self.native.spans(sentence)

    def write_moses(self, path: PathLike, reordering: PathLike | Sequence[PathLike] | None = None) -> None:
        """Write the text form: see `write_moses_table`."""
        from tunesmith.tables.moses import write_moses_table

        write_moses_table(self, path, reordering)

    def __reduce__(self) -> tuple[object, ...]:
        return (PhraseTable, (self.path,))

    @cached_property
    def _nodes(self) -> list[int]:
        return self.native.source_nodes().tolist()  # type: ignore[no-any-return]

    def _pairs(self, node: int) -> Iterator[PhrasePair]:
        source = self.native.source(node)
        for target, scores, reordering, links, counts, sparse in self.native.pairs(node):
            named = dict(zip(self.score_names, scores, strict=True))
            yield PhrasePair(source, target, named, tuple(reordering), tuple(links), *counts, dict(sparse))
