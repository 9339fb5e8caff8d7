"""What every translator must hold: a loop asks it again and again, and may be resumed anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest
from tests.systems.external.toy_problem import START, Toy, write_toy
from tests.tuning.toy_translators import ToyTranslator

from tunesmith.candidates import Pool
from tunesmith.errors import OptionError
from tunesmith.forest import viterbi
from tunesmith.tuning.translators.base import Translator
from tunesmith.tuning.translators.command import CommandTranslator
from tunesmith.tuning.translators.mira_protocol import MiraProtocolTranslator
from tunesmith.tuning.translators.model import ModelTranslator
from tunesmith.weights import Weights

SENTENCES, SIZE = 8, 5

Make: TypeAlias = Callable[[int], Translator]
"""Makes a translator of so many sentences; nothing else differs."""


def write_source(toy: Toy, sentences: int) -> Path:
    path = toy.folder / f"source.{sentences}"
    path.write_text("".join(f"{sentence}\n" for sentence in toy.sentences[:sentences]), encoding="utf-8")
    return path


@pytest.fixture(params=["toy", "command", "mira protocol", "phrase model", "hierarchical model"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    if request.param == "toy":
        yield lambda sentences: ToyTranslator(sentences=sentences)
    elif request.param == "command":
        toy = write_toy(tmp_path)
        command = f"{toy.program} --weights {{weights}} --size {{size}}"
        yield lambda sentences: CommandTranslator(
            command, write_source(toy, sentences), start=START, scratch=tmp_path / "scratch"
        )
    elif request.param == "mira protocol":
        toy = write_toy(tmp_path)
        with ExitStack() as stack:
            yield lambda sentences: stack.enter_context(
                MiraProtocolTranslator(
                    f"{toy.program} --mira --size 10", write_source(toy, sentences), start=START
                )
            )
    else:
        model = request.getfixturevalue("small_model" if "phrase" in request.param else "small_hiero")
        lines = (request.getfixturevalue("small_corpus") / "de").read_text().splitlines()
        yield lambda sentences: ModelTranslator(model, lines[:sentences])


def others(translator: Translator) -> Weights:
    """Return other weights than those to start from."""
    return Weights({name: (-1) ** i * 0.5 for i, name in enumerate(translator.start)})


def same(one: Pool, other: Pool) -> bool:
    return (
        one.ids == other.ids
        and one.texts == other.texts
        and one.feature_names == other.feature_names
        and np.array_equal(one.offsets, other.offsets)
        and np.array_equal(one.features.to_dense(), other.features.to_dense())
    )


def test_the_translation_is_the_first_of_its_list(make: Make) -> None:
    translator = make(SENTENCES)
    for weights in (translator.start, others(translator)):
        pool = translator.nbest(weights, SIZE)
        assert pool.ids == tuple(map(str, range(SENTENCES)))
        assert pool.texts is not None
        assert list(translator.translate(weights)) == list(pool.texts.take(pool.offsets[:-1]))


def test_lists_are_distinct_best_first_and_no_longer_than_asked(make: Make) -> None:
    translator = make(SENTENCES)
    weights = others(translator)
    pool = translator.nbest(weights, SIZE)
    scores = pool.features.dot(np.array([weights.get(name, 0.0) for name in pool.feature_names]))
    assert pool.texts is not None
    for begin, end in zip(pool.offsets[:-1], pool.offsets[1:], strict=True):
        assert 1 < end - begin <= SIZE
        assert len({pool.texts[row] for row in range(begin, end)}) == end - begin
        assert (np.diff(scores[begin:end]) <= 1e-4).all()  # decoders add 32-bit floats


def test_the_best_derivation_of_a_forest_is_the_translation(make: Make) -> None:
    translator = make(SENTENCES)
    start = translator.start
    try:
        forests = list(translator.forests(start, 0))
    except OptionError as error:
        assert "gives no forests" in str(error)
    else:
        assert [viterbi(forest, start).text for forest in forests] == list(translator.translate(start))


def test_asking_under_other_weights_leaves_no_trace(make: Make) -> None:
    translator = make(SENTENCES)
    start, other = translator.start, others(translator)
    first = translator.nbest(start, SIZE)
    changed = translator.nbest(other, SIZE)
    assert translator.translate(other) != translator.translate(start)
    assert not same(first, changed)
    assert same(translator.nbest(start, SIZE), first)
    assert same(make(SENTENCES).nbest(other, SIZE), changed)


def test_fingerprints_differ_where_the_source_does(make: Make) -> None:
    assert make(SENTENCES).fingerprint == make(SENTENCES).fingerprint
    assert make(SENTENCES).fingerprint != make(SENTENCES - 1).fingerprint
