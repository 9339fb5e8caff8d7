"""Counts of the phrase pairs that derivations use, and of their orientations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.extract.phrases import CountingOptions, OrientationEvents, native_events
from tunesmith.files import PathLike
from tunesmith.reestimate.posterior_scale import posterior_scale
from tunesmith.threads import thread_count

__all__ = ["SHARES", "NbestWeight", "UseCounts", "count_uses", "counted"]

NbestWeight: TypeAlias = Literal["count", "even", "posterior"]
Counter = TypeVar("Counter", _native.UseCounter, _native.RuleUses)
SHARES = {
    "count": _native.DerivationShare.COUNT,
    "even": _native.DerivationShare.EVEN,
    "posterior": _native.DerivationShare.POSTERIOR,
}


@dataclass(frozen=True)
class UseCounts:
    """What was counted."""

    sentences: int
    """Sentences with a derivation."""
    derivations: int
    uses: int
    """Uses of phrase pairs of the table."""
    untabled: int
    """Uses of phrases of no table: unknown words, and phrases that the input gave. They are not counted."""
    pairs: int
    """Distinct phrase pairs."""
    posterior_scale: float | None = None
    """What model scores were multiplied by in posteriors; None if derivations count evenly, or 1 each."""


def counted(
    make: Callable[[_native.DerivationShare, float], Counter],
    files: Sequence[PathLike],
    nbest_weight: NbestWeight,
    *,
    one: str,
    several: str,
    progress: Callable[[str], None],
) -> tuple[Counter, UseCounts]:
    """Count all files of derivations, in order, by a new counter of what they use: `one` or `several` of it.

    Derivations that use nothing of the model are an InputError.
    """
    scale = posterior_scale(files) if nbest_weight == "posterior" else None
    counter = make(SHARES[nbest_weight], scale or 0.0)
    for number, path in enumerate(files, 1):
        counter.count(_native.DerivationFile(str(path)))
        progress(f"counted the {several} of {number} of {len(files)} files")
    distinct = counter.pairs if isinstance(counter, _native.UseCounter) else counter.rules
    found = UseCounts(**counter.totals(), pairs=distinct, posterior_scale=scale)
    if not found.uses:
        raise InputError(
            f"{found.derivations} derivations use no {one} of the model; nothing can be re-estimated."
            f" Do its {several} fit the text?"
        )
    return counter, found


def count_uses(
    files: Sequence[PathLike],
    uses: PathLike,
    extracted: PathLike | None = None,
    *,
    nbest_weight: NbestWeight = "count",
    max_length: int = 7,
    orientation_events: OrientationEvents = CountingOptions.orientation_events,
    threads: int | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> UseCounts:
    """Count the phrase pairs of derivations into a file of phrase counts (`PhraseCounts`).

    Each use counts 1, or with `nbest_weight` "even" 1 / n for each of n derivations of a sentence, or with
    "posterior" p(derivation) ~ exp(scale * model score), with the scale of `posterior_scale`. The
    orientations in the file `uses` are those that the decoder saw. The file `extracted`, if named, has
    orientations by extraction instead: all pairs of up to `max_length` words that are consistent with the
    links between source and translation, as in training with `orientation_events`, of which those that are
    not used are left out. Two passes over the files, one without `extracted`; memory for the distinct pairs
    and orientations.
    """
    events = native_events(orientation_events)
    counter, found = counted(
        _native.UseCounter, files, nbest_weight, one="phrase pair", several="phrases", progress=progress
    )
    counter.write_uses(str(uses), str(Path(uses).absolute().parent), thread_count(threads))
    if extracted is None:
        return found
    for number, path in enumerate(files, 1):
        file = _native.DerivationFile(str(path))
        counter.extract(file, max_length, events, thread_count(threads))
        progress(f"extracted orientations from {number} of {len(files)} files")
    counter.write_extracted(str(extracted), str(Path(extracted).absolute().parent), thread_count(threads))
    return found
