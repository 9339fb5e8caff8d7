"""Seeds of independent random streams: one per (seed, purpose, number)."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from tunesmith.options import check_seed

__all__ = ["PURPOSES", "Purpose", "stream_seed"]

Purpose: TypeAlias = Literal["replica", "round", "turn", "fold"]
"""Purposes of streams. A new one is appended: the position of a purpose is part of its seeds.

`replica`: repeated runs of `tune`. `round`: rounds of a tuning loop. `turn`: turns of the list searches of
forest-mert. `fold`: folds of a cross-validation, from 1.
"""

PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


def stream_seed(seed: int, purpose: Purpose, number: int) -> int:
    """Return the seed of stream `number` of a purpose: 63 bits, which is what native code takes.

    Stream 0 is the run itself and has the seed as it is, for every purpose: the first replica, the first
    round and the first turn draw what the seed says, and a replica is repeated by a single run from its seed.
    The seeds of streams 1, 2, ... are hashes of (seed, purpose, number), by numpy's `SeedSequence` with a
    spawn key: unlike `seed + number`, they are not the seeds of streams of another seed. Streams within
    streams (a turn within a round) are nested calls.
    """
    check_seed(seed)
    if number < 0:
        raise ValueError(f"streams are numbered from 0, not {number}")
    if number == 0:
        return int(seed)
    key = (PURPOSES.index(purpose), number)
    state = np.random.SeedSequence(int(seed), spawn_key=key).generate_state(1, np.uint64)
    return int(state[0] >> np.uint64(1))
