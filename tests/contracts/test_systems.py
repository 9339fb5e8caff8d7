"""What every system must hold: a loop asks it again and again, and may be resumed anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from tests.systems.external.toy_problem import START, Toy, write_toy
from tests.tuning.toy_systems import ToySystem

from tunesmith.candidates import Pool
from tunesmith.errors import OptionError
from tunesmith.forest import viterbi
from tunesmith.systems.base import System
from tunesmith.systems.command import CommandSystem
from tunesmith.systems.lists import ListSystem
from tunesmith.systems.model import ModelSystem
from tunesmith.systems.process import ProcessSystem
from tunesmith.weights import Weights

SENTENCES, SIZE = 8, 5

Make: TypeAlias = Callable[[int], System]
"""Makes a system of so many sentences; nothing else differs."""


def write_source(toy: Toy, sentences: int) -> Path:
    path = toy.folder / f"source.{sentences}"
    path.write_text("".join(f"{sentence}\n" for sentence in toy.sentences[:sentences]), encoding="utf-8")
    return path


@pytest.fixture(params=["toy", "command", "mira protocol", "phrase model", "hierarchical model", "lists"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    if request.param == "toy":
        yield lambda sentences: ToySystem(sentences=sentences)
    elif request.param == "lists":
        yield lambda sentences: ListSystem(ToySystem(sentences=sentences).pool)
    elif request.param == "command":
        toy = write_toy(tmp_path)
        command = f"{toy.program} --weights {{weights}} --size {{size}}"
        yield lambda sentences: CommandSystem(
            command, write_source(toy, sentences), start=START, scratch=tmp_path / "scratch"
        )
    elif request.param == "mira protocol":
        toy = write_toy(tmp_path)
        with ExitStack() as stack:
            yield lambda sentences: stack.enter_context(
                ProcessSystem(f"{toy.program} --mira --size 10", write_source(toy, sentences), start=START)
            )
    else:
        model = request.getfixturevalue("small_model" if "phrase" in request.param else "small_hiero")
        lines = (request.getfixturevalue("small_corpus") / "de").read_text().splitlines()
        yield lambda sentences: ModelSystem.open(model, lines[:sentences])


def others(system: System) -> Weights:
    """Return other weights than those to start from."""
    return Weights({name: (-1) ** i * 0.5 for i, name in enumerate(system.start)})


def same(one: Pool, other: Pool) -> bool:
    return (
        one.ids == other.ids
        and one.texts == other.texts
        and one.feature_names == other.feature_names
        and np.array_equal(one.offsets, other.offsets)
        and np.array_equal(one.features.to_dense(), other.features.to_dense())
    )


def test_the_translation_is_the_first_of_its_list(make: Make) -> None:
    system = make(SENTENCES)
    for weights in (system.start, others(system)):
        pool = system.use(weights).nbest(SIZE)
        assert pool.ids == tuple(map(str, range(SENTENCES)))
        assert pool.texts is not None
        assert list(system.use(weights).best()) == list(pool.texts.take(pool.offsets[:-1]))


def test_lists_are_distinct_best_first_and_no_longer_than_asked(make: Make) -> None:
    system = make(SENTENCES)
    weights = others(system)
    pool = system.use(weights).nbest(SIZE)
    scores = pool.features.dot(np.array([weights.get(name, 0.0) for name in pool.feature_names]))
    assert pool.texts is not None
    for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True):
        assert 1 < end - begin <= SIZE
        assert len({pool.texts[row] for row in range(begin, end)}) == end - begin
        assert (np.diff(scores[begin:end]) <= 1e-4).all()  # decoders add 32-bit floats


def test_the_best_derivation_of_a_forest_is_the_translation(make: Make) -> None:
    system = make(SENTENCES)
    start = system.start
    try:
        forests = list(system.use(start).forests(0))
    except OptionError as error:
        assert "gives no forests" in str(error)
    else:
        assert [viterbi(forest, start).text for forest in forests] == list(system.use(start).best())


def test_asking_under_other_weights_leaves_no_trace(make: Make) -> None:
    system = make(SENTENCES)
    start, other = system.start, others(system)
    first = system.use(start).nbest(SIZE)
    changed = system.use(other).nbest(SIZE)
    assert system.use(other).best() != system.use(start).best()
    assert not same(first, changed)
    assert same(system.use(start).nbest(SIZE), first)
    assert same(make(SENTENCES).use(other).nbest(SIZE), changed)


def test_fingerprints_differ_where_the_source_does(make: Make) -> None:
    assert make(SENTENCES).fingerprint == make(SENTENCES).fingerprint
    assert make(SENTENCES).fingerprint != make(SENTENCES - 1).fingerprint
