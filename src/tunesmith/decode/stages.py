"""The stages of forced decoding: searches that get wider until a target is reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.constraints import Relaxation
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.errors import OptionError

__all__ = ["CHART_STAGES", "STAGES", "Stage", "chart_stages", "phrase_stages"]

STAGES = (
    SearchOptions(),
    SearchOptions(table_limit=0),
    SearchOptions(1000, 1000, distortion_limit=10, early_discard=False, table_limit=0),
    SearchOptions(5000, 5000, distortion_limit=-1, early_discard=False, table_limit=0),
)
CHART_STAGES = (
    ChartOptions(),
    ChartOptions(table_limit=0),
    ChartOptions(5000, span_limit=0, table_limit=0),
)

Kind = TypeVar("Kind", SearchOptions, ChartOptions)
UnknownWords = Literal["pass", "drop"]


@dataclass(frozen=True)
class Stage:
    """A search: a decoder, its native options, and relaxed limits.

    `is_free`: jumps or rule spans are unlimited, so time grows steeply with the length of the sentence.
    """

    decoder: AnyDecoder
    options: Any
    relaxation: Relaxation
    is_free: bool


def phrase_stages(
    decoder: PhraseDecoder,
    given: Sequence[SearchOptions | ChartOptions] | None,
    unknown_words: UnknownWords,
    *,
    drop_words: bool,
    forest: bool,
) -> list[Stage]:
    """Return the stages for a phrase decoder [default: `STAGES`]; with `drop_words` one more.

    It has the distortion and stack limits of the first stage and the phrase pairs of the last.
    """
    stages = _of_kind(SearchOptions, STAGES if given is None else given, decoder)
    wanted = [(stage, Relaxation(stage.table_limit)) for stage in stages]
    if drop_words:
        narrow = replace(stages[0], table_limit=stages[-1].table_limit)
        wanted.append((narrow, Relaxation(narrow.table_limit, drop_words=True)))
    limit = decoder.model.distortion_limit
    made = []
    for stage, relaxation in wanted:
        native = replace(stage, unknown_words=unknown_words).native(limit, forest=forest)
        made.append(Stage(decoder, native, relaxation, native.search.distortion_limit < 0))
    return made


def chart_stages(
    decoder: ChartDecoder,
    given: Sequence[SearchOptions | ChartOptions] | None,
    unknown_words: UnknownWords,
    *,
    forest: bool,
) -> list[Stage]:
    """Return the stages for a chart decoder [default: `CHART_STAGES`].

    Limits of rules are fixed when a native model is built, so a stage with other limits has its own decoder,
    over the same mapped files, with the current weights of the given one.
    """
    own = decoder.options
    made = []
    for stage in _of_kind(ChartOptions, CHART_STAGES if given is None else given, decoder):
        options = replace(
            stage,
            unknown_words=unknown_words,
            table_limit=own.table_limit if stage.table_limit is None else stage.table_limit,
            span_limit=own.span_limit if stage.span_limit is None else stage.span_limit,
            context=own.context,
            arc_features=own.arc_features,
            rule_features=own.rule_features,
        )
        same = (options.table_limit, options.span_limit) == (own.table_limit, own.span_limit)
        searching = (
            decoder if same else ChartDecoder(decoder.model, decoder.weights, options, decoder.templates)
        )
        native = options.native(forest=forest)
        made.append(Stage(searching, native, Relaxation(), options.span_limit == 0))
    return made


def _of_kind(kind: type[Kind], stages: Sequence[object], decoder: AnyDecoder) -> list[Kind]:
    checked = []
    for stage in stages:
        if not isinstance(stage, kind):
            raise OptionError(
                f"forced: stages of a {type(decoder).__name__} must be {kind.__name__}, not {stage!r:.60}"
            )
        checked.append(stage)
    return checked
