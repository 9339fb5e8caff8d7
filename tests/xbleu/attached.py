"""Tiny models with a trained reordering model whose weights are made of the names of its features."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.decode import tiny
from tests.decode.test_sparse_reordering import WIDE, weight_of

from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.features import SparseReordering
from tunesmith.model import Model
from tunesmith.weights import Weights, WeightStore
from tunesmith.xbleu.reordering import TrainedReordering

SENTENCES = ("a b c", "b a c d", "c unseen a b", "a", "d d a")


def write_lists(folder: Path) -> None:
    """Write lists of words and classes of a tiny model."""
    for side, words in (("source", tiny.SOURCE), ("target", tiny.TARGET)):
        (folder / f"frequent.{side}.txt").write_text(f"{words[1]}\t9\n{words[0]}\t8\n{words[2]}\t7\n")
        (folder / f"words.{side}.txt").write_text("".join(f"{word}\t1\n" for word in words))
        for count in (2, 3):
            lines = [f"{word}\t{number % count}\n" for number, word in enumerate(words[1:])]
            (folder / f"classes.{side}.{count}.txt").write_text("".join(lines))


def write_classes(model: Path, counts: Iterable[int]) -> None:
    """Write classes of the words of a model's text by their numbers: training them takes longer."""
    for side, count in itertools.product(("source", "target"), counts):
        words = sorted(set((model / f"{side}.txt").read_text().split()))
        lines = [f"{word}\t{number % count}\n" for number, word in enumerate(words)]
        (model / f"classes.{side}.{count}.txt").write_text("".join(lines))


def write_reordering(folder: Path, template: SparseReordering, names: Iterable[str]) -> Path:
    """Write a trained model with a weight for each name."""
    folder.mkdir()
    write_lists(folder)
    weights = WeightStore.of({name: weight_of(name) for name in sorted(names)})
    TrainedReordering.write(folder, template.with_lists(folder), weights, {"made": "by a test"})
    return folder


def all_names(model: Model, template: SparseReordering, sentences: Iterable[str] = SENTENCES) -> set[str]:
    """The features of all derivations of the sentences."""
    decoder = PhraseDecoder(model, None, WIDE, [template])
    names: set[str] = set()
    for sentence in sentences:
        forest = decoder.translate(sentence, forest=True).forest
        assert forest is not None
        names.update(filter(template.owns, forest.feature_names))
    assert names
    return names


def without_rows(model: Model) -> Model:
    """The model without the files of scores of pairs."""
    parts = tuple(replace(part, rows=()) for part in model.trained_reordering)
    return replace(model, trained_reordering=parts)


def without_lexical(model: Model) -> Model:
    """The model without its lexicalized reordering."""
    kept = {name: value for name, value in model.weights.items() if not name.startswith("LexicalReordering")}
    return replace(model, reordering=(), weights=Weights(kept))


def dense(steps: Iterable[Mapping[str, float]], name: str) -> Counter[str]:
    """The dense features of a trained model, summed over the steps of a derivation."""
    sums: Counter[str] = Counter()
    for step in steps:
        sums.update({key: value for key, value in step.items() if key.startswith(f"{name}_")})
    return sums


def of_sparse(
    steps: Iterable[Mapping[str, float]], template: SparseReordering, phi: Mapping[str, float]
) -> Counter[str]:
    """The same sums, from the sparse features of the template and their weights."""
    sums: Counter[str] = Counter()
    for name, value in itertools.chain(*(step.items() for step in steps)):
        if template.owns(name):
            sums[f"{template.name}_{name.rpartition('_')[2]}"] += phi.get(name, 0.0) * value
    return sums


def assert_equal(found: Counter[str], expected: Counter[str]) -> None:
    """Compare sums; those that are 0 may be left out."""
    names = set(found) | set(expected)
    assert {name: found[name] for name in names} == pytest.approx(
        {name: expected[name] for name in names}, abs=1e-5
    )
