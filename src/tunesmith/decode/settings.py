"""Search options of decoders."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from tunesmith import _native
from tunesmith.decode.arcs import check_arc_features, check_feature_names
from tunesmith.memory import parse_bytes
from tunesmith.options import check_options, option, same_option

__all__ = ["ChartOptions", "SearchOptions"]

_UNKNOWN_WORDS = {"pass": _native.UnknownWords.PASS, "drop": _native.UnknownWords.DROP}
MOST = 1 << 24
PANEL = "Search"
"""Title of the part of the help that shows these options."""


@dataclass(frozen=True)
class SearchOptions:
    """Options of the search over stacks of hypotheses that cover the same number of source words."""

    panels: ClassVar[Mapping[str, str | None]] = {"*": PANEL}

    pop_limit: int = option(
        200,
        help="Hypotheses that cube pruning makes per stack or cell; 0 makes all (exhaustive expansion).",
        least=0,
        most=MOST,
    )
    stack_size: int = option(200, help="Phrase-based: hypotheses kept per stack.", least=1, most=MOST)
    beam_threshold: float | None = option(
        None,
        help="Drop hypotheses that score below the best of their stack or cell by more than this"
        " [default: no threshold].",
        least=0,
    )
    distortion_limit: int | None = option(
        None,
        help="Phrase-based: longest jump, in source words; -1 is unlimited [default: the model's].",
        least=-1,
        most=MOST,
    )
    early_discard: bool = option(
        True,
        help="Phrase-based: also allow jumps after which the first untranslated words may be out of reach"
        " (Moses never does). If all hypotheses end that way, the search is repeated without such jumps.",
        flag="--no-early-discard",
    )
    unknown_words: Literal["pass", "drop"] = option(
        "pass", help="pass (copy them to the translation) or drop."
    )
    table_limit: int | None = option(
        None,
        help="Maximum translations per source side, except glue rules; 0 is unlimited"
        " [default: the model's].",
        least=0,
        most=MOST,
    )
    context: int = option(
        0,
        help="Recombine only hypotheses with the same last N target words (chart: the same first and last N);"
        " 3 makes 4-gram counts local to the edges of forests.",
        least=0,
        most=MOST,
        metavar="N",
    )
    arc_features: tuple[str, ...] = option(
        (),
        help="A feature that arcs of lattices name, `{'NAME': -0.7}`; it needs a weight. May be repeated.",
        flag="--arc-feature",
        metavar="NAME",
    )
    memory: int | str = option(
        "2G",
        help="Memory for the search of one sentence; one that needs more is an error.",
        matters=False,
    )
    table_breadth: int = option(
        0,
        help="Keep this many translations of each source side, the best by p(e|f), before weights are"
        " applied; 0 keeps all. New weights then re-score only these: 100 suits online learning. Glue"
        " rules are always kept.",
        least=0,
        most=MOST,
    )

    def __post_init__(self) -> None:
        check_arc_features(self.arc_features)
        check_options(self, "search")
        parse_bytes(self.memory)

    def native(self, distortion_limit: int, *, forest: bool) -> _native.PhraseDecoderOptions:
        """Return the options of the native decoder."""
        search = _native.PhraseSearchOptions()
        search.pop_limit, search.stack_size = self.pop_limit, self.stack_size
        search.beam_threshold = math.inf if self.beam_threshold is None else self.beam_threshold
        search.distortion_limit = distortion_limit if self.distortion_limit is None else self.distortion_limit
        search.early_discard, search.keep_all = self.early_discard, forest
        search.memory_limit = parse_bytes(self.memory)
        native = _native.PhraseDecoderOptions()
        native.search, native.make_forest = search, forest
        native.unknown_words = _UNKNOWN_WORDS[self.unknown_words]
        return native


@dataclass(frozen=True)
class ChartOptions:
    """Options of the search over the cells of a chart: a source span as one category.

    Options of the same name are as in `SearchOptions`, with cells instead of stacks.
    """

    panels: ClassVar[Mapping[str, str | None]] = {"*": PANEL}

    pop_limit: int = same_option(SearchOptions, "pop_limit")
    cell_size: int | None = option(
        None,
        help="Chart: hypotheses kept per cell of the chart [default: all].",
        least=1,
        most=MOST,
    )
    beam_threshold: float | None = same_option(SearchOptions, "beam_threshold")
    span_limit: int | None = option(
        None,
        help="Chart: maximum source words that a rule covers, except glue; 0 is unlimited"
        " [default: the model's].",
        least=0,
        most=MOST,
    )
    unknown_words: Literal["pass", "drop"] = same_option(SearchOptions, "unknown_words")
    table_limit: int | None = same_option(SearchOptions, "table_limit")
    context: int = same_option(SearchOptions, "context")
    arc_features: tuple[str, ...] = same_option(SearchOptions, "arc_features")
    rule_features: tuple[str, ...] = option(
        (),
        help="Chart: a feature that grammars of the input name, besides the model's; it needs a weight."
        " May be repeated.",
        flag="--rule-feature",
        metavar="NAME",
    )
    memory: int | str = same_option(SearchOptions, "memory")
    table_breadth: int = same_option(SearchOptions, "table_breadth")

    def __post_init__(self) -> None:
        check_arc_features(self.arc_features)
        check_feature_names(self.rule_features, "rule_features")
        check_options(self, "search")
        parse_bytes(self.memory)

    def native(self, *, forest: bool) -> _native.ChartDecoderOptions:
        """Return the options of the native decoder."""
        search = _native.ChartSearchOptions()
        search.pop_limit, search.keep_all = self.pop_limit, forest
        if self.cell_size is not None:
            search.cell_size = self.cell_size
        search.beam_threshold = math.inf if self.beam_threshold is None else self.beam_threshold
        search.memory_limit = parse_bytes(self.memory)
        native = _native.ChartDecoderOptions()
        native.search, native.make_forest = search, forest
        native.unknown_words = _UNKNOWN_WORDS[self.unknown_words]
        return native
