"""What a trained splitter does with words and text, and its file."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from tests.corpus.compound_words import COMPOUNDS, COUNTS, OPTIONS, random_splitter

from tunesmith.container import write_container
from tunesmith.corpus.compounds import (
    CompoundOptions,
    CompoundSplitter,
    WordCounts,
    open_splitter,
    save_splitter,
    train_splitter,
)
from tunesmith.corpus.compounds.features import feature_names
from tunesmith.errors import InputError, OptionError
from tunesmith.generated import generate


@pytest.fixture(scope="module")
def generated() -> CompoundSplitter:
    return train_splitter(WordCounts.of(pair.source for pair in generate(1000, seed=1, lowercase=True)))


def test_an_unknown_compound_becomes_its_known_parts(splitter: CompoundSplitter) -> None:
    assert splitter.split("Winteramt") == ("Winter", "Amt")
    assert splitter.split("Arbeitsamt") == ("Arbeit", "Amt")
    assert splitter.split("Winterpalast") == ("Winterpalast",)


def test_a_known_compound_is_split_if_its_parts_are_more_frequent(splitter: CompoundSplitter) -> None:
    for method in ("log-linear", "frequency"):
        assert splitter.split("Wintermütze", method) == ("Winter", "Mütze")


def test_parts_take_their_usual_case_and_words_keep_theirs(splitter: CompoundSplitter) -> None:
    assert splitter.segment(["die WINTERMÜTZE IST", "  Das  winteramt "])[:] == [
        "die Winter Mütze IST",
        "Das Winter Amt",
    ]


def test_compounds_of_the_generated_corpus_are_split(generated: CompoundSplitter) -> None:
    for word, parts in {
        "gartenstuhl": ("garten", "stuhl"),
        "kindergeschichte": ("kinder", "geschichte"),
        "stadtpark": ("stadt", "park"),
        "kinderzimmer": ("kinder", "zimmer"),
    }.items():
        assert generated.split(word) == parts


def test_lines_stay_lines(generated: CompoundSplitter) -> None:
    lines = ["", "a ||| b", "x" * 5000, "gartenstuhl " * 3000, "\x01 \u200f"]
    found = generated.segment(lines)
    assert len(found) == len(lines) and found[0] == "" and found[1] == "a ||| b" and found[2] == lines[2]
    assert found[3].split() == ["garten", "stuhl"] * 3000


@given(COUNTS, COMPOUNDS)
def test_probabilities_of_all_segmentations_sum_to_one(counts: dict[str, int], word: str) -> None:
    found = random_splitter(counts).segmentations(word, limit=100_000)
    assert sum(probability for probability, _ in found) == pytest.approx(1.0)
    assert all(a >= b * (1 - 1e-9) for (a, _), (b, _) in itertools.pairwise(found))


@given(COUNTS, COMPOUNDS)
def test_the_frequency_method_takes_the_highest_geometric_mean(counts: dict[str, int], word: str) -> None:
    splitter = random_splitter(counts)

    def mean(parts: tuple[str, ...]) -> float:
        return math.prod(counts.get(part, 0.5) for part in parts) ** (1 / len(parts))

    every = [parts for _, parts in splitter.segmentations(word, limit=100_000)]
    few = [parts for parts in every if len(parts) <= OPTIONS.max_parts]
    assert mean(splitter.split(word, "frequency")) == pytest.approx(max(map(mean, few)))


def test_an_unknown_method_is_refused(splitter: CompoundSplitter) -> None:
    with pytest.raises(OptionError, match="did you mean 'frequency'"):
        splitter.split("Wintermütze", "frequncy")


def test_weights_that_do_not_fit_are_refused(splitter: CompoundSplitter) -> None:
    with pytest.raises(InputError, match="do not fit the features: Part"):
        replace(splitter, weights={k: v for k, v in splitter.weights.items() if k != "Part"})
    with pytest.raises(InputError, match="not finite"):
        replace(splitter, weights={**splitter.weights, "Part": math.nan})
    with pytest.raises(InputError, match="1 supports"):
        replace(splitter, supports=np.zeros(1))


def test_a_file_gives_the_same_splitter_and_the_same_bytes(
    splitter: CompoundSplitter, tmp_path: Path
) -> None:
    first, second = tmp_path / "a.bin", tmp_path / "b.bin"
    save_splitter(splitter, first)
    opened = open_splitter(first, verify=True)
    save_splitter(opened, second)
    assert first.read_bytes() == second.read_bytes()
    assert (opened.options, opened.weights, opened.words.forms) == (
        splitter.options,
        splitter.weights,
        splitter.words.forms,
    )
    assert opened.segmentations("Wintermütze") == splitter.segmentations("Wintermütze")


def test_files_that_are_foreign_truncated_or_damaged_are_refused(
    splitter: CompoundSplitter, tmp_path: Path
) -> None:
    path = tmp_path / "a.bin"
    with pytest.raises(InputError, match="no such file"):
        open_splitter(path)
    save_splitter(splitter, path)
    data = path.read_bytes()
    for size in range(0, len(data), 97):
        path.write_bytes(data[:size])
        with pytest.raises(InputError):
            open_splitter(path, verify=True)
    path.write_bytes(b"the cat sat on the mat\n" * 100)
    with pytest.raises(InputError):
        open_splitter(path)
    write_container(path, "compound", 1, {"counts": np.zeros(0, dtype=np.int64)}, {})
    with pytest.raises(InputError, match="damaged"):
        open_splitter(path)


@pytest.mark.parametrize(
    "change",
    [
        {"counts": np.array([-5, 1])},
        {"counts": np.array([1])},
        {"supports": np.zeros(7)},
        {"forms.offsets": np.array([0, 1, 99])},
        {"forms.blob": np.frombuffer(b"\xff\xfe", dtype=np.uint8)},
    ],
    ids=["negative", "few", "supports", "offsets", "not utf-8"],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, np.ndarray], tmp_path: Path) -> None:
    options = {"linkers": "generic"}
    weights = dict.fromkeys(feature_names(CompoundOptions(**options).linker_list), 0.0)
    arrays = {
        "forms.blob": np.frombuffer(b"ab", dtype=np.uint8),
        "forms.offsets": np.array([0, 1, 2]),
        "counts": np.array([1, 1]),
        "supports": np.zeros(2),
    }
    path = tmp_path / "a.bin"
    write_container(path, "compound", 1, arrays, {"options": options, "weights": weights})
    assert open_splitter(path).words.forms == ("a", "b")
    write_container(path, "compound", 1, arrays | change, {"options": options, "weights": weights})
    with pytest.raises(InputError, match=r"a\.bin"):
        open_splitter(path)
