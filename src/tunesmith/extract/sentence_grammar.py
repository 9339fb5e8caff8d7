"""The rules that can translate one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith import _native
from tunesmith.extract.grammar import GrammarRule
from tunesmith.extract.rule_features import GRAMMAR_FEATURES
from tunesmith.extract.rules import GrammarFormat, check_format
from tunesmith.files import PathLike, open_write
from tunesmith.immutable import seal
from tunesmith.texts import Texts
from tunesmith.types import Float32Array, FloatArray, Int32Array, IntArray

__all__ = ["COUNTS", "FormatLines", "SentenceGrammar"]

COUNTS = ("joint", "source", "samples", "without_rule", "target_joint", "target", "lex_fe", "lex_ef")
"""The columns of `SentenceGrammar.counts`.

Occurrences of the rule, and of all rules with its source side; sampled matches of its source pattern, and
those without a rule with this source side; occurrences of the rule, and of all rules with its target side,
among the sampled matches of its target pattern (0 if target sides were not looked up); the lexical costs of
f given e and of e given f.
"""


@dataclass(frozen=True)
class FormatLines:
    """How an index prints grammars: the words of both sides, and the features."""

    index: _native.SuffixIndex
    source_words: Texts
    target_words: Texts
    writers: dict[GrammarFormat, _native.GrammarLines]
    names: tuple[str, ...]
    coherent: bool

    @classmethod
    def of(
        cls,
        index: _native.SuffixIndex,
        extractor: _native.GrammarExtractor,
        *,
        coherent: bool,
        target_counts: bool,
    ) -> FormatLines:
        """Prepare the words of an index; `FgivenE` is there only if target sides were counted.

        Lexical weights of Moses' format are those of the extractor, without what it excludes.
        """
        shown = [
            feature.name if target_counts or feature.name != "FgivenE" else "" for feature in GRAMMAR_FEATURES
        ]
        formats: tuple[GrammarFormat, ...] = ("cdec", "moses")
        writers = {
            kind: _native.GrammarLines(extractor, kind == "moses", shown, coherent) for kind in formats
        }
        source, target = Texts(*index.source_words()), Texts(*index.target_words())
        return cls(index, source, target, writers, tuple(name for name in shown if name), coherent)


class SentenceGrammar:
    """Rules as flat arrays, grouped by source side; symbols are word numbers of the index, gaps are negative.

    Source side i is `source[source_offsets[i]:source_offsets[i + 1]]`; its rules are `rules[i]` to
    `rules[i + 1]`, the most frequent first. The target side of rule k is
    `target[target_offsets[k]:target_offsets[k + 1]]`, where -1 stands for the first gap of the source side
    and -2 for the second; its links, between symbol positions, are
    `links[link_offsets[k]:link_offsets[k + 1]]`. Chart decoders take the same as a `trie`.
    """

    def __init__(self, arrays: _native.GrammarArrays, lines: FormatLines) -> None:
        self._arrays = arrays
        self._lines = lines
        self.source: Int32Array = seal(arrays.source)
        self.source_offsets: IntArray = seal(arrays.source_offsets)
        self.rules: IntArray = seal(arrays.rules)
        self.target: Int32Array = seal(arrays.target)
        self.target_offsets: IntArray = seal(arrays.target_offsets)
        links, link_offsets = arrays.alignment
        self.links: Int32Array = seal(links)
        self.link_offsets: IntArray = seal(link_offsets)
        self.counts: Float32Array = seal(arrays.counts)

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def native(self) -> _native.GrammarArrays:
        """The arrays as native code takes them."""
        return self._arrays

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of the columns of `features`."""
        return self._lines.names

    @property
    def features(self) -> FloatArray:
        """A row of features for each rule, in the order of `feature_names`."""
        values: FloatArray = self._arrays.features(self._lines.coherent)
        shown = [i for i, feature in enumerate(GRAMMAR_FEATURES) if feature.name in self._lines.names]
        return np.ascontiguousarray(values[:, shown])

    def trie(self, names: Sequence[str] | None = None) -> _native.MemoryGrammar:
        """Return the rules as a trie for chart decoders, with category X.

        Their features are `features`, under other `names` if given.
        """
        columns = list(self.feature_names if names is None else names)
        return self._arrays.trie(self._lines.index, self.features, columns)

    def __iter__(self) -> Iterator[GrammarRule]:
        sides = np.repeat(np.arange(len(self.rules) - 1), np.diff(self.rules))
        features = self.features.tolist()
        joint, source, target = (self.counts[:, COUNTS.index(name)] for name in ("joint", "source", "target"))
        for rule, side in enumerate(sides.tolist()):
            symbols = self.source[self.source_offsets[side] : self.source_offsets[side + 1]]
            translated = self.target[self.target_offsets[rule] : self.target_offsets[rule + 1]]
            links = self.links[self.link_offsets[rule] : self.link_offsets[rule + 1]]
            yield GrammarRule(
                _tokens(symbols, self._lines.source_words),
                _tokens(translated, self._lines.target_words),
                tuple((int(i), int(j)) for i, j in links),
                dict(zip(self.feature_names, features[rule], strict=True)),
                (float(target[rule]), float(source[rule]), float(joint[rule])),
            )

    def lines(self, format_: GrammarFormat = "cdec") -> bytes:
        """Return the grammar in the format of cdec or Moses, one rule per line."""
        return self._lines.writers[check_format(format_)].lines(self._arrays)

    def write(self, path: PathLike, format_: GrammarFormat = "cdec") -> None:
        """Write the grammar; the suffix chooses the compression."""
        with open_write(path) as stream:
            stream.write(self.lines(format_))


def _tokens(symbols: Int32Array, words: Texts) -> tuple[str, ...]:
    return tuple(words[symbol] if symbol >= 0 else f"[X,{-symbol}]" for symbol in symbols.tolist())
