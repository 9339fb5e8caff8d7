"""The grammars of a model, and those that requests bring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tunesmith import _native
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.files import parse_chunks, read_chunks
from tunesmith.model.model import Model, RulePart

__all__ = ["GrammarSources"]


class GrammarSources:
    """Where the rules of a chart decoder come from.

    Tables and texts are parts of the native model. From an index the rules of each sentence are extracted
    when it comes; a grammar that a request brings is used beside those of the model.
    """

    def __init__(self, model: Model, options: ChartOptions) -> None:
        self._options = options
        self._tries: list[tuple[RulePart, _native.RuleTrie]] = []
        self._indices: list[tuple[RulePart, SuffixIndex]] = []
        self._model = model
        for number, part in enumerate(model.rules):
            source = model.rule_source(number)
            if isinstance(source, SuffixIndex):
                self._indices.append((part, source))
            elif isinstance(source, RuleTable):
                self._tries.append((part, _native.TableGrammar(str(source.path))))
            else:
                self._tries.append((part, _read_grammar(source)))

    def add_to_model(self, native: _native.DecoderModel) -> None:
        """Add the tables and texts to a native model, and the columns of all rules."""
        for part, trie in self._tries:
            native.add_grammar(trie, *self._limits(part), part.features, part.features)
        for part, _ in self._indices:
            for name in part.features:
                native.add_arc_feature(name)

    def add_to(
        self, natives: Sequence[_native.DecoderRequest], requests: Sequence[Request], threads: int
    ) -> None:
        """Give each request the rules that were extracted for it."""
        for number, (part, index) in enumerate(self._indices):
            options = self._model.grammar_options(number)
            grammars = index.grammars([request.source for request in requests], options, threads=threads)
            for native, grammar in zip(natives, grammars, strict=True):
                native.add_grammar(grammar.trie(), *self._limits(part))

    def _limits(self, part: RulePart) -> tuple[int, int, bool]:
        options = self._options
        rules = part.table_limit if options.table_limit is None else options.table_limit
        is_glue = part.source == "text"
        span = part.span_limit if options.span_limit is None or is_glue else options.span_limit
        return rules, span, part.counted or not is_glue


def _read_grammar(path: Path) -> _native.MemoryGrammar:
    return parse_chunks(_native.GrammarParser([]), read_chunks(path), path)
