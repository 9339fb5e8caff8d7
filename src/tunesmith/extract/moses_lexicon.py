"""Word translation probabilities that Moses estimated: its files `lex.e2f` and `lex.f2e`."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Vocabulary
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.extract.lexicon import NULL
from tunesmith.files import PathLike, read_lines

__all__ = ["MosesLexicon", "read_moses_lexicon"]

SHOWN = 3
"""Missing pairs that a warning names."""


@dataclass(frozen=True, eq=False)
class MosesLexicon:
    """p(f|e) and p(e|f) of word pairs, as they are in the files; it has no counts, and so no folds.

    Pairs that it lacks have probability 1, as in Moses.
    """

    pairs: dict[tuple[str, str], tuple[float, float]]

    def warn_of_missing(self, bitext: Bitext, alignments: Alignments) -> None:
        """Issue a TunesmithWarning if the lexicon lacks linked words, as one of another text does.

        Words without a link, whose partner is NULL, are not looked at.
        """
        lengths = np.diff(alignments.offsets)
        sources = bitext.source.words[alignments.links[:, 0] + np.repeat(bitext.source.offsets[:-1], lengths)]
        targets = bitext.target.words[alignments.links[:, 1] + np.repeat(bitext.target.offsets[:-1], lengths)]
        linked = np.unique(np.stack([sources, targets], axis=1), axis=0)
        first, second = list(bitext.source.vocabulary.words()), list(bitext.target.vocabulary.words())
        lacking = [
            (first[f], second[e]) for f, e in linked.tolist() if (first[f], second[e]) not in self.pairs
        ]
        if lacking:
            shown = ", ".join(f"{f!r} {e!r}" for f, e in lacking[:SHOWN])
            warnings.warn(
                f"{len(lacking):,} of {len(linked):,} linked word pairs of the text are not in the lexicon,"
                f" such as {shown}; each counts with probability 1, as in Moses",
                TunesmithWarning,
                stacklevel=2,
            )

    def numbered(self, source: Vocabulary, target: Vocabulary) -> _native.Lexicon:
        """Return the probabilities of the pairs whose words both vocabularies have."""
        rows = [
            (f, e, *values)
            for (one, other), values in self.pairs.items()
            if (f := _number(one, source)) is not None and (e := _number(other, target)) is not None
        ]
        columns = list(zip(*rows, strict=True)) or [(), (), (), ()]
        return _native.Lexicon.of_probabilities(
            np.array(columns[0], dtype=np.int32),
            np.array(columns[1], dtype=np.int32),
            np.array(columns[2], dtype=np.float64),
            np.array(columns[3], dtype=np.float64),
        )


def read_moses_lexicon(prefix: PathLike, suffix: str = "") -> MosesLexicon:
    """Read `prefix.e2f`, lines `f e p(f|e)`, and `prefix.f2e`, lines `e f p(e|f)`.

    A pair that one of the files lacks has probability 1 there, as in Moses, and is a TunesmithWarning.
    """
    inverse = _read(f"{prefix}.e2f{suffix}")
    direct = {(f, e): value for (e, f), value in _read(f"{prefix}.f2e{suffix}").items()}
    if lacking := inverse.keys() ^ direct.keys():
        f, e = min(lacking)
        warnings.warn(
            f"{prefix}: {len(lacking):,} word pairs are in one of the files {prefix}.e2f{suffix} and"
            f" {prefix}.f2e{suffix} only, such as {f!r} {e!r}; the other probability is 1, as in Moses",
            TunesmithWarning,
            stacklevel=2,
        )
    pairs = dict.fromkeys([*inverse, *direct])
    return MosesLexicon({pair: (inverse.get(pair, 1.0), direct.get(pair, 1.0)) for pair in pairs})


def _read(path: str) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split()
        try:
            first, second, value = fields[0], fields[1], float(fields[2])
        except (IndexError, ValueError):
            value = -1.0
        if len(fields) != 3 or not 0 <= value <= 1:
            raise InputError(
                f"expected two words and a probability, found {line[:60]!r}", path=path, line=number
            )
        if (first, second) in found:
            raise InputError(f"has the words {first!r} and {second!r} twice", path=path, line=number)
        found[first, second] = value
    return found


def _number(word: str, vocabulary: Vocabulary) -> int | None:
    if word == NULL:
        return -1
    number = vocabulary.find(word)
    return None if number < 0 else number
