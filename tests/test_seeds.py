"""Streams of random numbers: none is shared between seeds, purposes, rounds and replicas."""

import itertools

import numpy as np
import pytest

from tunesmith.errors import OptionError
from tunesmith.seeds import PURPOSES, stream_seed


def test_no_two_streams_of_seeds_purposes_replicas_and_rounds_are_the_same() -> None:
    seeds = [0, 1, 2, 3, 7, 1000, 1001, 2**31, 2**32 + 1, 2**63 - 1]
    streams = {(seed,): seed for seed in seeds}
    for seed, purpose, number in itertools.product(seeds, PURPOSES, range(1, 30)):
        streams[seed, purpose, number] = stream_seed(seed, purpose, number)
        for inner, deeper in itertools.product(PURPOSES, range(1, 4)):
            nested = stream_seed(stream_seed(seed, purpose, number), inner, deeper)
            streams[seed, purpose, number, inner, deeper] = nested
    assert len(set(streams.values())) == len(streams)


def test_the_second_round_of_a_seed_draws_other_numbers_than_the_first_round_of_the_next_seed() -> None:
    second = np.random.default_rng(stream_seed(1, "round", 1)).random(100)
    first_of_next = np.random.default_rng(stream_seed(2, "round", 0)).random(100)
    assert not np.intersect1d(second, first_of_next).size


def test_the_first_stream_of_each_purpose_has_the_seed_itself() -> None:
    assert [stream_seed(5, purpose, 0) for purpose in PURPOSES] == [5] * len(PURPOSES)


def test_derived_seeds_fit_native_code_and_are_the_same_every_time() -> None:
    made = [stream_seed(2**63 - 1, "replica", number) for number in range(1, 200)]
    assert all(0 <= seed < 2**63 for seed in made)
    assert made == [stream_seed(2**63 - 1, "replica", number) for number in range(1, 200)]


def test_a_seed_out_of_range_and_a_negative_number_are_refused() -> None:
    with pytest.raises(OptionError, match="seed"):
        stream_seed(-1, "round", 1)
    with pytest.raises(ValueError, match="from 0"):
        stream_seed(1, "round", -1)
