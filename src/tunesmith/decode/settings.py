"""How a decoder searches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from tunesmith import _native
from tunesmith.decode.arcs import check_arc_features, check_feature_names
from tunesmith.memory import parse_bytes
from tunesmith.options import check_options, require_at_least, require_at_most

__all__ = ["ChartOptions", "SearchOptions"]

_UNKNOWN_WORDS = {"pass": _native.UnknownWords.PASS, "drop": _native.UnknownWords.DROP}
MOST = 1 << 24


@dataclass(frozen=True)
class SearchOptions:
    """Options of the search over stacks of hypotheses that cover equally many source words.

    - `pop_limit`: hypotheses that cube pruning makes a stack; 0 makes all of them (exhaustive expansion).
    - `stack_size`: hypotheses that are kept a stack.
    - `beam_threshold`: hypotheses whose score is lower than the best of their stack by more are dropped.
    - `distortion_limit`: the longest jump, in source words; -1 is without limit, None as the model says.
    - `early_discard`: whether to avoid jumps after which the first gap would be out of reach, as Moses does.
      Without it such hypotheses are made, and mostly die later; if all do, the search is made again with it.
    - `unknown_words`: `pass` copies them to the translation, `drop` leaves them out.
    - `table_limit`: translations of a source phrase; 0 is without limit, None as the model says.
    - `context`: recombine only hypotheses whose last so many words are the same, whatever the language model
      needs; 3 makes 4-gram counts local to the edges of forests.
    - `arc_features`: the features that arcs of lattices name. Each is a feature of the decoder like those of
      the model, and needs a weight; a lattice that names others is refused.
    """

    pop_limit: int = 200
    stack_size: int = 200
    beam_threshold: float | None = None
    distortion_limit: int | None = None
    early_discard: bool = True
    unknown_words: Literal["pass", "drop"] = "pass"
    table_limit: int | None = None
    context: int = 0
    arc_features: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_options(self, "search")
        limits = _given(pop_limit=self.pop_limit, context=self.context, table_limit=self.table_limit)
        jump = _given(distortion_limit=self.distortion_limit)
        require_at_least(0, "search", **limits, **_given(beam_threshold=self.beam_threshold))
        require_at_least(1, "search", stack_size=self.stack_size)
        require_at_least(-1, "search", **jump)
        require_at_most(MOST, "search", **limits, **jump, stack_size=self.stack_size)
        check_arc_features(self.arc_features)

    def native(self, distortion_limit: int, *, forest: bool) -> _native.DecoderSettings:
        """Return the settings of the native decoder."""
        search = _native.SearchSettings()
        search.pop_limit, search.stack_size = self.pop_limit, self.stack_size
        search.beam_threshold = math.inf if self.beam_threshold is None else self.beam_threshold
        search.distortion_limit = distortion_limit if self.distortion_limit is None else self.distortion_limit
        search.early_discard, search.keep_all = self.early_discard, forest
        settings = _native.DecoderSettings()
        settings.search, settings.make_forest = search, forest
        settings.unknown_words = _UNKNOWN_WORDS[self.unknown_words]
        return settings


@dataclass(frozen=True)
class ChartOptions:
    """Options of the search over the cells of a chart: ranges of the source as one category each.

    - `pop_limit`: hypotheses that cube pruning makes a cell; 0 makes all of them.
    - `cell_size`: hypotheses that are kept a cell; None keeps all that were made.
    - `beam_threshold`: hypotheses whose score is lower than the best of their cell by more are not made.
    - `span_limit`: source words that a rule may cover, but for glue rules; 0 is without limit, None as the
      model says.
    - `unknown_words`: `pass` copies them to the translation, `drop` leaves them out.
    - `table_limit`: rules of a source side, but for glue rules; 0 is without limit, None as the model says.
    - `context`: recombine only hypotheses whose first and last so many words are the same, whatever the
      language model needs; 3 makes 4-gram counts local to the edges of forests.
    - `arc_features`: the features that arcs of lattices name. Each is a feature of the decoder like those of
      the model, and needs a weight; a lattice that names others is refused.
    - `rule_features`: features that grammars of sentences name, beside the model's; each needs a weight.
      Those that are not declared count nothing, which an `UnweightedFeatureWarning` tells once.
    - `memory`: what the search of one sentence may take, in bytes or as "512M"; a sentence that needs more
      is an InputError.
    """

    pop_limit: int = 200
    cell_size: int | None = None
    beam_threshold: float | None = None
    span_limit: int | None = None
    unknown_words: Literal["pass", "drop"] = "pass"
    table_limit: int | None = None
    context: int = 0
    arc_features: tuple[str, ...] = ()
    rule_features: tuple[str, ...] = ()
    memory: int | str = "2G"

    def __post_init__(self) -> None:
        check_options(self, "search")
        limits = _given(
            pop_limit=self.pop_limit,
            context=self.context,
            span_limit=self.span_limit,
            table_limit=self.table_limit,
        )
        size = _given(cell_size=self.cell_size)
        require_at_least(0, "search", **limits, **_given(beam_threshold=self.beam_threshold))
        require_at_least(1, "search", **size)
        require_at_most(MOST, "search", **limits, **size)
        check_arc_features(self.arc_features)
        check_feature_names(self.rule_features, "rule feature")
        parse_bytes(self.memory)

    def native(self, *, forest: bool) -> _native.ChartDecoderSettings:
        """Return the settings of the native decoder."""
        search = _native.ChartSettings()
        search.pop_limit, search.keep_all = self.pop_limit, forest
        if self.cell_size is not None:
            search.cell_size = self.cell_size
        search.beam_threshold = math.inf if self.beam_threshold is None else self.beam_threshold
        search.memory_limit = parse_bytes(self.memory)
        settings = _native.ChartDecoderSettings()
        settings.search, settings.make_forest = search, forest
        settings.unknown_words = _UNKNOWN_WORDS[self.unknown_words]
        return settings


def _given(**options: float | None) -> dict[str, float]:
    """Return the options that are not left to the model."""
    return {name: value for name, value in options.items() if value is not None}
