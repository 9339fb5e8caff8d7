"""The index: where patterns occur, what its file withstands."""

from __future__ import annotations

import itertools
import pickle
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.damaged_containers import sealed, sections
from tests.extract.aligned_texts import AlignedText, aligned_texts, generated_text

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.suffix_array import SuffixIndex


def scanned(lines: list[str], pieces: list[list[str]], max_span: int) -> list[tuple[int, ...]]:
    """Try every choice of positions in every line."""
    rows = []
    for number, line in enumerate(lines):
        words = line.split()
        for places in itertools.combinations(range(len(words)), len(pieces)):
            ends = [place + len(piece) for place, piece in zip(places, pieces, strict=True)]
            fits = all(
                words[place : place + len(piece)] == piece
                for place, piece in zip(places, pieces, strict=True)
            )
            apart = all(end + 1 <= place for end, place in zip(ends, places[1:], strict=False))
            if fits and apart and ends[-1] - places[0] <= max_span:
                rows.append((number, *places))
    return rows


chunks = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3)


@pytest.mark.slow
@settings(max_examples=150)
@given(aligned_texts(), st.lists(chunks, min_size=1, max_size=3), st.integers(1, 9))
def test_patterns_are_found_where_a_scan_of_all_lines_finds_them(
    text: AlignedText, pieces: list[list[str]], max_span: int
) -> None:
    pattern = " [X] ".join(" ".join(piece) for piece in pieces)
    found = text.index().occurrences(pattern, max_span=max_span)
    assert [tuple(row) for row in found.tolist()] == scanned(text.source, pieces, max_span)


@pytest.mark.parametrize("pattern", ["der", "der [X] .", "der [X] , [X] .", "ein [X] die [X] ."])
def test_patterns_of_real_sentence_lengths_are_found_too(pattern: str) -> None:
    text = generated_text(300)
    pieces = [piece.split() for piece in pattern.split("[X]")]
    found = text.index().occurrences(pattern, max_span=15)
    assert len(found) > 0
    assert [tuple(row) for row in found.tolist()] == scanned(text.source, pieces, 15)


def test_a_sample_is_part_of_all_and_as_large_as_asked_for() -> None:
    index = generated_text(300).index()
    whole = {tuple(row) for row in index.occurrences("der [X] .").tolist()}
    sample = {tuple(row) for row in index.occurrences("der [X] .", samples=10).tolist()}
    assert len(sample) == 10 < len(whole)
    assert sample < whole


def test_samples_are_spread_evenly_over_the_text() -> None:
    lines = ["a b"] * 3000
    index = AlignedText(lines, lines, [[(0, 0)]] * 3000).index()
    thirds = np.bincount(index.occurrences("a", samples=600)[:, 0] // 1000, minlength=3)
    assert thirds.sum() == 600
    assert thirds.min() > 140  # 200 expected; four standard deviations


@pytest.mark.parametrize("pattern", ["", "[X] a", "a [X]", "a [X] [X] b", "a [X] b [X] a [X] b"])
def test_patterns_that_are_none_are_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="expected words"):
        generated_text(5).index().occurrences(pattern)


def test_unknown_words_occur_nowhere() -> None:
    index = generated_text(5).index()
    assert len(index.occurrences("xyzzy")) == 0
    assert len(index.occurrences("der xyzzy [X] .")) == 0


def test_building_does_not_depend_on_threads(tmp_path: Path) -> None:
    text = generated_text(200)
    for threads in (1, 3):
        SuffixIndex.build(text.bitext, text.alignments, tmp_path / f"{threads}.suffix", threads=threads)
    assert (tmp_path / "1.suffix").read_bytes() == (tmp_path / "3.suffix").read_bytes()


def test_an_index_is_opened_again_and_verified(tmp_path: Path) -> None:
    built = generated_text(20).index(tmp_path)
    opened = SuffixIndex.open(tmp_path / "text.suffix", verify=True)
    assert len(opened) == len(built) == 20
    assert opened.both_sides


def test_a_long_line_of_one_word_is_sorted_in_time() -> None:
    lines = ["a " * 9_999 + "a"] * 3
    index = AlignedText(lines, lines, [[(0, 0)]] * 3).index()
    assert len(index.occurrences("a")) == 30_000
    assert len(index.occurrences(" ".join("a" * 31), max_span=31)) == 3 * (10_000 - 30)


def test_any_script_can_be_indexed() -> None:
    lines = ["犬 が 走る", "الكلب يجري", "a ||| [X,1] \x01"]
    index = AlignedText(lines, lines, [[(0, 0), (1, 1)]] * 3).index()
    assert index.occurrences("犬").tolist() == [[0, 0]]
    assert index.occurrences("الكلب يجري").tolist() == [[1, 0]]


