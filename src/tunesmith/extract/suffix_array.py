"""An aligned bitext and its suffix arrays in one mapped file, for grammars on demand (Lopez 2007)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.rules import RuleOptions
from tunesmith.extract.sentence_grammar import FormatLines, SentenceGrammar
from tunesmith.files import PathLike, check_output
from tunesmith.options import check_options, option, require_at_least, require_at_most
from tunesmith.texts import Texts
from tunesmith.threads import thread_count
from tunesmith.types import IntArray

__all__ = ["GrammarExtractor", "GrammarOptions", "SuffixIndex"]

_BATCH = 16
"""Sentences per thread in one batch of a stream."""

_MOST_SAMPLES = (1 << 31) - 1
_LARGEST_CACHE = 1 << 20

LONGEST_SPAN = 31
"""Words around a match are represented by the bits of one machine word."""


@dataclass(frozen=True)
class GrammarOptions:
    """Options of on-demand grammars: the limits of rules, and sampling of the bitext."""

    rules: RuleOptions = field(default_factory=RuleOptions)
    """The limits of rules; `max_span` is at most 31, and counts are whole."""
    samples: int = option(
        300, help="Sampled matches per source pattern; 0 is all.", least=0, most=_MOST_SAMPLES
    )
    target_counts: bool | None = option(
        None,
        help="Look up target sides too, for p(f|e), which source samples cannot give: about 3 times slower"
        " [default: if the index has both sides].",
    )
    target_samples: int = option(
        100, help="Sampled matches per target pattern; 0 is all.", least=0, most=_MOST_SAMPLES
    )
    breadth: int = option(
        0,
        help="Keep this many target sides per source side, the most frequent ones; 0 is all.",
        least=0,
        most=_MOST_SAMPLES,
    )
    """Of equally frequent target sides, those with the least lexical costs are kept; counts are of all."""
    coherent: bool = option(
        True, help="Count matches of a source side without a rule in p(e|f), as cdec does."
    )
    """Without it, features equal those of `extract_rules` if nothing is sampled."""
    cache: float = option(
        1.0,
        help="Cache of rules for later sentences, in GB per side.",
        least=0,
        most=_LARGEST_CACHE,
        matters=False,
    )

    def __post_init__(self) -> None:
        check_options(self, "grammars")
        if self.rules.max_span > LONGEST_SPAN:
            raise OptionError(
                "grammars: {} must be at most {most} here, not {span}",
                "max_span",
                most=LONGEST_SPAN,
                span=self.rules.max_span,
            )
        if self.rules.counts != "whole":
            raise OptionError("grammars: fractional counts need all rules of a phrase; use whole counts")


class SuffixIndex:
    """A mapped index of an aligned bitext.

    Opening checks in one pass that its parts are consistent: some milliseconds per million words. Pickling
    stores the path, unpickling opens it again.
    """

    def __init__(self, native: _native.SuffixIndex, path: Path) -> None:
        self.native = native
        self.path = path
        self._last: tuple[object, GrammarExtractor] | None = None

    @classmethod
    def build(
        cls,
        bitext: Bitext,
        alignments: Alignments,
        path: PathLike,
        *,
        both_sides: bool = True,
        threads: int | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> SuffixIndex:
        """Sort the suffixes of a bitext, write the index and open it. O(n log n).

        Without `both_sides`, building takes half the time, and grammars have no p(f|e).
        """
        check_output(path)
        words = [side.vocabulary.words() for side in (bitext.source, bitext.target)]
        if progress:
            progress(f"{len(bitext)} pairs, {len(bitext.source.words)} and {len(bitext.target.words)} words")
        _native.build_suffix_index(
            bitext.source.arrays,
            bitext.target.arrays,
            (words[0].blob, words[0].offsets),
            (words[1].blob, words[1].offsets),
            alignments.arrays,
            str(path),
            both_sides,
            thread_count(threads),
        )
        if progress:
            progress(f"{Path(path).stat().st_size / 1e6:.1f} MB written")
        return cls.open(path)

    @classmethod
    def open(cls, path: PathLike, *, verify: bool = False) -> SuffixIndex:
        """Map an index; `verify` compares its checksums even if it is unchanged (`Container.open`)."""
        if not Path(path).exists():
            raise InputError("no such file", path=path)
        return cls(_native.SuffixIndex(str(path), verify), Path(path))

    def __reduce__(self) -> tuple[object, ...]:
        return SuffixIndex.open, (self.path.absolute(),)

    def __len__(self) -> int:
        return len(self.native)

    @property
    def both_sides(self) -> bool:
        """Whether target patterns can be looked up too."""
        return self.native.both_sides

    def occurrences(self, pattern: str, *, max_span: int = 10, samples: int = 0) -> IntArray:
        """Return the matches of words with gaps, written `[X]`, between them.

        A row is the number of a sentence pair and the position of each piece between gaps. A gap is at least
        one word, and a match spans at most `max_span` words. Words are separated by blanks. At most `samples`
        matches are returned, all if it is 0.
        """
        require_at_least(0, "occurrences", samples=samples)
        require_at_most(_MOST_SAMPLES, "occurrences", samples=samples)
        require_at_most(LONGEST_SPAN, "occurrences", max_span=max_span)
        pieces: list[list[str]] = [[]]
        for token in filter(None, pattern.split(" ")):
            if token == "[X]":
                pieces.append([])
            else:
                pieces[-1].append(token)
        if not all(pieces) or len(pieces) > 3:
            raise InputError(
                f"found the pattern {pattern!r}; expected words, with up to two [X] between them"
            )
        lengths = np.array([len(piece) for piece in pieces], dtype=np.int32)
        texts = Texts.of([" ".join(itertools.chain(*pieces))])
        words, _ = self.native.encode(texts.blob, texts.offsets)
        limits = RuleOptions(max_span=max_span, max_symbols=max_span).native
        return _native.find_pattern(self.native, words, lengths, limits, samples)

    def extractor(
        self, options: GrammarOptions | None = None, *, exclude: npt.ArrayLike = ()
    ) -> GrammarExtractor:
        """Return an extractor of grammars, with a cache of rules shared by all sentences.

        `exclude` are numbers of sentence pairs to ignore, or a mask of them such as `folds == 3`. Their links
        do not count in lexical weights either.
        """
        chosen = options or GrammarOptions()
        excluded = _numbers(exclude, len(self))
        if self._last is None or self._last[0] != (chosen, excluded.tobytes()):
            self._last = (chosen, excluded.tobytes()), GrammarExtractor(self, chosen, excluded)
        return self._last[1]

    def grammar(
        self, sentence: str, options: GrammarOptions | None = None, *, exclude: npt.ArrayLike = ()
    ) -> SentenceGrammar:
        """Return the rules that can translate a tokenized sentence."""
        return next(self.extractor(options).grammars([sentence], exclude_each=[exclude], threads=1))

    def grammars(
        self,
        sentences: Iterable[str],
        options: GrammarOptions | None = None,
        *,
        exclude: npt.ArrayLike = (),
        exclude_each: Iterable[npt.ArrayLike | None] | None = None,
        threads: int | None = None,
    ) -> Iterator[SentenceGrammar]:
        """Yield a grammar for each sentence, in order, computed at most a few sentences ahead.

        `exclude` applies to all sentences; `exclude_each` has one entry per sentence: with its own number, a
        sentence of the bitext gets the grammar of a bitext without it, except that its links count in lexical
        weights. None excludes nothing.
        """
        extractor = self.extractor(options, exclude=exclude)
        return extractor.grammars(sentences, exclude_each=exclude_each, threads=threads)


class GrammarExtractor:
    """Extracts grammars with fixed options; a grammar depends only on its own sentence."""

    def __init__(self, index: SuffixIndex, options: GrammarOptions, excluded: IntArray) -> None:
        self.index = index
        self.options = options
        counts = index.both_sides if options.target_counts is None else options.target_counts
        self._native = _native.GrammarExtractor(
            index.native,
            options.rules.native,
            samples=options.samples,
            target_counts=counts,
            target_samples=options.target_samples,
            breadth=options.breadth,
            cache_bytes=int(options.cache * (1 << 30)),
            excluded=excluded,
        )
        self._lines = FormatLines.of(
            index.native, self._native, coherent=options.coherent, target_counts=counts
        )

    @property
    def native(self) -> _native.GrammarExtractor:
        """The extractor as native code takes it."""
        return self._native

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the features of all grammars; FgivenE only if target sides are looked up."""
        return self._lines.names

    def grammars(
        self,
        sentences: Iterable[str],
        *,
        exclude_each: Iterable[npt.ArrayLike | None] | None = None,
        threads: int | None = None,
    ) -> Iterator[SentenceGrammar]:
        """Yield a grammar for each tokenized sentence, in order."""
        count = thread_count(threads)
        pairs = _paired(sentences, exclude_each)
        while batch := list(itertools.islice(pairs, _BATCH * count)):
            texts = Texts.of(sentence for sentence, _ in batch)
            words, offsets = self.index.native.encode(texts.blob, texts.offsets)
            numbers = [[] if each is None else _numbers(each, len(self.index)).tolist() for _, each in batch]
            for arrays in self._native.extract(words, offsets, numbers, count):
                yield SentenceGrammar(arrays, self._lines)


