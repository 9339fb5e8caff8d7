"""What extraction counts, beside what a decoder scores when it builds a pair of the training text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.decode.orientations import backward, forward, reduced
from tests.extract.reference import Pair, Span, aligned_pairs, consistent
from tests.extract.test_orientation import native

from tunesmith.decode.event_arrays import NO_ORIENTATION
from tunesmith.decode.events import DerivationEvents
from tunesmith.decode.forced import forced_decode
from tunesmith.decode.phrase import PhraseDecoder

NAMES = ("monotone", "swap", "left", "right", "global")
PHRASE, HIERARCHICAL = 2, 6  # columns of backward orientations without global; the forward ones follow
WHOLE = 4  # with global


def segmentations(pair: Pair) -> Iterator[list[Span]]:
    """All ways to build the pair, in target order, of spans that no link leaves; all words are covered."""
    spans = list(consistent(pair))
    full = set(range(len(pair.source)))

    def grow(done: list[Span], covered: set[int]) -> Iterator[list[Span]]:
        begin = done[-1].te if done else 0
        if begin == len(pair.target):
            if covered == full:
                yield done
            return
        for span in spans:
            own = set(range(span.sb, span.se))
            if span.tb == begin and not own & covered:
                yield from grow([*done, span], covered | own)

    return grow([], set())


def is_inside_out(spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a run of phrases covers a range that joining two neighbors at a time does not give."""
    for begin in range(len(spans)):
        columns = {column for span in spans[begin:] for column in range(*span)}
        if len(columns) == max(columns) - min(columns) + 1 and len(reduced(spans[begin:])) > 1:
            return True
    return False


@pytest.mark.slow
@settings(max_examples=200)
@given(aligned_pairs(5))
def test_a_decoder_sees_what_was_counted_however_it_builds_the_pair(pair: Pair) -> None:
    counted = {events: native(pair, 8, events) for events in ("decoder", "blocks")}
    for spans in segmentations(pair):
        sources = [(span.sb, span.se) for span in spans]
        for step, span in enumerate(spans):
            seen, whole = backward("hier", sources, step)
            as_decoded, blocks = counted["decoder"][span], counted["blocks"][span]
            if not is_inside_out(sources[:step]):
                assert NAMES[as_decoded[HIERARCHICAL]] == NAMES[blocks[HIERARCHICAL]] == seen
                assert (NAMES[as_decoded[WHOLE]] == "global") == whole
            neighbor = backward("phrase", sources, step)[0]
            if neighbor in ("monotone", "swap"):  # otherwise a longer phrase may be beside this one
                assert NAMES[blocks[PHRASE]] == neighbor
            if step + 1 == len(spans):
                continue
            seen, whole = forward("hier", sources, step, len(pair.source))
            assert NAMES[as_decoded[HIERARCHICAL + 1]] == seen
            assert [NAMES[row[WHOLE + 1]] == "global" for row in (as_decoded, blocks)] == [whole, whole]
            if seen in ("left", "right"):  # the guess of a decoder is wrong in one direction only
                assert NAMES[blocks[HIERARCHICAL + 1]] == seen
            neighbor = forward("phrase", sources, step, len(pair.source))[0]
            if neighbor in ("monotone", "swap"):
                assert NAMES[blocks[PHRASE + 1]] == neighbor


def test_forced_derivations_of_the_training_text_replay_the_counted_events(
    small_corpus: Path, small_model: Path
) -> None:
    lines = [(small_corpus / name).read_text().splitlines()[:100] for name in ("de", "en", "align")]
    decoder = PhraseDecoder.open(small_model)
    compared, swapped = 0, 0
    results = forced_decode(decoder, zip(*lines[:2], strict=True), forest=True, threads=1)
    for source, target, links, result in zip(*lines, results, strict=True):
        if result.forest is None:
            continue  # not reached: too long for the phrases of this model
        steps = DerivationEvents.kbest(result.forest, decoder.model.weights, 1).steps
        sides = zip(steps.sources.tolist(), steps.targets.tolist(), strict=True)
        spans = [Span(*left, *right) for left, right in sides]
        points = [tuple(int(i) for i in link.split("-")) for link in links.split()]
        pair = Pair(tuple(source.split()), tuple(target.split()), frozenset((i, j) for i, j in points))
        counted = native(pair, 8, "decoder")
        if any(span not in counted for span in spans):
            continue  # the alignment does not determine the events of this segmentation
        for (span, following), row in zip(pairwise(spans), steps.orientations.tolist(), strict=False):
            assert (row[0] & 3, row[1] & 3) == counted[span][HIERARCHICAL:]
            assert row[3] != NO_ORIENTATION
            if following.sb == span.se or following.se == span.sb:
                assert row[3] == counted[span][PHRASE + 1]
            compared += 1
            swapped += row[1] & 3 == 1
    assert compared > 100
    assert swapped > 5
