"""Lattices as they are written, read back as what PLF is (a Python literal) and by the decoder's parser."""

from __future__ import annotations

import ast
import lzma
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.corpus.compound_words import COMPOUNDS, COUNTS, random_splitter

from tunesmith.corpus import Sentences
from tunesmith.corpus.compounds import (
    CompoundSplitter,
    LatticeWriter,
    WordCounts,
    train_splitter,
)
from tunesmith.decode.lattice import Lattice
from tunesmith.errors import InputError, OptionError


def read_paths(plf: str) -> Iterator[list[tuple[str, Any]]]:
    """Yield the words and values along each path."""
    nodes = ast.literal_eval(plf)

    def walk(node: int) -> Iterator[list[tuple[str, Any]]]:
        if node == len(nodes):
            yield []
            return
        for word, value, distance in nodes[node]:
            for rest in walk(node + distance):
                yield [(word, value), *rest]

    return walk(0)


def test_words_without_alternatives_are_a_lattice_of_one_path(splitter: CompoundSplitter) -> None:
    writer = LatticeWriter(splitter)
    assert writer("der Mann") == "((('der',{},1),),(('Mann',{},1),),)"
    assert writer("") == "()"
    assert LatticeWriter(splitter, "posterior")("der  Mann ") == "((('der',1,1),),(('Mann',1,1),),)"
    assert Lattice(writer("der Mann")).columns == 2 and not Lattice(writer("der Mann")).has_scores


def test_a_compound_is_there_whole_and_split(splitter: CompoundSplitter) -> None:
    plf = LatticeWriter(splitter, threshold=0.0)("die Wintermütze .")
    found = {" ".join(word for word, _ in path): path for path in read_paths(plf)}
    assert {"die Wintermütze .", "die Winter Mütze ."} <= found.keys()
    split = found["die Winter Mütze ."]
    assert sum(value.get("LatticeParts", 0) for _, value in split) == 2
    assert sum(value.get("LatticeParts", 0) for _, value in found["die Wintermütze ."]) == 0
    lattice = Lattice(plf)
    assert lattice.columns == len(ast.literal_eval(plf)) and not lattice.has_scores
    assert sorted(lattice.feature_names) == ["LatticeParts", "LatticePosterior"]


@given(
    COUNTS, st.lists(COMPOUNDS, min_size=1, max_size=2), st.sampled_from([0.0, 0.1, 0.5]), st.integers(0, 5)
)
def test_path_sums_are_log_posteriors_and_the_unsplit_words_are_a_path(
    counts: dict[str, int], words: list[str], threshold: float, limit: int
) -> None:
    splitter = random_splitter(counts)
    sentence = " ".join(words)
    plf = LatticeWriter(splitter, "named", threshold, limit)(sentence)
    paths = list(read_paths(plf))
    sums = [sum(value.get("LatticePosterior", 0.0) for _, value in path) for path in paths]
    assert sum(map(math.exp, sums)) == pytest.approx(1.0, abs=1e-4)
    assert words in [[word for word, _ in path] for path in paths]
    probabilities = list(read_paths(LatticeWriter(splitter, "posterior", threshold, limit)(sentence)))
    assert [math.prod(v for _, v in path) for path in probabilities] == pytest.approx(
        [math.exp(s) for s in sums], rel=1e-4
    )
    Lattice(plf).native  # noqa: B018 - parsing is the check


@given(COUNTS, COMPOUNDS)
def test_without_pruning_path_sums_are_the_splitters_own_probabilities(
    counts: dict[str, int], word: str
) -> None:
    splitter = random_splitter(counts)
    paths = list(read_paths(LatticeWriter(splitter, "named", 0.0, 100_000)(word)))
    found = sorted(
        (tuple(text for text, _ in path), math.exp(sum(v.get("LatticePosterior", 0.0) for _, v in path)))
        for path in paths
    )
    expected = sorted(
        (parts, probability) for probability, parts in splitter.segmentations(word, limit=100_000)
    )
    assert [parts for parts, _ in found] == [parts for parts, _ in expected]
    assert [p for _, p in found] == pytest.approx([p for _, p in expected], rel=1e-3, abs=1e-9)


@given(COUNTS, COMPOUNDS, st.floats(0.01, 0.9), st.integers(1, 3))
def test_pruning_keeps_the_segmentations_that_are_probable(
    counts: dict[str, int], word: str, threshold: float, limit: int
) -> None:
    splitter = random_splitter(counts)
    arcs = splitter.lattice(word, threshold=threshold, limit=limit)
    likely = [
        parts
        for p, parts in splitter.segmentations(word, limit=limit + 1)
        if p >= threshold and len(parts) > 1
    ]
    assert {arc.text for arc in arcs} == {word, *(part for parts in likely[:limit] for part in parts)}


@settings(max_examples=50)
@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp"]), min_size=1),
        max_size=4,
    )
)
def test_any_word_is_read_back_as_it_was(splitter: CompoundSplitter, words: list[str]) -> None:
    sentence = " ".join(words)
    plf = LatticeWriter(splitter)(sentence)
    assert [[word for word, _ in path] for path in read_paths(plf)] == [words]
    assert Lattice(plf).columns == len(words)


@pytest.mark.parametrize("word", ["l'eau", "a\\b", "\\'", '"', "|||", "(',)", "\\\\''"])
def test_quotes_and_backslashes_are_escaped(splitter: CompoundSplitter, word: str) -> None:
    plf = LatticeWriter(splitter)(word)
    assert ast.literal_eval(plf) == (((word, {}, 1),),)
    assert Lattice(plf).columns == 1


@pytest.mark.parametrize("word", ["a\x01b", "\x7f", "a\tb", "*EPS*"])
def test_words_that_no_lattice_can_hold_are_refused_with_their_line(
    splitter: CompoundSplitter, word: str
) -> None:
    with pytest.raises(InputError, match="PLF cannot represent") as caught:
        LatticeWriter(splitter).lattices(["gut", word], first_line=7)
    assert caught.value.line == 8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"values": "postrior"}, "lattices: values cannot be 'postrior'; did you mean 'posterior'"),
        ({"threshold": 1.5}, "lattices: threshold must be at most 1, not 1.5"),
        ({"threshold": math.nan}, "lattices: threshold must be a finite number"),
        ({"limit": -1}, "lattices: limit must be at least 0"),
        ({"limit": 2.5}, "lattices: limit must be a whole number"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    splitter: CompoundSplitter, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        LatticeWriter(splitter, **options)


@pytest.mark.slow
def test_lattices_of_multi30k_are_read_and_unknown_compounds_have_known_parts(shared_data: Path) -> None:
    words = WordCounts.of(Sentences.read(shared_data / "multi30k.train.de.xz"))
    splitter = train_splitter(words)
    with lzma.open(shared_data / "multi30k.test_2016.de.xz", "rt", encoding="utf-8") as stream:
        lines = [line.rstrip("\n") for line in stream]
    for line, plf in zip(lines, LatticeWriter(splitter).lattices(lines), strict=True):
        assert Lattice(plf).columns >= len(line.split())
    unknown = {word for line in lines for word in line.split() if not words.count(word)}
    split = [parts for word in sorted(unknown) if len(parts := splitter.split(word)) > 1]
    assert all(words.count(part) for parts in split for part in parts)
    assert len(split) >= 0.15 * len(unknown)
