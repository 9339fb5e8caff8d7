"""Files of derivations of a small model, made by its decoder, and what they contain as Python values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tunesmith import _native
from tunesmith.decode.events import DerivationEvents
from tunesmith.decode.opening import open_decoder
from tunesmith.reestimate.derivation_file import (
    TABLE,
    UNKNOWN,
    DerivationFile,
    FoundDerivation,
    PhraseStep,
    add_derivations,
)

Pair = tuple[str, str]


def write_decoded(model: Path, sources: Sequence[str], path: Path, nbest: int = 1) -> Path:
    """Write the n best derivations of sentences."""
    decoder = open_decoder(model)
    forests = [decoder.translate(source, forest=True).forest for source in sources]
    assert all(forest is not None for forest in forests)
    events = DerivationEvents.kbest(forests, decoder.weights, nbest)  # type: ignore[arg-type]
    writer = _native.DerivationWriter()
    for number, source in enumerate(sources):
        first, end = events.lists[number : number + 2].tolist()
        found = [_found(events, at) for at in range(first, end)]
        add_derivations(writer, number, source, len(source.split()), found)
    writer.write(str(path))
    return path


def _found(events: DerivationEvents, number: int) -> FoundDerivation:
    view = events[number]
    steps = []
    for step in view.steps:
        (begin, end), (first, _) = step.source, step.target
        links = tuple((i - begin, j - first) for i, j in step.links)
        origin = TABLE if step.rule >= 0 else UNKNOWN
        steps.append(PhraseStep(begin, end, tuple(map(str, step.target_side)), links, origin))
    return FoundDerivation(view.score, 0.0, view.score, (0, 0, 0, 0), tuple(steps))


def lists(path: Path) -> Iterator[tuple[list[str], list[FoundDerivation]]]:
    """Yield source words and derivations of each sentence of a file."""
    file = DerivationFile.open(path)
    for number in range(len(file)):
        yield file.source(number).split(), list(file.found(number))


def used_pairs(
    path: Path, share: Callable[[list[FoundDerivation], FoundDerivation], float] = lambda all_, one: 1.0
) -> Counter[Pair]:
    """Count the pairs of a file, each use with the share of its derivation."""
    counts: Counter[Pair] = Counter()
    for source, found in lists(path):
        for derivation in found:
            for step in derivation.steps:
                if step.origin == TABLE:
                    pair = " ".join(source[step.begin : step.end]), " ".join(step.target)
                    counts[pair] += share(found, derivation)  # type: ignore[assignment]
    return counts
