"""Counts of the phrase pairs that derivations use, and of their orientations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.files import PathLike
from tunesmith.reestimate.posterior_scale import posterior_scale
from tunesmith.threads import thread_count

__all__ = ["SHARES", "NbestWeight", "UseCounts", "count_files", "count_uses"]

NbestWeight: TypeAlias = Literal["count", "even", "posterior"]
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


def count_files(
    counter: _native.UseCounter | _native.RuleUses,
    files: Sequence[PathLike],
    what: str,
    progress: Callable[[str], None],
) -> None:
    """Count all files of derivations, in order."""
    for number, path in enumerate(files, 1):
        counter.count(_native.DerivationFile(str(path)))
        progress(f"counted the {what} of {number} of {len(files)} files")


def count_uses(
    files: Sequence[PathLike],
    uses: PathLike,
    extracted: PathLike | None = None,
    *,
    nbest_weight: NbestWeight = "count",
    max_length: int = 7,
    threads: int | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> UseCounts:
    """Count the phrase pairs of derivations into a file of phrase counts (`PhraseCounts`).

    Each use counts 1, or with `nbest_weight` "even" 1 / n for each of n derivations of a sentence, or with
    "posterior" p(derivation) ~ exp(scale * model score), with the scale of `posterior_scale`. The
    orientations in the file `uses` are those that the decoder saw. The file `extracted`, if named, has
    orientations by extraction instead: all pairs of up to `max_length` words that are consistent with the
    links between source and translation, as in training, of which those that are not used are left out.
    Two passes over the files, one without `extracted`; memory for the distinct pairs and orientations.
    """
    scale = posterior_scale(files) if nbest_weight == "posterior" else None
    counter = _native.UseCounter(SHARES[nbest_weight], scale or 0.0)
    count_files(counter, files, "phrases", progress)
    found = UseCounts(**counter.totals(), pairs=counter.pairs, posterior_scale=scale)
    if not found.uses:
        raise InputError(
            f"{found.derivations} derivations use no phrase pair of the model; nothing can be re-estimated."
            " Do its phrases fit the text?"
        )
    counter.write_uses(str(uses), str(Path(uses).absolute().parent), thread_count(threads))
    if extracted is None:
        return found
    for number, path in enumerate(files, 1):
        counter.extract(_native.DerivationFile(str(path)), max_length, thread_count(threads))
        progress(f"extracted orientations from {number} of {len(files)} files")
    counter.write_extracted(str(extracted), str(Path(extracted).absolute().parent), thread_count(threads))
    return found
