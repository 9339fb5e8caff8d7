"""Phrase pairs of an aligned bitext, counted by fold in a mapped file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Vocabulary
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.folds import fold_numbers
from tunesmith.extract.instance_weights import counted_weights
from tunesmith.files import PathLike, check_output
from tunesmith.memory import parse_bytes
from tunesmith.options import check_option, check_options, option, require_at_least, require_at_most
from tunesmith.tables.reordering import ReorderingSpec
from tunesmith.texts import Texts
from tunesmith.threads import thread_count

__all__ = [
    "LONGEST_PHRASE",
    "CountingOptions",
    "OrientationEvents",
    "PhraseCounts",
    "check_events_used",
    "check_max_length",
    "count_phrases",
    "native_events",
]

LONGEST_PHRASE = 8
"""The inner alignment of longer phrases does not fit into 64 bits."""

OrientationEvents: TypeAlias = Literal["blocks", "decoder", "moses"]
_EVENTS = {
    "blocks": _native.OrientationEvents.BLOCKS,
    "decoder": _native.OrientationEvents.DECODER,
    "moses": _native.OrientationEvents.MOSES,
}


@dataclass(frozen=True)
class CountingOptions:
    """Options of the extraction of phrase pairs from aligned text."""

    orientation_events: OrientationEvents = option(
        "blocks",
        help="How orientations are counted for reordering models: blocks (relative to the blocks before and"
        " after), decoder (the same, but forward ones as the decoder sees them) or moses (as Moses'"
        " extract counts).",
    )

    def __post_init__(self) -> None:
        check_options(self, "phrases")


@dataclass(frozen=True, eq=False)
class PhraseCounts:
    """Counts of all phrase pairs by fold, inner alignment and orientation, mapped from a file.

    Every phrase table is a sum over them: for instance without one fold, or with another reordering model.
    """

    path: Path
    native: _native.PhraseCountFile
    max_length: int
    folds: int
    sentences: int
    sources: int
    """Distinct source phrases."""
    targets: int
    pairs: int
    """Distinct phrase pairs."""
    events: int
    instances: int
    """Extracted phrase pairs, repetitions included; with weights, their sum, rounded."""

    @classmethod
    def open(cls, path: PathLike, *, verify: bool = False) -> PhraseCounts:
        """Map a file; `verify` compares its checksums even if it is unchanged (`Container.open`)."""
        if not Path(path).exists():
            raise InputError("no such file", path=path)
        native = _native.PhraseCountFile(str(path))
        if verify:
            native.verify()
        return cls(Path(path), native, **native.totals())

    @property
    def source_vocabulary(self) -> Vocabulary:
        """The words of source phrases by their numbers."""
        return Vocabulary(Texts(*self.native.source_words()))

    @property
    def target_vocabulary(self) -> Vocabulary:
        """The words of target phrases by their numbers."""
        return Vocabulary(Texts(*self.native.target_words()))


def count_phrases(
    bitext: Bitext,
    alignments: Alignments | Sequence[Alignments],
    *,
    path: PathLike,
    max_length: int = 7,
    folds: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    orientations: npt.ArrayLike | None = None,
    orientation_events: OrientationEvents = CountingOptions.orientation_events,
    memory: int | str = "2G",
    temporary: PathLike | None = None,
    threads: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> PhraseCounts:
    """Count all phrase pairs of at most `max_length` words per side that are consistent with the alignment.

    A pair is consistent if it contains a link and no link leaves it (Och and Ney 2004); it may be extended by
    unaligned words at its borders. Of several alignments of the bitext, the pairs of each count. `folds` has
    one fold number per sentence pair, and `weights` how much each of its phrase pairs counts [1] (see
    `counted_weights`). With `orientations` (see `read_moses_extract`) each sentence pair is one phrase pair,
    extracted before; otherwise `orientation_events` says what its orientations are (see docs/phrases.md).
    Beyond `memory` (bytes, or an amount such as `512M`), extracted pairs (20 bytes each) go to an unnamed
    file in the folder `temporary` [default: that of `path`]. The result does not depend on memory or the
    number of threads.
    """
    check_max_length(max_length)
    events = native_events(orientation_events)
    every = [alignments] if isinstance(alignments, Alignments) else list(alignments)
    if not every or any(len(each) != len(bitext) for each in every):
        found = ", ".join(str(len(each)) for each in every) or "none"
        raise InputError(f"found {found} alignments for {len(bitext)} sentence pairs; expected one for each")
    room = parse_bytes(memory)
    check_output(path)
    if Path(path).exists() and not Path(path).is_file():
        raise InputError("is not a regular file; expected a file name to write", path=path)
    source_words, target_words = (side.vocabulary.words() for side in (bitext.source, bitext.target))
    folder = Path(path).absolute().parent if temporary is None else Path(temporary)
    if not folder.is_dir():
        raise InputError("the folder for temporary files does not exist", path=folder)
    weighed, unit = counted_weights(weights, len(bitext))
    given = np.zeros(0) if orientations is None else np.asarray(orientations)
    _native.count_phrase_pairs(
        bitext.source.arrays,
        bitext.target.arrays,
        Alignments.concatenate(every).arrays if len(every) > 1 else every[0].arrays,
        len(every),
        (source_words.blob, source_words.offsets),
        (target_words.blob, target_words.offsets),
        fold_numbers(folds, len(bitext)),
        weighed,
        unit,
        np.ascontiguousarray(given, dtype=np.int32),
        str(path),
        max_length,
        events,
        room,
        str(folder),
        thread_count(threads),
        progress,
    )
    return PhraseCounts.open(path)


def native_events(name: OrientationEvents) -> _native.OrientationEvents:
    """Return native code's way of counting orientations; another name is an OptionError."""
    check_option("phrases", "orientation_events", OrientationEvents, name)
    return _EVENTS[name]


def check_events_used(owner: str, name: OrientationEvents, models: Iterable[ReorderingSpec]) -> None:
    """Raise OptionError if the events are not the default, and no reordering model counts them."""
    if name == CountingOptions.orientation_events or any(model.model != "wbe" for model in models):
        return
    raise OptionError(
        "{owner}: {} {name} is for reordering models of phrases or blocks, and there are none: omit it, or"
        " give {} a model such as hier-mslr-bidirectional-fe",
        "orientation_events",
        "reordering",
        owner=owner,
        name=name,
    )


def check_max_length(max_length: int) -> None:
    """Raise OptionError unless phrases of this length can be counted."""
    check_option("phrases", "max_length", int, max_length)
    require_at_least(1, "phrases", max_length=max_length)
    require_at_most(LONGEST_PHRASE, "phrases", max_length=max_length)
