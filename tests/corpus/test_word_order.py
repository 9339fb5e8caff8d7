"""Jumps and spans of aligned text, against definitions that are slower and simpler."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus import Alignments, Bitext, Sentences, Vocabulary
from tunesmith.corpus.word_order import WordOrder
from tunesmith.errors import InputError

Links = set[tuple[int, int]]

pairs_of_sentences = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda lengths: st.tuples(
        st.just(lengths),
        st.sets(st.tuples(st.integers(0, lengths[0] - 1), st.integers(0, lengths[1] - 1)), max_size=9),
    )
)


def measured(*pairs: tuple[tuple[int, int], Links]) -> WordOrder:
    sides = [
        Sentences.of([" ".join("w" * lengths[side]) for lengths, _ in pairs], Vocabulary()) for side in (0, 1)
    ]
    return WordOrder.measure(Bitext(*sides), Alignments.of([links for _, links in pairs]), threads=1)


def overlap(a: Links, b: Links) -> bool:
    return any(
        max(min(link[side] for link in each) for each in (a, b))
        <= min(max(link[side] for link in each) for each in (a, b))
        for side in (0, 1)
    )


def blocks_of(links: Links) -> list[Links]:
    """Return the links of each block: join any two that overlap on a side, until none do."""
    blocks = [{link} for link in links]
    while found := next(((a, b) for a, b in combinations(blocks, 2) if overlap(a, b)), None):
        blocks = [block for block in blocks if block not in found] + [found[0] | found[1]]
    return blocks


def counted(values: list[int]) -> tuple[int, ...]:
    return tuple(values.count(value) for value in range(max(values, default=-1) + 1))


def expected_jumps(length: int, links: Links) -> list[int]:
    starts = sorted(min(i for i, _ in block) for block in blocks_of(links))
    ends = dict(zip(starts, [*starts[1:], length], strict=True))  # unaligned words belong to the block before
    jumps, last_word = [], -1
    for block in sorted(blocks_of(links), key=lambda block: min(j for _, j in block)):
        start = min(i for i, _ in block)
        first_word = 0 if start == starts[0] else start
        jumps.append(abs(first_word - last_word - 1))  # as Moses defines distortion
        last_word = ends[start] - 1
    return jumps


def expected_spans(length: int, links: Links) -> list[int]:
    cuts = [0, length]
    for cut in {i for i, _ in links}:
        left, right = ([j for i, j in links if (i < cut) == before] for before in (True, False))
        if left and max(left) < min(right):
            cuts.append(cut)
    cuts.sort()
    starts = [min(i for i, _ in block) for block in blocks_of(links)]
    return [
        end - begin if sum(begin <= start < end for start in starts) > 1 else 0
        for begin, end in pairwise(cuts)
    ]


@given(pairs_of_sentences)
def test_counts_are_those_of_the_definitions(pair: tuple[tuple[int, int], Links]) -> None:
    (source, target), links = pair
    order = measured(pair)
    jumps, spans = (expected_jumps(source, links), expected_spans(source, links)) if links else ([], [])
    assert order.jumps == counted(jumps)
    assert order.longest_jumps == counted([max(jumps)] if jumps else [])
    assert order.spans == counted(spans)
    assert order.widest_spans == counted([max(spans)] if spans else [])
    assert order.unaligned_source == source - len({i for i, _ in links})
    assert order.unaligned_target == target - len({j for _, j in links})
    assert (order.source_words, order.target_words, order.pairs) == (source, target, 1)


def test_a_verb_that_moves_to_the_end_needs_a_jump_over_the_rest_and_a_jump_back() -> None:
    # er hat das buch gelesen: he has read the book
    order = measured(((5, 5), {(0, 0), (1, 1), (2, 3), (3, 4), (4, 2)}))
    assert order.jumps == (3, 0, 1, 1)  # over "das buch", and back over three words
    assert order.spans == (2, 0, 0, 1)
    assert order.share_of_jumps(2) == 0.8
    assert order.share_of_words(2) == pytest.approx(0.4)
    assert order.share_of_words(3) == 1
    assert [order.share_of_pairs_by_jump(limit) for limit in (2, 3)] == [0, 1]
    assert [order.share_of_pairs_by_span(limit) for limit in (2, 3)] == [0, 1]


def test_shares_of_pairs_are_of_those_with_links() -> None:
    moved, straight = ((5, 5), {(0, 0), (1, 1), (2, 3), (3, 4), (4, 2)}), ((2, 2), {(0, 0), (1, 1)})
    order = measured(moved, straight, straight, straight, ((4, 1), set()))
    assert [order.share_of_pairs_by_jump(limit) for limit in (0, 2, 3)] == [0.75, 0.75, 1]
    assert [order.share_of_pairs_by_span(limit) for limit in (0, 2, 3)] == [0.75, 0.75, 1]
    assert measured(((4, 1), set())).share_of_pairs_by_jump(0) == 1


def test_counts_of_pairs_are_added_for_any_number_of_threads() -> None:
    pairs = [((3, 3), {(0, 2), (1, 1), (2, 0)}), ((2, 2), {(0, 0), (1, 1)}), ((4, 1), set())]
    whole = measured(*pairs * 3000)
    for name in ("jumps", "longest_jumps", "spans", "widest_spans"):
        parts = [getattr(measured(pair), name) for pair in pairs]
        width = max(map(len, parts))
        summed = [sum(part[i] if i < len(part) else 0 for part in parts) for i in range(width)]
        assert getattr(whole, name) == tuple(3000 * count for count in summed)
    assert whole.unaligned == pytest.approx(4 / 9)


def test_counts_come_back_from_their_file(tmp_path: Path) -> None:
    order = measured(((3, 3), {(0, 2), (1, 1)}))
    order.write(tmp_path / "order.json")
    assert WordOrder.read(tmp_path / "order.json") == order
    (tmp_path / "order.json").write_text('{"format": "tunesmith-word-order", "version": 1, "jumps": [1]}')
    with pytest.raises(InputError, match=r"order\.json: is not counts of word order"):
        WordOrder.read(tmp_path / "order.json")


def test_text_without_links_has_no_jumps_that_a_limit_could_forbid() -> None:
    order = measured(((2, 2), set()))
    assert (order.share_of_jumps(0), order.share_of_words(0), order.unaligned) == (1.0, 1.0, 1.0)
