"""Small vocabularies, and all segmentations of a word by plain enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from hypothesis import strategies as st

from tunesmith.corpus.compounds import CompoundOptions, CompoundSplitter, WordCounts
from tunesmith.corpus.compounds.features import feature_names
from tunesmith.corpus.compounds.linkers import linkers_of
from tunesmith.corpus.compounds.parts import Arc

OPTIONS = CompoundOptions(linkers="+s +es -e -e+s", min_length=2, min_count=2, max_parts=4)

COMMON = {"ab": 3, "be": 7, "bae": 20}
WORDS = st.text("abes", min_size=1, max_size=5)
COUNTS = st.dictionaries(WORDS, st.integers(1, 50), max_size=25).map(lambda counts: counts | COMMON)
COMPOUNDS = st.builds(
    lambda pieces, last: "".join(pieces) + last,
    st.lists(st.sampled_from(["ab", "abs", "be", "bes", "ba", "bas"]), min_size=1, max_size=4),
    st.sampled_from(["ab", "be", "bae"]),
)
"""Words that can be split, the common words being there."""

LETTERS = st.text("abes", min_size=1, max_size=10)

TEXT = [
    "der Mann trägt eine Mütze im Winter .",
    "eine Mütze im Winter",
    "im Winter trägt er eine Mütze",
    "die Wintermütze liegt da",
    "Das Amt gibt Arbeit",
    "gibt das Amt Arbeit ?",
    "ein Amt ohne Arbeit",
]


def word_counts(counts: dict[str, int]) -> WordCounts:
    keys = sorted(counts)
    return WordCounts(tuple(keys), np.array([counts[key] for key in keys]))


def random_splitter(counts: dict[str, int], seed: int = 0) -> CompoundSplitter:
    """Return a splitter whose weights are random."""
    words = word_counts(counts)
    names = feature_names(OPTIONS.linker_list)
    values = np.random.default_rng(seed).normal(size=len(names)).tolist()
    return CompoundSplitter(words, OPTIONS, dict(zip(names, values, strict=True)), np.zeros(len(words)))


def paths(arcs: Sequence[Arc], size: int, start: int = 0) -> Iterator[tuple[Arc, ...]]:
    """Yield all ways over arcs from a letter to the end."""
    if start == size:
        yield ()
    for arc in arcs:
        if arc.start == start:
            yield from ((arc, *rest) for rest in paths(arcs, size, arc.end))


def splits(
    word: str, words: WordCounts, options: CompoundOptions
) -> set[tuple[tuple[int, int, int, int], ...]]:
    """Return all splits of a word by building every piece from every part, without any index."""
    parts = {
        key: number
        for number, key in enumerate(words.keys)
        if words.counts[number] >= options.min_count and len(key) >= options.min_length
    }
    pieces = []
    for key, number in parts.items():
        for n, linker in enumerate(linkers_of(options.linkers)):
            stem = key.removesuffix(linker.dropped)
            if key.endswith(linker.dropped) and len(stem) >= options.min_length:
                pieces.append((stem + linker.added, number, n))
    found = set()

    def extend(start: int, path: tuple[tuple[int, int, int, int], ...]) -> None:
        if start and word[start:] in parts:
            found.add((*path, (start, len(word), parts[word[start:]], 0)))
        for piece, number, linker in pieces:
            end = start + len(piece)
            if end < len(word) and word.startswith(piece, start):
                extend(end, (*path, (start, end, number, linker)))

    extend(0, ())
    return found
