"""Definitions spelled out, slow and plain: what native extraction is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hypothesis import strategies as st

MONOTONE, SWAP, LEFT, RIGHT, GLOBAL = range(5)

Links = frozenset[tuple[int, int]]


class Span(NamedTuple):
    """Source words [sb, se), target words [tb, te)."""

    sb: int
    se: int
    tb: int
    te: int


class Pair(NamedTuple):
    """A sentence pair and its links."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: Links


@st.composite
def aligned_pairs(draw: st.DrawFn, longest: int = 7) -> Pair:
    """A sentence pair over few words, so that phrases repeat."""
    words = st.lists(st.sampled_from("abc"), min_size=1, max_size=longest)
    source, target = draw(words), draw(words)
    positions = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return Pair(tuple(source), tuple(target), draw(st.frozensets(positions, max_size=longest + 2)))


def consistent(pair: Pair) -> Iterator[Span]:
    """All spans that hold a link and that no link leaves."""
    for sb in range(len(pair.source)):
        for se in range(sb + 1, len(pair.source) + 1):
            for tb in range(len(pair.target)):
                for te in range(tb + 1, len(pair.target) + 1):
                    inside = [(sb <= i < se, tb <= j < te) for i, j in pair.links]
                    if (True, True) in inside and all(i == j for i, j in inside):
                        yield Span(sb, se, tb, te)


def is_short(span: Span, max_length: int) -> bool:
    return span.se - span.sb <= max_length and span.te - span.tb <= max_length


def aligned(pair: Pair, source: int, target: int) -> bool:
    corners = {(-1, -1), (len(pair.source), len(pair.target))}
    return (source, target) in pair.links | corners


def word_orientation(pair: Pair, span: Span, backward: bool) -> int:
    beside = span.tb - 1 if backward else span.te
    before, after = aligned(pair, span.sb - 1, beside), aligned(pair, span.se, beside)
    if before != after:
        return MONOTONE if before == backward else SWAP
    linked = {i for i, j in pair.links if j == beside}
    left = before or any(i < span.sb - 1 for i in linked)
    right = after or any(i > span.se for i in linked)
    return LEFT if ((right and not left) if backward else (left and not right)) else RIGHT


def block_orientation(pair: Pair, span: Span, backward: bool, blocks: Iterable[Span], moses: bool) -> int:
    """Orientation beside blocks that end with the target word before, or begin with the one after.

    For Moses, they end with the one after, and those on the right that begin with the last source word are
    overlooked.
    """
    beside = span.tb - 1 if backward else span.te
    found = [b for b in blocks if (b.te - 1 if backward or moses else b.tb) == beside]
    ends, begins = {block.se - 1 for block in found}, {block.sb for block in found}
    word_before, word_after = aligned(pair, span.sb - 1, beside), aligned(pair, span.se, beside)
    before = (word_before and not word_after) or span.sb - 1 in ends
    after = (word_after and not word_before) or span.se in begins
    if before if backward else after:
        return MONOTONE
    if after if backward else before:
        return SWAP
    left = any(end < span.sb - 1 for end in ends)
    right = any(span.se < begin < len(pair.source) - moses for begin in begins)
    return LEFT if ((right and not left) if backward else (left and not right)) else RIGHT


def decoded_forward(pair: Pair, span: Span, blocks: Iterable[Span]) -> int:
    """Forward orientation of the hierarchical model, as far as it is known when the next phrase follows.

    The word beside the span, on the side of the next phrase, decides: translated before the span or not.
    Unaligned words are passed over.
    """
    found = block_orientation(pair, span, False, blocks, False)
    following = [block for block in blocks if block.tb == span.te]
    first = {i: min(j for f, j in pair.links if f == i) for i, _ in pair.links}
    if found == RIGHT and any(block.sb >= span.se for block in following):
        return MONOTONE if first[min(i for i in first if i >= span.se)] >= span.te else RIGHT
    if found == LEFT:
        return SWAP if first[max(i for i in first if i < span.sb)] >= span.te else LEFT
    return found


def is_global(pair: Pair, span: Span, backward: bool, blocks: Iterable[Span]) -> bool:
    """Whether "all previous phrases can be combined into a single hierarchical block" (all following ones).

    The block is monotone with the span: it ends (begins) where the span's source side begins (ends). At the
    border of the target side, where no phrases are left, the span must be at the border of the source side.
    """
    f, e = len(pair.source), len(pair.target)
    if backward:
        blocks = [*blocks, Span(0, 0, 0, 0)]
        return any((b.tb, b.te, b.se) == (0, span.tb, span.sb) for b in blocks)
    blocks = [*blocks, Span(f, f, e, e)]
    return any((b.tb, b.te, b.sb) == (span.te, e, span.se) for b in blocks)


def extract(pair: Pair, max_length: int, events: str = "blocks") -> dict[Span, tuple[int, ...]]:
    """Return the orientations of each phrase pair: word, phrase, hierarchical, each backward and forward.

    The hierarchical ones come twice: of the five-way set, then without global.
    """
    blocks = list(consistent(pair))
    short = [span for span in blocks if is_short(span, max_length)]
    moses = events == "moses"
    result = {}
    for span in short:
        row = [word_orientation(pair, span, backward) for backward in (True, False)]
        row += [block_orientation(pair, span, backward, short, moses) for backward in (True, False)]
        plain = [block_orientation(pair, span, backward, blocks, moses) for backward in (True, False)]
        if events == "decoder":
            plain[1] = decoded_forward(pair, span, blocks)
        whole = [is_global(pair, span, backward, blocks) for backward in (True, False)]
        row += [GLOBAL if yes else other for yes, other in zip(whole, plain, strict=True)]
        result[span] = (*row, *plain)
    return result


def joint_counts(pairs: Iterable[Pair], max_length: int) -> Counter[tuple[str, str]]:
    """How often each phrase pair is extracted."""
    return Counter(
        (" ".join(pair.source[span.sb : span.se]), " ".join(pair.target[span.tb : span.te]))
        for pair in pairs
        for span in consistent(pair)
        if is_short(span, max_length)
    )