def test_files_that_are_no_index_are_refused(tmp_path: Path) -> None:
    generated_text(20).index(tmp_path)
    whole = (tmp_path / "text.suffix").read_bytes()
    for name, content in {
        "short": whole[: len(whole) // 2],
        "foreign": b"not an index" * 20,
        "empty": b"",
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=r"Tunesmith binary file|truncated"):
            SuffixIndex.open(tmp_path / name)
    with pytest.raises(InputError, match="no such file"):
        SuffixIndex.open(tmp_path / "missing")
    damaged = bytearray(whole)
    damaged[len(damaged) // 2] ^= 0xFF
    (tmp_path / "damaged").write_bytes(bytes(damaged))
    with pytest.raises(InputError, match="damaged"):
        SuffixIndex.open(tmp_path / "damaged", verify=True)


SECTIONS = [
    "links",
    "links.offsets",
    "lexicon",
    "source.text",
    "source.starts",
    "source.suffixes",
    "source.first",
    "source.spans",
    "source.vocabulary.blob",
    "source.vocabulary.offsets",
    "source.vocabulary.slots",
    "target.text",
    "target.starts",
    "target.suffixes",
    "target.first",
    "target.spans",
    "target.vocabulary.blob",
    "target.vocabulary.offsets",
    "target.vocabulary.slots",
]


USE_DAMAGED = """
import sys
from pathlib import Path
from tunesmith.errors import InputError
from tunesmith.extract.suffix_array import GrammarOptions, SuffixIndex
for path in sorted(Path(sys.argv[1]).glob("*.damaged")):
    try:
        index = SuffixIndex.open(path)
        index.occurrences("der [X] .")
        for grammar in index.grammars(sys.argv[2:], GrammarOptions(samples=0, target_samples=0), threads=1):
            grammar.lines("cdec"), grammar.lines("moses"), list(grammar)
        print(path.name, "usable")
    except InputError as error:
        print(path.name, "refused")
"""


@pytest.mark.process
def test_a_damaged_index_is_an_error_or_usable_and_never_a_crash(tmp_path: Path) -> None:
    text = generated_text(20)
    text.index(tmp_path)
    whole = (tmp_path / "text.suffix").read_bytes()
    random = np.random.default_rng(1)
    count = 0
    for name in SECTIONS:
        section = sections(whole)[name]
        places = random.choice(section, size=min(len(section), 4), replace=False)
        for place, bit in itertools.product(sorted(places.tolist()), (0, 7)):
            content = bytearray(whole)
            content[place] ^= 1 << bit
            (tmp_path / f"{count}.damaged").write_bytes(sealed(bytes(content), whole))
            count += 1
    done = subprocess.run(
        [sys.executable, "-c", USE_DAMAGED, str(tmp_path), text.source[0], text.source[5]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stdout[-200:], done.stderr[-2000:])
    outcomes = [line.split()[1] for line in done.stdout.splitlines()]
    assert len(outcomes) == count > 100
    assert set(outcomes) == {"usable", "refused"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("source.text", 1 << 20),
        ("target.text", -7),
        ("source.suffixes", -1),
        ("target.suffixes", 1 << 30),
        ("links", 100),
        ("links", -1),
        ("lexicon", -1),  # not a number
        ("target.vocabulary.blob", -1),  # not UTF-8
    ],
)
def test_a_number_that_cannot_be_is_seen_when_an_index_is_opened(
    tmp_path: Path, name: str, value: int
) -> None:
    generated_text(20).index(tmp_path)
    whole = (tmp_path / "text.suffix").read_bytes()
    content = bytearray(whole)
    struct.pack_into("<4i", content, sections(whole)[name].start, *[value] * 4)
    (tmp_path / "damaged").write_bytes(sealed(bytes(content), whole))
    with pytest.raises(InputError, match="damaged"):
        SuffixIndex.open(tmp_path / "damaged")


def test_suffixes_that_are_out_of_order_are_seen_when_they_are_used(tmp_path: Path) -> None:
    generated_text(20).index(tmp_path)
    whole = (tmp_path / "text.suffix").read_bytes()
    content, section = bytearray(whole), sections(whole)["source.suffixes"]
    inside = slice(section.start, section.stop)
    content[inside] = np.frombuffer(content[inside], dtype=np.uint32)[::-1].tobytes()
    (tmp_path / "turned").write_bytes(sealed(bytes(content), whole))
    with pytest.raises(InputError, match="damaged"):
        SuffixIndex.open(tmp_path / "turned").occurrences("der")


def test_an_index_is_pickled_by_its_path(tmp_path: Path) -> None:
    index = generated_text(20).index(tmp_path)
    copy = pickle.loads(pickle.dumps(index))
    assert copy.occurrences("der").tolist() == index.occurrences("der").tolist() != []


def test_only_blanks_part_words_and_only_whole_tokens_are_gaps() -> None:
    lines = ["a\u00a0b c a[X]b", "x\u3000y z"]
    index = AlignedText(lines, lines, [[(0, 0)]] * 2).index()
    assert index.occurrences("a\u00a0b").tolist() == [[0, 0]]
    assert index.occurrences("c a[X]b").tolist() == [[0, 1]]
    assert index.occurrences("x\u3000y z").tolist() == [[1, 0]]


@pytest.mark.parametrize("options", [{"samples": -1}, {"samples": 2**70}, {"max_span": 2**40}])
def test_numbers_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(OptionError, match="must be at"):
        generated_text(5).index().occurrences("der", **options)


def test_sides_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    bitext = Bitext(Sentences.of(["a b"]), Sentences.of(["A"]))
    with pytest.raises(InputError, match="expected as many"):
        SuffixIndex.build(bitext, Alignments.of([[], []]), tmp_path / "x")
    with pytest.raises(InputError, match="tokenized differently"):
        SuffixIndex.build(bitext, Alignments.of([[(0, 1)]]), tmp_path / "x")
    nothing = Bitext(Sentences.of([]), Sentences.of([]))
    with pytest.raises(InputError, match="no sentence pairs"):
        SuffixIndex.build(nothing, Alignments.of([]), tmp_path / "x")
    with pytest.raises(InputError, match="folder does not exist"):
        SuffixIndex.build(bitext, Alignments.of([[]]), tmp_path / "no" / "x")
    assert list(tmp_path.iterdir()) == []
