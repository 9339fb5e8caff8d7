"""Weights of sentence pairs: 2 counts as two equal pairs, and fractions as their sums."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.extract.collected import Row, bitext_of, collect
from tests.extract.reference import LEFT, MONOTONE, RIGHT, SWAP, Pair, extract

from tunesmith.errors import InputError
from tunesmith.extract import Lexicon, count_phrases
from tunesmith.extract.instance_weights import counted_weights, read_instance_weights

MODELS = ("wbe-mslr-bidirectional-fe", "phrase-msd-backward-f", "hier-mslr-forward-fe")


def random_pairs(seed: int, count: int = 25) -> list[Pair]:
    choices = random.Random(seed)
    pairs = []
    for _ in range(count):
        sides = [tuple(choices.choices("abcd", k=choices.randint(1, 6))) for _ in range(2)]
        positions = [(i, j) for i in range(len(sides[0])) for j in range(len(sides[1]))]
        links = choices.sample(positions, choices.randint(1, min(5, len(positions))))
        pairs.append(Pair(sides[0], sides[1], frozenset(links)))
    return pairs


def table(
    pairs: list[Pair], folder: Path, weights: Any = None, max_length: int = 5, **options: Any
) -> dict[tuple[str, str], Row]:
    bitext, alignments = bitext_of(pairs)
    shared: Any = {"path": folder / "counts", "max_length": max_length, "threads": 1}
    counts = count_phrases(bitext, alignments, weights=weights, **shared)
    return collect(counts, Lexicon.estimate(bitext, alignments, weights=weights), **options)


@pytest.mark.parametrize("smoothing", [None, "good-turing", "kneser-ney"])
@pytest.mark.parametrize("min_count", [0, 3])
def test_whole_weights_give_the_table_of_repeated_pairs(
    smoothing: str | None, min_count: int, tmp_path: Path
) -> None:
    pairs = random_pairs(1)
    weights = [1 + i % 3 for i in range(len(pairs))]
    options: Any = {"smoothing": smoothing, "min_count": min_count, "reordering": MODELS}
    weighted = table(pairs, tmp_path, weights, **options)
    repeated = [pair for pair, weight in zip(pairs, weights, strict=True) for _ in range(weight)]
    assert weighted == table(repeated, tmp_path, **options)
    assert weighted != table(pairs, tmp_path, **options)


def test_fractional_weights_give_sums_of_weights(tmp_path: Path) -> None:
    pairs = random_pairs(2)
    weights = [0.25 + 0.5 * (i % 4) + 0.01 * (i % 7) for i in range(len(pairs))]
    found = table(pairs, tmp_path, weights, reordering=("wbe-mslr-backward-fe",))
    joint: Counter[tuple[str, str]] = Counter()
    orientations: Counter[tuple[str, str, int]] = Counter()
    for pair, weight in zip(pairs, weights, strict=True):
        for span, classes in extract(pair, 5).items():
            key = " ".join(pair.source[span.sb : span.se]), " ".join(pair.target[span.tb : span.te])
            joint[key] += weight  # type: ignore[assignment]
            orientations[(*key, classes[0])] += weight  # type: ignore[assignment]
    assert found.keys() == joint.keys()
    for key, row in found.items():
        source = sum(value for (f, _), value in joint.items() if f == key[0])
        target = sum(value for (_, e), value in joint.items() if e == key[1])
        assert row.counts == pytest.approx((target, source, joint[key]), rel=1e-5)
        assert (row.scores[0], row.scores[2]) == pytest.approx(
            (joint[key] / target, joint[key] / source), rel=1e-5
        )
        expected = [
            (orientations[(*key, each)] + 0.5) / (joint[key] + 4 * 0.5)
            for each in (MONOTONE, SWAP, LEFT, RIGHT)
        ]
        assert row.reordering == pytest.approx(expected, rel=1e-5)


def test_words_of_the_lexicon_have_the_weight_of_their_pair(tmp_path: Path) -> None:
    pairs = [Pair(("a",), ("x",), frozenset({(0, 0)})), Pair(("a",), ("y",), frozenset({(0, 0)}))]
    lexicon = Lexicon.estimate(*bitext_of(pairs), weights=[0.75, 2.25])
    assert lexicon.probability("a", "y") == pytest.approx((1.0, 0.75))
    assert lexicon.probability("a", "x") == pytest.approx((1.0, 0.25))


def test_equal_weights_change_no_probability(tmp_path: Path) -> None:
    pairs = random_pairs(3)
    plain, half = table(pairs, tmp_path), table(pairs, tmp_path, [0.5] * len(pairs), reordering=())
    for key, row in half.items():
        assert row.scores == plain[key].scores
        assert row.links == plain[key].links
        assert row.counts == tuple(count / 2 for count in plain[key].counts)


@pytest.mark.parametrize("smoothing", ["good-turing", "kneser-ney"])
def test_counts_below_one_are_discounted_by_less_than_all_of_them(smoothing: str, tmp_path: Path) -> None:
    pairs = random_pairs(4)
    found = table(pairs, tmp_path, [0.1 + 0.05 * (i % 3) for i in range(len(pairs))], smoothing=smoothing)
    assert all(
        0 <= row.scores[i] <= 1.5 and math.isfinite(row.scores[i]) for row in found.values() for i in (0, 2)
    )


def test_weights_of_one_change_no_byte_of_the_counts(tmp_path: Path) -> None:
    bitext, alignments = bitext_of(random_pairs(5))
    for name, weights in (("none", None), ("ones", np.ones(len(bitext)))):
        count_phrases(bitext, alignments, path=tmp_path / name, weights=weights)
    assert (tmp_path / "none").read_bytes() == (tmp_path / "ones").read_bytes()
    one, other = (Lexicon.estimate(bitext, alignments, weights=each) for each in (None, np.ones(len(bitext))))
    assert one.counts.tolist() == other.counts.tolist()


def test_the_file_is_the_same_for_any_memory_and_threads(tmp_path: Path) -> None:
    bitext, alignments = bitext_of(random_pairs(6, 400))
    weights = np.random.default_rng(1).uniform(0.1, 3, len(bitext))
    files = []
    for number, (memory, threads) in enumerate([("1G", 1), (1, 3), ("4K", 2)]):
        path = tmp_path / f"counts.{number}"
        count_phrases(bitext, alignments, path=path, weights=weights, memory=memory, threads=threads)
        files.append(path.read_bytes())
    assert files[1:] == files[:1] * 2


def test_folds_and_weights_go_together(tmp_path: Path) -> None:
    pairs, weights = random_pairs(7), [1.5, 0.5] * 12 + [1.0]
    folds = [i % 2 for i in range(len(pairs))]
    bitext, alignments = bitext_of(pairs)
    counts = count_phrases(
        bitext, alignments, path=tmp_path / "all", max_length=5, folds=folds, weights=weights
    )
    without = collect(
        counts,
        Lexicon.estimate(bitext, alignments, folds, weights=weights),
        exclude_fold=1,
        reordering=MODELS,
    )
    kept = pairs[::2]
    assert without == table(kept, tmp_path, weights[::2], reordering=MODELS)


def test_wrong_weights_are_refused_with_their_line(tmp_path: Path) -> None:
    for weights, message, line in (
        ([1.0], "a weight for each of 2 sentence pairs, found 1", 2),
        ([1.0, 0.0], "from 0.0001 to 10000, found 0", 2),
        ([-1.0, 1.0], "found -1", 1),
        ([1.0, math.nan], "found nan", 2),
        ([1.0, 1e9], "found 1e", 2),
    ):
        with pytest.raises(InputError, match=message) as raised:
            counted_weights(weights, 2)
        assert raised.value.line == line
    (tmp_path / "weights").write_text("1\n0.5\n2e-1\n")
    assert read_instance_weights(tmp_path / "weights").tolist() == [1, 0.5, 0.2]
    for text in ("1\nx\n", "1\n-2\n", "1\n\n"):
        (tmp_path / "weights").write_text(text)
        with pytest.raises(InputError, match=r"weights:2: expected a positive weight such as 0\.5"):
            read_instance_weights(tmp_path / "weights")