def _paired(
    sentences: Iterable[str], exclude_each: Iterable[npt.ArrayLike | None] | None
) -> Iterator[tuple[str, npt.ArrayLike | None]]:
    """Yield each sentence with its exclusions; a wrong number of lists is an error: it would leak pairs."""
    missing = object()
    each: Iterable[Any] = itertools.repeat(None) if exclude_each is None else exclude_each
    lists = iter(each)
    number = 0
    for number, sentence in enumerate(sentences, 1):
        excluded: Any = next(lists, missing)
        if excluded is missing:
            raise InputError(
                f"there are exclusions for only {number - 1} sentences; expected one per sentence"
            )
        yield sentence, excluded
    if exclude_each is not None and next(lists, missing) is not missing:
        raise InputError(f"there are exclusions for more than {number} sentences; expected one per sentence")


def _numbers(exclude: npt.ArrayLike, sentences: int) -> IntArray:
    """Return the sentence numbers of a list or a mask."""
    given = np.asarray(exclude)
    if given.dtype == np.bool_:
        if given.shape != (sentences,):
            raise InputError(f"a mask of {given.size} sentences for a bitext of {sentences}")
        return np.flatnonzero(given).astype(np.int64)
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise InputError("sentences to exclude must be given by number, or by a mask")
    return np.ascontiguousarray(given.reshape(-1), dtype=np.int64)
