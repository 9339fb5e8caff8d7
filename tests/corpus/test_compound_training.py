"""Sums over segmentations, the teacher and the loss, against enumeration and finite differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from tests.corpus.compound_words import COMPOUNDS, COUNTS, OPTIONS, TEXT, paths, word_counts

from tunesmith.corpus.compounds import CompoundOptions, WordCounts, WordLattices, train_splitter
from tunesmith.corpus.compounds.features import arc_features, feature_names
from tunesmith.corpus.compounds.parts import WHOLE, Arc, PartFinder
from tunesmith.corpus.compounds.search import arc_probabilities, best_by_mean, best_by_sum
from tunesmith.corpus.compounds.teacher import teach, teach_with_linkers
from tunesmith.corpus.compounds.training import SegmentationLoss
from tunesmith.errors import InputError


def collect(counts: dict[str, int], keys: list[str]) -> tuple[WordCounts, WordLattices]:
    words = word_counts(counts)
    lattices = WordLattices.of(keys, PartFinder(words, OPTIONS), words.numbers)
    assert len(lattices) == len(keys)
    return words, lattices


def all_paths(lattices: WordLattices) -> list[list[list[int]]]:
    """Return the segmentations of each word, as lists of arc numbers."""
    result = []
    for word in range(len(lattices)):
        rows = np.flatnonzero(lattices.owners == word).tolist()
        first, last = int(lattices.first_nodes[word]), int(lattices.last_nodes[word])
        places = [Arc(int(lattices.starts[r]) - first, int(lattices.ends[r]) - first, r, 0) for r in rows]
        result.append([[arc.word for arc in path] for path in paths(places, last - first)])
    return result


LISTS = st.lists(COMPOUNDS, min_size=1, max_size=6)


@given(COUNTS, LISTS, st.integers(0, 1 << 30))
def test_sums_over_segmentations_are_those_of_enumeration(
    counts: dict[str, int], keys: list[str], seed: int
) -> None:
    _, lattices = collect(counts, keys)
    scores = np.random.default_rng(seed).normal(size=len(lattices.owners))
    totals, posteriors = lattices.posteriors(scores)
    for word, segmentations in enumerate(all_paths(lattices)):
        weights = [math.exp(scores[path].sum()) for path in segmentations]
        assert totals[word] == pytest.approx(math.log(sum(weights)))
        for arc in np.flatnonzero(lattices.owners == word).tolist():
            share = sum(w for w, path in zip(weights, segmentations, strict=True) if arc in path)
            assert posteriors[arc] == pytest.approx(share / sum(weights))


@given(COUNTS, LISTS)
def test_the_teacher_is_the_geometric_mean_of_counts(counts: dict[str, int], keys: list[str]) -> None:
    words, lattices = collect(counts, keys)
    values = np.maximum(words.counts[lattices.parts], 0.5)
    found = teach(lattices, values, OPTIONS.max_parts)
    for word, segmentations in enumerate(all_paths(lattices)):
        allowed = [path for path in segmentations if len(path) <= OPTIONS.max_parts]
        means = [math.prod(values[path]) ** (1 / len(path)) for path in allowed]
        for arc in np.flatnonzero(lattices.owners == word).tolist():
            share = sum(m for m, path in zip(means, allowed, strict=True) if arc in path)
            assert found[arc] == pytest.approx(share / sum(means))


def test_usual_linkers_make_their_parts_more_probable() -> None:
    counts = dict.fromkeys(["haus", "hof", "baum", "tor", "stein", "steine"], 10)
    words = word_counts(counts)
    keys = ["haustor", "hoftor", "baumtor", "steintor", "hausbaum"]
    lattices = WordLattices.of(keys, PartFinder(words, OPTIONS), words.numbers)
    values = np.where(lattices.linkers == WHOLE, 0.5, 10.0)
    plain = teach(lattices, values, 3)
    usual = teach_with_linkers(lattices, values, 3, len(OPTIONS.linker_list))
    dropped = lattices.parts == words.numbers["steine"]
    kept = (lattices.parts == words.numbers["stein"]) & (lattices.linkers == 0)
    assert plain[dropped] == pytest.approx(plain[kept])
    assert usual[dropped] < 0.5 * usual[kept]


@settings(max_examples=20)
@given(COUNTS, LISTS, st.integers(0, 1 << 30))
def test_the_gradient_is_that_of_finite_differences(
    counts: dict[str, int], keys: list[str], seed: int
) -> None:
    words, lattices = collect(counts, keys)
    generator = np.random.default_rng(seed)
    linkers = OPTIONS.linker_list
    wholes = generator.integers(0, 9, len(lattices))
    features = arc_features(lattices, words, linkers, generator.normal(size=len(words)), wholes)
    assert features.shape == (len(lattices.owners), len(feature_names(linkers)))
    teacher = teach(lattices, generator.uniform(0.5, 9, len(lattices.owners)), 4)
    loss = SegmentationLoss(lattices, features, teacher, penalty=0.1)
    weights = generator.normal(size=features.shape[1])
    expected = approx_fprime(weights, lambda w: loss(w)[0], 1e-6)
    assert loss(weights)[1] == pytest.approx(expected, abs=1e-4)


@given(COUNTS, COMPOUNDS, st.integers(0, 1 << 30), st.integers(1, 6))
def test_the_best_segmentations_are_those_of_enumeration(
    counts: dict[str, int], word: str, seed: int, limit: int
) -> None:
    arcs = PartFinder(word_counts(counts), OPTIONS).arcs(word)
    arcs = sorted([*arcs, Arc(0, len(word), -1, WHOLE)])
    scores = dict(zip(arcs, np.random.default_rng(seed).normal(size=len(arcs)).tolist(), strict=True))
    every = list(paths(arcs, len(word)))
    sums = {path: sum(scores[arc] for arc in path) for path in every}
    found = best_by_sum(arcs, list(scores.values()), len(word), limit)
    assert [path for _, path in found] == sorted(every, key=lambda path: -sums[path])[:limit]
    assert [score for score, _ in found] == pytest.approx([sums[path] for _, path in found])

    few = [path for path in every if len(path) <= 3]
    mean, path = best_by_mean(arcs, list(scores.values()), len(word), 3)
    assert path == max(few, key=lambda p: sums[p] / len(p))
    assert mean == pytest.approx(sums[path] / len(path))

    shares = dict(zip(arcs, arc_probabilities(arcs, list(scores.values()), len(word)), strict=True))
    total = math.log(sum(map(math.exp, sums.values())))
    for path in every:
        assert sum(shares[arc] for arc in path) == pytest.approx(sums[path] - total, abs=1e-9)


def test_training_lowers_the_loss_and_gives_the_same_weights_again() -> None:
    words = WordCounts.of(TEXT)
    options = CompoundOptions(min_count=1, min_length=3)
    lines: list[str] = []
    splitter = train_splitter(words, options, progress=lines.append)
    assert splitter.weights == train_splitter(WordCounts.of(TEXT[::-1]), options).weights
    assert any(splitter.weights.values())
    assert lines[0].startswith(f"{len(words)} words") and "loss" in lines[-1]


def test_a_text_without_compounds_gives_a_splitter_that_splits_nothing() -> None:
    splitter = train_splitter(WordCounts.of(["haus"]))
    assert not any(splitter.weights.values())
    assert splitter.split("haus") == ("haus",) and splitter.split("haushaus") == ("haushaus",)


def test_a_text_without_words_is_refused() -> None:
    with pytest.raises(InputError, match="found no words"):
        train_splitter(WordCounts.of(["", ""]))
