"""Forced decoding: the best derivation of a sentence pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal, TypeAlias

import numpy as np

from tunesmith.corpus import Alignments, Bitext
from tunesmith.decode.base import AnyDecoder, Decoder
from tunesmith.decode.batches import in_batches
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.constraints import LeaveOneOut
from tunesmith.decode.jackknife import FoldDecoders, input_folds
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.reached import ForcedResult, Reached
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.decode.stages import CHART_STAGES, STAGES, Stage, chart_stages, phrase_stages
from tunesmith.decode.translation import Translation
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.phrases import LONGEST_PHRASE
from tunesmith.files import PathLike
from tunesmith.model.extracted import check_sentence_counts
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.options import check_options, option, require_at_least
from tunesmith.tables import PhraseTable
from tunesmith.threads import thread_count

__all__ = ["CHART_STAGES", "STAGES", "ForcedOptions", "ForcedResult", "Forcing", "Reached", "forced_decode"]


StageSearch: TypeAlias = Callable[[Stage, Sequence[int], Sequence[Request]], Sequence[bool]]
"""Tries requests, given with their rows, with a stage: whether each target is reached."""


@dataclass(frozen=True)
class ForcedOptions:
    """Options of forced decoding.

    - `stages`: search options tried in turn until the target is reached. Default: `STAGES`, or `CHART_STAGES`
      for a model of rules: normal decoding; all phrase pairs or rules; wider searches.
    - `longest_free`: longer sentences are not searched with unlimited distortion or rule spans.
    - `by_length`: see `LeaveOneOut`.
    """

    stages: tuple[SearchOptions, ...] | tuple[ChartOptions, ...] | None = None
    longest_free: int = 100
    pass_unknown: bool = option(
        True, help="Drop unknown source words instead of copying them.", flag="--drop-unknown"
    )
    drop_words: bool = option(
        False,
        help="Phrase-based: if all else fails, allow any source word to be dropped (stage 5), at the cost of"
        " an unknown word.",
        flag="--drop-words",
    )
    leave_one_out: bool = option(
        False,
        help="Phrase-based: the text is the training text; score each pair by the counts of all others.",
        flag="--leave-one-out",
    )
    singleton: float = option(
        -5.0, help="Leave-one-out: log probability, per word, of phrases that occur nowhere else.", most=0
    )
    by_length: bool = True
    max_phrase_length: int | None = option(
        None,
        help="Leave-one-out: length of the longest extracted phrase, in words [default: the table's].",
        least=1,
        most=LONGEST_PHRASE,
    )

    def __post_init__(self) -> None:
        check_options(self, "forced")
        if self.stages is not None and not self.stages:
            raise OptionError("forced: stages is empty; expected at least one stage")
        require_at_least(0, "forced", longest_free=self.longest_free)


def forced_decode(
    decoder: AnyDecoder | PathLike,
    bitext: Bitext | Iterable[tuple[str, str]],
    options: ForcedOptions | None = None,
    *,
    alignments: Alignments | None = None,
    jackknife: JackknifeOptions | None = None,
    forest: bool = False,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Iterator[ForcedResult]:
    """Yield, for each sentence pair in order, the best derivation of the target, if one is found.

    Stages are tried in turn. `forest` also returns all derivations that were kept. `alignments` are the word
    alignments of the bitext, for `leave_one_out`. Reads ahead by a few hundred pairs, fewer with `forest`.
    With `jackknife` each pair of the training text is forced without its fold, and all are in memory.
    """
    chosen = options or ForcedOptions()
    opened = decoder if isinstance(decoder, Decoder) else open_decoder(decoder)
    forcing = Forcing(opened, chosen, forest, thread_count(threads))
    if chosen.leave_one_out != (alignments is not None):
        what = "{} needs the word alignments of the bitext" if alignments is None else "alignments need {}"
        raise OptionError(f"forced: {what}", "leave_one_out")
    if jackknife is None:
        return forcing.run(_pairs(bitext), alignments, progress)
    if chosen.leave_one_out:
        raise OptionError("forced: {} leaves the fold of a pair out: omit {}", "jackknife", "leave_one_out")
    pairs = list(_pairs(bitext))
    models = FoldModels.of(opened.model.directory, jackknife, threads=threads)
    folds = input_folds(models, jackknife, *_sides(pairs), in_order=forest)

    def force(decoder: AnyDecoder, own: list[tuple[str, str]]) -> Iterator[list[ForcedResult]]:
        fold = Forcing(decoder, chosen, forest, thread_count(threads))
        return ([result] for result in fold.run(own, None, progress))

    return chain.from_iterable(FoldDecoders(models, opened, progress or _silent).run(pairs, folds, force))


def _silent(line: str) -> None:
    pass


def _sides(pairs: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [source for source, _ in pairs], [target for _, target in pairs]


def _pairs(bitext: Bitext | Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    if isinstance(bitext, Bitext):
        return ((bitext.source.text(i), bitext.target.text(i)) for i in range(len(bitext)))
    return bitext


class Forcing:
    """The stages of one decoder."""

    def __init__(self, decoder: AnyDecoder, options: ForcedOptions, forest: bool, threads: int) -> None:
        self.options, self.forest, self.threads = options, forest, threads
        self.stages = _stages(decoder, options, forest=forest)
        if options.leave_one_out:
            check_sentence_counts(decoder.model, "omit {}")
            table = decoder.model.phrase_table(0)
            self.columns = _columns(table)
            longest = min(max(table.longest_source, table.native.longest_target), LONGEST_PHRASE)
            self.max_length = options.max_phrase_length or longest

    def run(
        self,
        pairs: Iterable[tuple[str, str]],
        alignments: Alignments | None,
        progress: Callable[[str], None] | None,
    ) -> Iterator[ForcedResult]:
        reached = Reached()
        for batch in in_batches(self.requests(pairs, alignments), forest=self.forest):
            for result in self._force(batch):
                reached = reached.plus(result)
                yield result
            if progress is not None:
                progress(f"{reached.all_sentences} pairs, {100 * reached.sentence_share:.1f}% reached")
        if alignments is not None and len(alignments) != reached.all_sentences:
            raise InputError(f"there are {len(alignments)} alignments for {reached.all_sentences} pairs")

    def requests(self, pairs: Iterable[tuple[str, str]], alignments: Alignments | None) -> Iterator[Request]:
        """Yield the request of each sentence pair, with its number as line."""
        for number, pair in enumerate(pairs):
            if alignments is not None and number == len(alignments):
                raise InputError(f"there are {number} alignments; expected one per sentence pair")
            own = None if alignments is None else alignments[number]
            yield replace(self._request(*pair, own), line=number + 1)

    def _request(self, source: str, target: str, links: np.ndarray | None) -> Request:
        own = None
        if links is not None:
            options = self.options
            own = LeaveOneOut(links, self.max_length, options.singleton, options.by_length, self.columns)
        return Request(source, target, leave_one_out=own)

    def reach(self, requests: Sequence[Request], search: StageSearch) -> list[int | None]:
        """Return the number of the stage, from 1, that reaches each target; None if none does.

        `search` tries the requests of some rows with a stage, and returns whether each is reached.
        """
        reached: list[int | None] = [None] * len(requests)
        for number, stage in enumerate(self.stages, 1):
            rows = [row for row, by in enumerate(reached) if by is None]
            if stage.is_free:
                rows = [row for row in rows if requests[row].columns <= self.options.longest_free]
            asked = [replace(requests[row], relaxation=stage.relaxation) for row in rows]
            for row, found in zip(rows, search(stage, rows, asked), strict=True):
                reached[row] = number if found else None
        return reached

    def _force(self, requests: Sequence[Request]) -> list[ForcedResult]:
        translations: dict[int, Translation] = {}

        def search(stage: Stage, rows: Sequence[int], asked: Sequence[Request]) -> list[bool]:
            answers = stage.decoder.search(asked, stage.options, self.threads)
            translations.update((row, each) for row, each in zip(rows, answers, strict=True) if each.found)
            return [each.found for each in answers]

        return [
            ForcedResult(request.source, request.target or "", stage, translations.get(row))
            for row, (request, stage) in enumerate(zip(requests, self.reach(requests, search), strict=True))
        ]


def _stages(decoder: AnyDecoder, options: ForcedOptions, *, forest: bool) -> list[Stage]:
    unknown: Literal["pass", "drop"] = "pass" if options.pass_unknown else "drop"
    if isinstance(decoder, PhraseDecoder):
        return phrase_stages(decoder, options.stages, unknown, drop_words=options.drop_words, forest=forest)
    if not isinstance(decoder, ChartDecoder):
        raise OptionError(f"forced: no stages are known for {decoder!r}")
    for name in ("drop_words", "leave_one_out"):
        if getattr(options, name):
            raise OptionError(
                "forced: {} is for phrase-based models, but this one is hierarchical or an ITG", name
            )
    return chart_stages(decoder, options.stages, unknown, forest=forest)


def _columns(table: PhraseTable) -> tuple[int, int]:
    try:
        return table.score_names.index("p(f|e)"), table.score_names.index("p(e|f)")
    except ValueError:
        raise InputError(
            "has no scores p(f|e) and p(e|f), which {} needs", "leave_one_out", path=table.path
        ) from None
