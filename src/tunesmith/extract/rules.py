"""Hierarchical rules of an aligned bitext: extraction, counts, scores (Chiang 2007)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError, OptionError, suggest
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.rule_features import GRAMMAR_FEATURES, MOSES_SCORES
from tunesmith.files import PathLike, check_output, open_write
from tunesmith.folders import temporary_place
from tunesmith.options import check_options, option
from tunesmith.threads import thread_count
from tunesmith.types import IntArray

__all__ = ["ExtractedRules", "GrammarFormat", "RuleOptions", "check_format", "extract_rules"]

GrammarFormat: TypeAlias = Literal["cdec", "moses"]

_PAIRS = 4096
_LINES = 1 << 16
_LARGEST = (1 << 31) - 1
_LARGEST_MEMORY = 1 << 60


@dataclass(frozen=True)
class RuleOptions:
    """Which rules are extracted, and how they are counted.

    A rule is an initial phrase pair (spans that no link leaves) with up to two smaller ones replaced by gaps.
    The defaults are Chiang's limits with whole counts, as in cdec; `RuleOptions.moses()` are Moses'.
    """

    max_span: int = option(10, help="Maximum source words of a rule, gaps filled.", least=1, most=_LARGEST)
    max_target_span: int | None = option(
        None, help="Maximum target words of a rule, gaps filled [default: no limit].", least=1, most=_LARGEST
    )
    max_symbols: int = option(5, help="Maximum words and gaps on the source side.", least=1, most=_LARGEST)
    max_gaps: int = option(2, help="Maximum gaps of a rule, {least} to {most}.", least=0, most=2)
    min_hole: int = option(1, help="Minimum source words covered by a gap.", least=1, most=_LARGEST)
    adjacent_gaps: bool = option(False, help="Allow adjacent gaps on the source side.")
    require_link: bool = option(True, help="Require at least one pair of aligned words.")
    tight: bool = option(
        True,
        help="Keep only initial phrases with aligned outer words, or extend them over unaligned words.",
        flag="--tight/--loose",
    )
    counts: Literal["whole", "fractional"] = option(
        "whole",
        help="Count an occurrence as 1 (whole), or 1 / rules of its initial phrase pair (fractional).",
    )

    def __post_init__(self) -> None:
        check_options(self, "rules")
        if self.max_target_span is None and not self.tight:
            raise OptionError(
                "rules: phrases extended over unaligned words need {}, such as 15:"
                " otherwise a long unaligned line has too many of them",
                "max_target_span",
            )

    @classmethod
    def moses(cls, **changes: Any) -> RuleOptions:
        """Return the settings of Moses' hierarchical training, with `changes` applied."""
        settings: dict[str, Any] = {
            "max_target_span": 10,
            "min_hole": 2,
            "tight": False,
            "counts": "fractional",
        }
        return cls(**settings | changes)

    @property
    def native(self) -> _native.RuleLimits:
        """The limits as native code takes them."""
        limits = asdict(self) | {"max_target_span": self.max_target_span or 0}
        del limits["counts"]
        return _native.RuleLimits(**limits)


