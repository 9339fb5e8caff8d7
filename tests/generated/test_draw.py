"""Random streams and weighted choices."""

import random

import pytest

from tunesmith.errors import OptionError
from tunesmith.generated.draw import Choice, stream, zipf


def test_a_stream_depends_on_seed_index_and_purpose() -> None:
    keys = [(1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0), (1, 1 << 60, 0)]
    first = [stream(*key)() for key in keys]
    assert len(set(first)) == len(keys)
    assert [stream(*key)() for key in keys] == first


def test_a_stream_draws_what_a_fresh_generator_of_that_seed_draws() -> None:
    draw = stream(5, 7, 3)
    expected = random.Random((5 << 72) | (7 << 8) | 3)
    assert [draw() for _ in range(10)] == [expected.random() for _ in range(10)]


def test_a_choice_draws_entries_in_proportion_to_their_weights() -> None:
    choice = Choice([("a", 6.0), ("b", 3.0), ("c", 1.0)])
    draw = random.Random(1).random
    drawn = [choice(draw) for _ in range(20_000)]
    for entry, share in (("a", 0.6), ("b", 0.3), ("c", 0.1)):
        assert drawn.count(entry) / len(drawn) == pytest.approx(share, abs=0.015)


def test_a_choice_without_entries_or_weight_is_refused() -> None:
    with pytest.raises(OptionError):
        Choice([])
    with pytest.raises(OptionError):
        Choice([("a", 0.0)])


def test_zipf_weights_fall_with_rank() -> None:
    weights = [weight for _, weight in zipf("abcdef", 1)]
    assert weights == [1 / (rank + 1) for rank in range(1, 7)]
