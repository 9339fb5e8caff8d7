"""Word translation probabilities that Moses estimated: its files `lex.e2f` and `lex.f2e`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.corpus import Vocabulary
from tunesmith.errors import InputError
from tunesmith.extract.lexicon import NULL
from tunesmith.files import PathLike, read_lines

__all__ = ["MosesLexicon", "read_moses_lexicon"]


@dataclass(frozen=True, eq=False)
class MosesLexicon:
    """p(f|e) and p(e|f) of word pairs, as they are in the files; it has no counts, and so no folds."""

    pairs: dict[tuple[str, str], tuple[float, float]]

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

    A pair that one of the files lacks is an InputError.
    """
    inverse = _read(f"{prefix}.e2f{suffix}")
    direct = {(f, e): value for (e, f), value in _read(f"{prefix}.f2e{suffix}").items()}
    if inverse.keys() != direct.keys():
        f, e = min(inverse.keys() ^ direct.keys())
        lacking = f"{prefix}.f2e{suffix}" if (f, e) in inverse else f"{prefix}.e2f{suffix}"
        raise InputError(f"has no probability of the words {f!r} and {e!r}; the other has", path=lacking)
    return MosesLexicon({pair: (value, direct[pair]) for pair, value in inverse.items()})


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
