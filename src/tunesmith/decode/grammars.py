"""The grammars of a model, and those of one sentence."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from tunesmith import _native
from tunesmith.decode.given_grammars import read_given_grammars, warn_of_unweighted
from tunesmith.decode.lattice_paths import path_text
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions
from tunesmith.errors import InputError
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.grammar_file import GrammarFile
from tunesmith.extract.rule_features import DIRECT_SCORES
from tunesmith.extract.suffix_array import GrammarExtractor
from tunesmith.files import parse_chunks, read_chunks
from tunesmith.model.model import Model, RulePart
from tunesmith.model.rule_names import KNOWN_NAMES, names_of_rules
from tunesmith.named_files import unquoted

__all__ = ["GrammarSources", "extraction_text"]

SPAN_LIMIT = 10
"""Span limit of given rules if the model has none of its own, in source words (Chiang 2007)."""


class GrammarSources:
    """The sources of the rules of a chart decoder.

    Tables and texts are parts of the native model. Rules of an index are extracted per sentence, unless the
    sentence has a grammar of its own: it replaces them, with the same limits, in addition to tables and
    texts. A model may have glue only, and take all other rules from the input.
    """

    def __init__(self, model: Model, options: ChartOptions) -> None:
        self._model = model
        self._options = options
        self._tries: list[tuple[RulePart, _native.RuleTrie]] = []
        self._indices: list[_IndexRules] = []
        self._mapped: dict[Path, GrammarFile] = {}
        self._has_warned = False
        for number, part in enumerate(model.rules):
            if part.source == "input":
                continue
            if part.source == "index":
                self._indices.append(_IndexRules(model, number))
                if not part.folds:
                    _ = self._indices[-1].names  # errors now, not at the first sentence
                continue
            source = model.rule_source(number)
            if isinstance(source, RuleTable):
                self._tries.append((part, _native.TableGrammar(str(source.path))))
            elif isinstance(source, Path):
                self._tries.append((part, _read_grammar(source, part)))

    def add_to_model(self, native: _native.DecoderModel) -> None:
        """Add tables and texts to a native model, and the columns of their rules and of extracted rules.

        An index has all columns that its part names, even without values for them: the weights of a model
        do not depend on how its index was built.
        """
        for part in self._model.rules:
            if part.source == "input":
                native.add_rule_columns(part.features)
        for part, trie in self._tries:
            columns = part.features if part.source == "table" else ()  # rules of a text have their own names
            native.add_grammar(trie, self._limits(part, trie.feature_names), columns, part.features)
        for index in self._indices:
            native.add_rule_columns(index.part.features or index.names)

    def add_to(
        self,
        natives: Sequence[_native.DecoderRequest],
        requests: Sequence[Request],
        weighted: Collection[str],
        threads: int,
    ) -> None:
        """Add to each request its own grammars, or else the extracted one.

        Warns the first time that such grammars have features that are not `weighted`.
        """
        given = read_given_grammars(requests, threads, self._mapped)
        self._has_warned = self._has_warned or warn_of_unweighted(chain.from_iterable(given), weighted)
        for native, grammars in zip(natives, given, strict=True):
            for trie in grammars:
                native.add_grammar(trie, self._given_limits(trie.feature_names))
        without = [number for number, grammars in enumerate(given) if not grammars]
        if any(request.exclude for request in requests):
            self._check_exclusions(requests, set(without))
        for index in self._indices if without else ():
            texts = [self._text(requests[number], index) for number in without]
            excluded = [requests[number].exclude for number in without]
            extracted = index.extractor.grammars(texts, exclude_each=excluded, threads=threads)
            limits = self._limits(index.part, index.extractor.feature_names, index.names)
            for number, grammar in zip(without, extracted, strict=True):
                natives[number].add_grammar(grammar.trie(index.names), limits)

    def index_rules(self, *, leave_one_out: bool) -> _native.IndexRules | None:
        """Return what extracts the rules of sentences within a native loop; None if there is no index.

        With `leave_one_out` the sentences are those of the indexed text, by their numbers, and each is left
        out of the text that its rules come from.
        """
        if not self._indices:
            return None
        if len(self._indices) > 1:
            raise InputError(
                f"has {len(self._indices)} indices of rules; expected one", path=self._model.directory
            )
        (index,) = self._indices
        extractor = index.extractor
        return _native.IndexRules(
            extractor.native,
            [KNOWN_NAMES.index(name) for name in extractor.feature_names],
            list(index.names),
            extractor.options.coherent,
            self._limits(index.part, extractor.feature_names, index.names),
            leave_one_out,
        )

    @property
    def are_texts(self) -> list[bool]:
        """Whether each grammar of the native model is a text, such as glue, and not a table."""
        return [part.source == "text" for part, _ in self._tries]

    def are_of_sentences(self, requests: Sequence[Request]) -> bool:
        """Return whether these requests need grammars beside those of the model."""
        return bool(self._indices) or any(request.brings_rules for request in requests)

    def _text(self, request: Request, index: _IndexRules) -> str:
        span = self._limits(index.part, index.extractor.feature_names).span
        return extraction_text(request, span, index.extractor.options.rules.max_span)

    def _check_exclusions(self, requests: Sequence[Request], extracted: set[int]) -> None:
        """Refuse exclusions without effect: training pairs would leak into the rules."""
        pairs = min((len(index.extractor.index) for index in self._indices), default=0)
        for number, request in enumerate(requests):
            if not request.exclude:
                continue
            if not pairs or number not in extracted:
                why = "the sentence has a grammar" if pairs else "the model has no index"
                raise InputError(
                    f"cannot exclude training pairs, since no rules are extracted: {why}", line=number + 1
                )
            for pair in request.exclude:
                if not 0 <= pair < pairs:
                    raise InputError(
                        f"cannot exclude the pair {pair}; the index has the pairs 0 to {pairs - 1}",
                        line=number + 1,
                    )

    def _given_limits(self, names: Sequence[str]) -> _native.GrammarLimits:
        """Return the limits of the rules that given rules replace, or else of a table."""
        order = ("input", "index", "table", "text")
        parts = sorted(self._model.rules, key=lambda part: order.index(part.source))
        if parts[0].source == "index" and parts[0].features:  # names of the model, not of the extractor
            known = dict(zip(parts[0].features, KNOWN_NAMES, strict=False))
            return self._limits(parts[0], [known.get(name, name) for name in names], names)
        if parts[0].source != "text":
            return self._limits(parts[0], names)
        return self._limits(RulePart("Given", "", "index", span_limit=SPAN_LIMIT), names)

    def _limits(
        self, part: RulePart, names: Sequence[str], renamed: Sequence[str] = ()
    ) -> _native.GrammarLimits:
        """Return the limits of a part's rules; options do not change those of glue.

        `names` are the features of the rules, and `renamed` the names that they get before they are cut.
        """
        if part.source == "text":
            return _native.GrammarLimits(part.table_limit, part.span_limit, part.counted)
        options = self._options
        rules = part.table_limit if options.table_limit is None else options.table_limit
        span = part.span_limit if options.span_limit is None else options.span_limit
        if not options.table_breadth:
            return _native.GrammarLimits(rules, span, True)
        direct, is_cost = direct_score(names)
        own = renamed[names.index(direct)] if renamed else direct
        return _native.GrammarLimits(rules, span, True, options.table_breadth, own, is_cost)


def extraction_text(request: Request, span_limit: int, widest: int) -> str:
    """Return the text whose rules a request needs; of a lattice, all paths that a rule may span."""
    if request.lattice is None:
        return request.source
    return path_text(request.lattice.native, min(span_limit or widest, widest))


@dataclass(frozen=True)
class _IndexRules:
    """Rules of an index, which is opened when a sentence needs it.

    Without a fold, its lexicon is counted again; sentences that bring their rules do not need it.
    """

    model: Model
    number: int

    @property
    def part(self) -> RulePart:
        return self.model.rules[self.number]

    @cached_property
    def extractor(self) -> GrammarExtractor:
        return self.model.rule_extractor(self.number)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The model's names of the features, in the order of the extractor."""
        return names_of_rules(self.model, self.part, self.extractor)


def direct_score(names: Sequence[str]) -> tuple[str, bool]:
    """Return the feature of p(e|f) among those of rules, and whether it is a cost; else an InputError."""
    for name, is_cost in DIRECT_SCORES.items():
        if name in names:
            return name, is_cost
    raise InputError(
        "{} cuts rules by p(e|f), but these have no such feature: expected "
        + " or ".join(map(repr, DIRECT_SCORES))
        + ", found {found}; decode without it",
        "table_breadth",
        found=", ".join(names) or "none",
    )


def _read_grammar(path: Path, part: RulePart) -> _native.MemoryGrammar:
    """Read a text; scores in Moses' format get the part's names, features in cdec's format have names."""
    with unquoted("the model"):
        return parse_chunks(_native.GrammarParser(list(part.features)), read_chunks(path, regular=True), path)
