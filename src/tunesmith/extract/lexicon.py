"""Word translation probabilities from word alignments, with counts by fold."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.container import Container, write_container
from tunesmith.corpus import Alignments, Bitext, Vocabulary
from tunesmith.errors import InputError
from tunesmith.extract.folds import check_excluded, fold_numbers
from tunesmith.extract.instance_weights import counted_weights
from tunesmith.files import PathLike, open_write
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import Int32Array, IntArray

__all__ = ["NULL", "Lexicon"]

NULL = "NULL"
"""The partner of an unaligned word in text formats."""

_KIND, _VERSION = "lexicon", 1


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Counts of word pairs: row i is (sources[i], targets[i]) in fold folds[i]; -1 is the empty word NULL.

    Every link counts once, and an unaligned word counts once with NULL, as in Moses. Rows are sorted.
    """

    sources: Int32Array
    targets: Int32Array
    folds: Int32Array
    counts: IntArray
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    fold_count: int = 1

    @classmethod
    def estimate(
        cls,
        bitext: Bitext,
        alignments: Alignments,
        folds: npt.ArrayLike | None = None,
        *,
        weights: npt.ArrayLike | None = None,
        threads: int | None = None,
    ) -> Lexicon:
        """Count the word pairs of an aligned bitext; `folds` are fold numbers, one per sentence pair.

        With `weights`, one per sentence pair, its links count that much. Fractional weights are counted in
        units of 1 / `WEIGHT_UNIT`.
        """
        numbers = fold_numbers(folds, len(bitext))
        weighed, _ = counted_weights(weights, len(bitext))
        columns = _native.count_words(
            bitext.source.arrays,
            bitext.target.arrays,
            alignments.arrays,
            numbers,
            thread_count(threads),
            weighed,
        )
        fold_count = int(numbers.max(initial=0)) + 1
        return cls(*columns, bitext.source.vocabulary, bitext.target.vocabulary, fold_count)

    @classmethod
    def joined(cls, lexicons: Sequence[Lexicon]) -> Lexicon:
        """Return the sums of counts over lexicons of one bitext, such as those of several alignments."""
        first = lexicons[0]
        if len(lexicons) == 1:
            return first
        columns = [
            np.concatenate([getattr(each, name) for each in lexicons])
            for name in ("sources", "targets", "folds", "counts")
        ]
        order = np.lexsort(columns[2::-1])
        *keys, counts = (column[order] for column in columns)
        changes = np.any([np.diff(key, prepend=-2) != 0 for key in keys], axis=0)
        begins = np.flatnonzero(changes)
        sources, targets, folds = (key[begins] for key in keys)
        counts = np.add.reduceat(counts, begins) if len(begins) else counts
        fold_count = max(each.fold_count for each in lexicons)
        return cls(
            sources, targets, folds, counts, first.source_vocabulary, first.target_vocabulary, fold_count
        )

    def probabilities(self, exclude_fold: int | None = None) -> _native.Lexicon:
        """Return p(f|e) = c(f, e) / c(e) and p(e|f) = c(f, e) / c(f), without the counts of a fold."""
        check_excluded(exclude_fold, self.fold_count)
        excluded = -1 if exclude_fold is None else exclude_fold
        return _native.Lexicon(self.sources, self.targets, self.folds, self.counts, excluded)

    def probability(self, source: str, target: str, exclude_fold: int | None = None) -> tuple[float, float]:
        """Return p(f|e), p(e|f) of a word pair; NULL is the empty word. Zeros if the pair was never seen."""
        numbers = (
            -1 if word == NULL else vocabulary.find(word)
            for word, vocabulary in ((source, self.source_vocabulary), (target, self.target_vocabulary))
        )
        f, e = numbers
        if (f < 0 and source != NULL) or (e < 0 and target != NULL):
            return 0.0, 0.0
        return self.probabilities(exclude_fold).find(f, e)

    def renumbered(self, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary) -> Lexicon:
        """Return the lexicon with the word numbers of other vocabularies; words not in them come after.

        The given vocabularies are not changed.
        """
        sources, source_words = _translate(self.sources, self.source_vocabulary, source_vocabulary)
        targets, target_words = _translate(self.targets, self.target_vocabulary, target_vocabulary)
        return dataclasses.replace(
            self,
            sources=sources,
            targets=targets,
            source_vocabulary=source_words,
            target_vocabulary=target_words,
        )

    def write_moses(self, prefix: PathLike, *, suffix: str = "", exclude_fold: int | None = None) -> None:
        """Write `prefix.e2f` with lines `f e p(f|e)`, and `prefix.f2e` with lines `e f p(e|f)`."""
        sources, targets, inverse, direct = self.probabilities(exclude_fold).columns()
        f = _texts(self.source_vocabulary, sources)
        e = _texts(self.target_vocabulary, targets)
        for name, first, second, values in (("e2f", f, e, inverse), ("f2e", e, f, direct)):
            with open_write(f"{prefix}.{name}{suffix}") as stream:
                rows = zip(first, second, values.tolist(), strict=True)
                stream.write("".join(f"{a} {b} {p:.7f}\n" for a, b, p in rows).encode())

    def save(self, path: PathLike) -> None:
        """Write a binary file."""
        arrays: dict[str, npt.NDArray[np.generic]] = {
            name: getattr(self, name) for name in ("sources", "targets", "folds", "counts")
        }
        for side in ("source", "target"):
            words: Texts = getattr(self, f"{side}_vocabulary").words()
            arrays |= {f"{side}.blob": words.blob, f"{side}.offsets": words.offsets}
        write_container(path, _KIND, _VERSION, arrays, {"folds": self.fold_count})

    @classmethod
    def open(cls, path: PathLike, *, verify: bool = False) -> Lexicon:
        """Map a file written by `save`."""
        container = Container.open(path, _KIND, _VERSION, verify=verify)
        arrays = container.arrays
        try:
            fold_count = int(container.meta["folds"])
            f, e = (
                _vocabulary(path, Texts(arrays[f"{side}.blob"], arrays[f"{side}.offsets"]))
                for side in ("source", "target")
            )
            sources, targets, folds, counts = (
                arrays[name] for name in ("sources", "targets", "folds", "counts")
            )
        except KeyError as error:
            raise InputError(f"is damaged: it has no {error}", path=path) from None
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError("is damaged: its notes do not give the folds", path=path) from None
        if len({len(column) for column in (sources, targets, folds, counts)}) > 1:
            raise InputError("is damaged: its columns differ in length", path=path)
        for column, vocabulary in ((sources, f), (targets, e)):
            if len(column) and not (column.min() >= -1 and column.max() < len(vocabulary)):
                raise InputError("is damaged: a word is outside of the vocabulary", path=path)
        return cls(sources, targets, folds, counts, f, e, fold_count)


def _translate(numbers: Int32Array, known: Vocabulary, wanted: Vocabulary) -> tuple[Int32Array, Vocabulary]:
    """Return the numbers of the same words in the wanted vocabulary, or in an extension of it."""
    if known is wanted:
        return numbers, known
    words = list(known.words())
    if any(word not in wanted for word in words):
        wanted = Vocabulary(wanted.words())
    table = np.array([wanted.add(word) for word in words] + [-1], dtype=np.int32)
    return table[numbers], wanted  # NULL is -1: the last entry


def _vocabulary(path: PathLike, words: Texts) -> Vocabulary:
    """Return the words of a file, which may be damaged."""
    vocabulary = Vocabulary(Texts.stored(words.blob, words.offsets, "words", path))
    if len(vocabulary) != len(words):
        raise InputError("is damaged: a word is in a vocabulary twice", path=path)
    return vocabulary


def _texts(vocabulary: Vocabulary, numbers: Int32Array) -> list[str]:
    words = list(vocabulary.words())
    return [NULL if number < 0 else words[number] for number in numbers.tolist()]