class ExtractedRules:
    """Counted rules; they are scored while they are written."""

    def __init__(
        self,
        counted: _native.CountedRules,
        lexicon: _native.Lexicon,
        bitext: Bitext,
        options: RuleOptions,
    ) -> None:
        self._counted = counted
        self._lexicon = lexicon
        self._words = _words(bitext.source), _words(bitext.target)
        self.options = options

    def __len__(self) -> int:
        return self._counted.rules

    @property
    def sources(self) -> int:
        """The number of distinct source sides."""
        return self._counted.sources

    @property
    def spilled(self) -> bool:
        """Whether counts were written to temporary files."""
        return self._counted.on_disk

    @property
    def occurrences(self) -> int:
        """The number of extracted rule occurrences."""
        return self._counted.occurrences

    def lines(self, format_: GrammarFormat = "cdec", sources: Iterable[str] | None = None) -> Iterator[bytes]:
        """Yield blocks of lines, sorted by bytes as `LC_ALL=C sort` sorts Moses' tables.

        If `sources` are given, only rules with these source sides, written as in the format, are scored and
        listed. Their scores are those of the whole table.

        A block is computed while the previous one is consumed: compression takes as long as scoring.
        """
        names = [feature.name for feature in GRAMMAR_FEATURES]
        moses, chosen = check_format(format_) == "moses", None if sources is None else list(sources)
        blocks = _native.RuleLineBlocks(self._counted, self._lexicon, moses, names, chosen)
        with ThreadPoolExecutor(1) as ahead:
            coming = ahead.submit(blocks.next, _LINES)
            while block := coming.result():
                coming = ahead.submit(blocks.next, _LINES)
                yield block

    def write(self, path: PathLike, format_: GrammarFormat = "cdec") -> None:
        """Write a grammar or a rule table; the suffix chooses the compression."""
        with open_write(path) as stream:
            for block in self.lines(format_):
                stream.write(block)

    def save(self, path: PathLike, features: GrammarFormat = "cdec") -> RuleTable:
        """Write a mapped table, with a cdec grammar's features or the natural logs of Moses' four scores.

        The whole table is held in memory meanwhile, regardless of the memory limit of the extraction.
        """
        check_output(path)
        check_format(features)
        names = [feature.name for feature in (MOSES_SCORES if features == "moses" else GRAMMAR_FEATURES)]
        meta = json.dumps({"options": asdict(self.options)}, sort_keys=True)
        self._counted.save(*self._words, self._lexicon, features == "moses", names, str(path), meta)
        return RuleTable.open(path)


def extract_rules(
    bitext: Bitext,
    alignments: Alignments,
    options: RuleOptions | None = None,
    *,
    lexicon: Lexicon | None = None,
    only: RuleTable | None = None,
    threads: int | None = None,
    memory: int = 2 << 30,
    temporary: PathLike | None = None,
    progress: Callable[[str], None] | None = None,
) -> ExtractedRules:
    """Extract and count the rules of an aligned bitext.

    `lexicon` has the word probabilities of lexical weights [default: counted from the same bitext]; word
    numbers may differ. If a table `only` is given, rules whose source side it lacks are left out; counts of
    target sides, and so p(f|e), are then those of the others. Time is linear in the occurrences of rules.
    Beyond `memory` bytes, counts go to unnamed files in the folder `temporary` [default: the system's], which
    are never left behind. Results do not depend on memory or threads.
    """
    chosen = options or RuleOptions()
    if not 0 < memory <= _LARGEST_MEMORY:
        raise OptionError("rules: {} must be from 1 byte to 2^60, not {memory}", "memory", memory=memory)
    if len(bitext) != len(alignments):
        raise InputError(
            f"there are {len(bitext)} sentence pairs and {len(alignments)} alignments; expected equal numbers"
        )
    alignments.check(bitext)
    counted = _native.CountedRules(
        _words(bitext.source),
        _words(bitext.target),
        chosen.native,
        fractional=chosen.counts == "fractional",
        memory_bytes=memory,
        folder=str(temporary or temporary_place()),
        threads=thread_count(threads),
    )
    if only is not None:
        counted.count_only(str(only.path), _words(bitext.source))
    for begin in range(0, len(bitext), _PAIRS):
        end = min(begin + _PAIRS, len(bitext))
        counted.add(bitext.source.arrays, bitext.target.arrays, alignments.arrays, begin, end)
        if progress:
            progress(f"{end} of {len(bitext)} pairs, {counted.occurrences} rules seen")
    counted.finish()
    given = lexicon or Lexicon.estimate(bitext, alignments, threads=threads)
    words = given.renumbered(bitext.source.vocabulary, bitext.target.vocabulary).probabilities()
    if progress:
        progress(f"{counted.rules} rules, {counted.sources} source sides")
    return ExtractedRules(counted, words, bitext, chosen)


def check_format(name: str) -> GrammarFormat:
    """Return the name of a grammar format; OptionError if unknown."""
    if name not in get_args(GrammarFormat):
        hint = suggest(name, get_args(GrammarFormat))
        raise OptionError("{} of a grammar cannot be {name!r}{hint}", "format", name=name, hint=hint)
    return cast(GrammarFormat, name)


def _words(side: Sentences) -> tuple[npt.NDArray[np.uint8], IntArray]:
    words = side.vocabulary.words()
    return words.blob, words.offsets
