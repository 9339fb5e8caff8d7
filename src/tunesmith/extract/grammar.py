"""Rule tables: grammars as mapped files, from Moses' and cdec's text formats or from extracted rules."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.container import Container
from tunesmith.extract.rule_features import MOSES_SCORES
from tunesmith.files import PathLike, check_output, parse_chunks, read_chunks
from tunesmith.texts import Texts

__all__ = ["GrammarRule", "RuleTable", "import_rules"]

KIND = "rules"
VERSION = 1


@dataclass(frozen=True)
class GrammarRule:
    """A rule with its gaps written as `[X,1]` and `[X,2]`, numbered in the order of the source side."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[tuple[int, int], ...]
    """Links of word positions; gaps count as positions."""
    features: dict[str, float] = field(hash=False)
    counts: tuple[float, ...] = ()
    """Counts of the target side, the source side and the rule, or empty."""

    @property
    def arity(self) -> int:
        """The number of gaps."""
        return sum(token in _GAPS for token in self.source)


_GAPS = ("[X,1]", "[X,2]")


@dataclass(frozen=True, eq=False)
class RuleTable:
    """A mapped grammar: a trie of source sides, and the rules of each."""

    arrays: dict[str, npt.NDArray[Any]]
    meta: dict[str, Any]
    names: tuple[str, ...]
    """The names of the features, one per column."""
    path: Path
    """The file; pickling stores this path, unpickling maps it again."""

    @classmethod
    def open(cls, path: PathLike, *, verify: bool = False) -> RuleTable:
        """Map a file; every rule in it is checked, O(size).

        `verify` compares checksums even if it is unchanged (`Container.open`).
        """
        container = Container.open(path, KIND, VERSION, verify=verify)
        _native.check_rule_table(str(path))
        arrays = container.arrays
        names = Texts(arrays["names.blob"], arrays["names.offsets"])
        return cls(arrays, container.meta, tuple(names), Path(path))

    def __reduce__(self) -> tuple[object, ...]:
        return RuleTable.open, (self.path.absolute(),)

    def __len__(self) -> int:
        return len(self.arrays["targets.offsets"]) - 1

    def rules(self, source: str) -> list[GrammarRule]:
        """Return the rules of a source side such as `[X,1] hat [X,2] gesehen`."""
        tokens = tuple(source.split(" "))
        children, symbols = self.arrays["trie.children"], self.arrays["trie.symbols"]
        node = 0
        for token in tokens:
            symbol = -1 - _GAPS.index(token) if token in _GAPS else self._source_words.get(token)
            begin, end = int(children[node]), int(children[node + 1])
            node = end if symbol is None else begin + int(np.searchsorted(symbols[begin:end], symbol))
            if node == end or symbols[node] != symbol:
                return []
        return list(self._rules_of(node, tokens))

    def __iter__(self) -> Iterator[GrammarRule]:
        """Yield all rules, by the length of their source sides."""
        children, symbols = self.arrays["trie.children"], self.arrays["trie.symbols"]
        level: list[tuple[int, tuple[str, ...]]] = [(0, ())]
        while level:
            below: list[tuple[int, tuple[str, ...]]] = []
            for node, source in level:
                yield from self._rules_of(node, source)
                inside = range(int(children[node]), int(children[node + 1]))
                below += [(each, (*source, self._word("source", int(symbols[each])))) for each in inside]
            level = below

    @functools.cached_property
    def _source_words(self) -> dict[str, int]:
        words = Texts(self.arrays["source.blob"], self.arrays["source.offsets"])
        return {word: number for number, word in enumerate(words)}

    def _rules_of(self, node: int, source: tuple[str, ...]) -> Iterator[GrammarRule]:
        begin, end = (int(self.arrays["trie.rules"][node + step]) for step in (0, 1))
        width = len(self.names)
        for rule in range(begin, end):
            values = self.arrays["features"][rule * width : (rule + 1) * width].tolist()
            links = self._row("links", rule, 2).reshape(-1, 2).tolist()
            yield GrammarRule(
                source,
                tuple(self._word("target", symbol) for symbol in self._row("targets", rule).tolist()),
                tuple((i, j) for i, j in links),
                dict(zip(self.names, values, strict=True)),
                tuple(self.arrays["counts"][3 * rule : 3 * rule + 3].tolist()),
            )

    def _row(self, name: str, rule: int, width: int = 1) -> npt.NDArray[Any]:
        begin, end = (width * int(self.arrays[f"{name}.offsets"][rule + step]) for step in (0, 1))
        return self.arrays[name][begin:end]

    def _word(self, side: str, symbol: int) -> str:
        if symbol < 0:
            return _GAPS[-1 - symbol]
        offsets = self.arrays[f"{side}.offsets"]
        return self.arrays[f"{side}.blob"][offsets[symbol] : offsets[symbol + 1]].tobytes().decode()


def import_rules(source: PathLike, output: PathLike) -> RuleTable:
    """Read a Moses rule table or a cdec grammar, detected by its first line, and write it as a mapped file.

    Moses' scores become natural logs, at least -100, under the names of MOSES_SCORES; cdec's features keep
    their names and values. Labels other than X are errors (glue rules belong to decoders), as are repeated
    rules.
    """
    check_output(output)
    parser = _native.RuleParser([score.name for score in MOSES_SCORES])
    parse_chunks(parser, read_chunks(source), source)
    parser.write(str(output), json.dumps({"source": str(source)}, ensure_ascii=False))
    return RuleTable.open(output)
