from __future__ import annotations

import time
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.extract.reference import GLOBAL, LEFT, MONOTONE, RIGHT, SWAP, Pair, Span, aligned_pairs, extract

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.extract.phrases import OrientationEvents, native_events

WORD, PHRASE, HIERARCHICAL = 0, 2, 4  # columns of the backward orientations; the forward ones follow
FORWARD, PLAIN_FORWARD = 5, 7  # the hierarchical ones, of the five-way set and without global
BLOCKS = _native.OrientationEvents.BLOCKS


def native(
    pair: Pair, max_length: int = 7, events: OrientationEvents = "blocks"
) -> dict[Span, tuple[int, ...]]:
    links = np.array(sorted(pair.links), dtype=np.int32).reshape(-1, 2)
    lengths = len(pair.source), len(pair.target)
    rows = _native.extract_phrases(*lengths, links, max_length, native_events(events)).tolist()
    assert len({tuple(row[:4]) for row in rows}) == len(rows), "a phrase pair came twice"
    return {Span(*row[:4]): tuple(row[4:]) for row in rows}


def pair_of(source: int, target: int, links: str) -> Pair:
    words = [tuple(f"w{i}" for i in range(length)) for length in (source, target)]
    points = [tuple(int(i) for i in link.split("-")) for link in links.split()]
    return Pair(words[0], words[1], frozenset((i, j) for i, j in points))


@pytest.mark.slow
@settings(max_examples=300)
@given(aligned_pairs(), st.integers(1, 8), st.sampled_from(get_args(OrientationEvents)))
def test_phrase_pairs_and_their_orientations_are_those_of_the_definitions(
    pair: Pair, max_length: int, events: OrientationEvents
) -> None:
    assert native(pair, max_length, events) == extract(pair, max_length, events)


def test_the_borders_of_a_sentence_are_monotone_and_global() -> None:
    orientations = native(pair_of(2, 2, "0-0 1-1"))
    expected = (*[MONOTONE] * 4, GLOBAL, GLOBAL, MONOTONE, MONOTONE)
    assert orientations[Span(0, 1, 0, 1)] == expected
    assert orientations[Span(0, 2, 0, 2)] == expected


def test_global_looks_at_all_that_follows_where_moses_looks_at_one_word() -> None:
    # The two words that follow are swapped, and one block beside the first word.
    pair = pair_of(3, 3, "0-0 1-2 2-1")
    for events, plain in (("blocks", MONOTONE), ("decoder", MONOTONE), ("moses", RIGHT)):
        first = native(pair, events=events)[Span(0, 1, 0, 1)]
        assert first[FORWARD] == GLOBAL
        assert first[PLAIN_FORWARD] == plain  # no block that ends with the second target word begins there


@pytest.mark.parametrize(
    ("links", "span", "forward"),
    [
        # Two words follow on the left in order: one block that is swapped, but its first word is no neighbor.
        ("2-0 0-1 1-2", Span(2, 3, 0, 1), (SWAP, SWAP, LEFT)),
        # 2 4 1 3: the words after the first phrase are no block without it.
        ("1-0 3-1 0-2 2-3", Span(1, 2, 0, 1), (RIGHT, MONOTONE, RIGHT)),
        # The word on the right was translated before, and nothing can join it.
        ("1-0 0-1 2-2", Span(0, 1, 1, 2), (RIGHT, RIGHT, RIGHT)),
        # A block that begins with the last source word is overlooked by Moses: left or right.
        ("1-0 3-1 0-2 2-3", Span(0, 1, 2, 3), (RIGHT, RIGHT, RIGHT)),
    ],
)
def test_what_follows_is_a_block_a_guess_of_the_decoder_or_a_word(
    links: str, span: Span, forward: tuple[int, int, int]
) -> None:
    pair = pair_of(1 + max(int(link[0]) for link in links.split()), len(links.split()), links)
    found = [native(pair, events=events)[span][PLAIN_FORWARD] for events in ("blocks", "decoder", "moses")]
    assert tuple(found) == forward


def test_moses_overlooks_a_neighbor_at_the_last_source_position() -> None:
    pair = pair_of(4, 4, "3-0 0-1 2-2 1-3")
    for events, expected in (("blocks", LEFT), ("decoder", LEFT), ("moses", RIGHT)):
        row = native(pair, events=events)[Span(0, 1, 1, 2)]
        assert row[HIERARCHICAL] == expected


def test_a_phrase_that_leaves_source_words_before_it_is_not_global_at_the_border() -> None:
    orientations = native(pair_of(2, 2, "1-0 0-1"))
    assert orientations[Span(1, 2, 0, 1)][HIERARCHICAL] == RIGHT
    assert orientations[Span(0, 1, 1, 2)][FORWARD] == RIGHT


@pytest.mark.parametrize("length", [2000, 4000])
def test_a_long_pair_with_a_single_link_takes_no_cubic_time(length: int) -> None:
    middle = length // 2
    began = time.process_time()
    rows = _native.extract_phrases(length, length, np.array([[middle, middle]], dtype=np.int32), 7, BLOCKS)
    assert time.process_time() - began < 2
    assert len(rows) == 28 * 28  # spans of up to 7 words around the link, of either side


def test_a_block_is_seen_by_the_hierarchical_model_only() -> None:
    # The two words before are swapped: no single word ends beside the third, but their block does.
    orientations = native(pair_of(3, 3, "1-0 0-1 2-2"))
    third = orientations[Span(2, 3, 2, 3)]
    assert third[HIERARCHICAL] == GLOBAL
    assert third[WORD] == RIGHT  # the word before is two to the left: "right" is where the phrase lies
    assert native(pair_of(3, 3, "1-0 0-1 2-2"), max_length=1)[Span(2, 3, 2, 3)][PHRASE] == RIGHT


def test_discontinuous_neighbors_lie_to_the_left_or_right() -> None:
    orientations = native(pair_of(5, 2, "0-0 3-1"))
    assert orientations[Span(3, 4, 1, 2)][WORD] == RIGHT
    assert native(pair_of(5, 2, "3-0 0-1"))[Span(0, 1, 1, 2)][WORD] == LEFT
    assert native(pair_of(5, 2, "3-0 2-1"))[Span(2, 3, 1, 2)][WORD] == SWAP


def test_links_outside_of_the_pair_are_refused() -> None:
    with pytest.raises(InputError, match="outside"):
        _native.extract_phrases(1, 1, np.array([[0, 1]], dtype=np.int32), 7, BLOCKS)


@pytest.mark.parametrize("length", [0, 9])
def test_lengths_that_cannot_be_counted_are_refused(length: int) -> None:
    with pytest.raises(InputError, match="1 to 8"):
        _native.extract_phrases(1, 1, np.array([[0, 0]], dtype=np.int32), length, BLOCKS)
