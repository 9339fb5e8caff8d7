"""Phrase pairs as Moses' `extract` writes them, by brute force: scored, they are our own table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.extract.collected import Row, bitext_of, collect
from tests.extract.reference import LEFT, MONOTONE, RIGHT, SWAP, Pair, extract
from tests.extract.test_instance_weights import random_pairs

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.extract import (
    Lexicon,
    ReorderingSpec,
    count_phrases,
    read_moses_extract,
    read_moses_lexicon,
)

NAMES = {MONOTONE: "mono", SWAP: "swap", LEFT: "dleft", RIGHT: "dright"}
MODELS = (
    "wbe-mslr-bidirectional-fe",
    "wbe-msd-backward-f",
    "phrase-mslr-bidirectional-fe",
    "hier-mslr-bidirectional-fe",
    "hier-leftright-forward-f",
    "hier-monotonicity-bidirectional-fe",
)
LENGTH = 5


def moses_lines(
    pairs: list[Pair], weights: list[str] | None = None, names: dict[int, str] = NAMES
) -> tuple[list[str], list[str]]:
    """Return the lines of `extract` and of `extract.o`."""
    plain, oriented = [], []
    for number, pair in enumerate(pairs):
        more = "" if weights is None else f" ||| {weights[number]}"
        for span, classes in extract(pair, LENGTH).items():
            words = [" ".join(pair.source[span.sb : span.se]), " ".join(pair.target[span.tb : span.te])]
            inside = [(i, j) for i, j in pair.links if span.sb <= i < span.se]
            links = " ".join(
                f"{i - span.sb}-{j - span.tb}" for i, j in sorted(inside, key=lambda link: link[::-1])
            )
            wbe, phrase, hier = (
                " ".join(names[each] for each in two) for two in (classes[:2], classes[2:4], classes[6:])
            )
            plain.append(f"{words[0]} ||| {words[1]} ||| {links}{more}")
            oriented.append(f"{words[0]} ||| {words[1]} ||| {wbe} | {phrase} | {hier}{more}")
    return plain, oriented


def write(folder: Path, lines: list[str], name: str) -> Path:
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines))
    return path


def scored(folder: Path, extract: Path, orientations: Path | None, lexicon: Any, **options: Any) -> Any:
    found = read_moses_extract(extract, orientations)
    found.check(ReorderingSpec.listed(options.get("reordering", ())))
    counts = count_phrases(
        found.bitext,
        found.alignments,
        path=folder / "extracted",
        max_length=LENGTH,
        weights=found.weights,
        orientations=found.orientations,
    )
    return collect(counts, lexicon, **options)


def own(pairs: list[Pair], folder: Path, weights: Any = None, **options: Any) -> dict[tuple[str, str], Row]:
    bitext, alignments = bitext_of(pairs)
    counts = count_phrases(bitext, alignments, path=folder / "own", max_length=LENGTH, weights=weights)
    return collect(counts, Lexicon.estimate(bitext, alignments, weights=weights), **options)


@pytest.mark.parametrize("order", ["as extracted", "sorted"])
@pytest.mark.parametrize("smoothing", [None, "good-turing"])
def test_the_table_is_that_of_our_own_extraction(order: str, smoothing: str | None, tmp_path: Path) -> None:
    pairs = random_pairs(11)
    lines, oriented = moses_lines(pairs)
    if order == "sorted":
        lines, oriented = sorted(lines), sorted(oriented)
    files = write(tmp_path, lines, "extract"), write(tmp_path, oriented, "extract.o")
    options: Any = {"smoothing": smoothing, "reordering": MODELS}
    found = scored(tmp_path, *files, Lexicon.estimate(*bitext_of(pairs)), **options)
    assert found == own(pairs, tmp_path, **options)


def test_weights_of_lines_are_weights_of_their_sentence_pairs(tmp_path: Path) -> None:
    pairs = random_pairs(12)
    weights = [str([0.5, 1, 2.25][i % 3]) for i in range(len(pairs))]
    lines, oriented = moses_lines(pairs, weights)
    numbers = [float(weight) for weight in weights]
    files = write(tmp_path, lines, "extract"), write(tmp_path, oriented, "extract.o")
    lexicon = Lexicon.estimate(*bitext_of(pairs), weights=numbers)
    found = scored(tmp_path, *files, lexicon, reordering=MODELS)
    assert found == own(pairs, tmp_path, numbers, reordering=MODELS)


def test_a_lexicon_read_from_moses_files_gives_the_same_weights(tmp_path: Path) -> None:
    pairs = random_pairs(13)
    lexicon = Lexicon.estimate(*bitext_of(pairs))
    lexicon.write_moses(tmp_path / "lex")
    extracted = write(tmp_path, moses_lines(pairs)[0], "extract")
    found = scored(tmp_path, extracted, None, read_moses_lexicon(tmp_path / "lex"), reordering=())
    assert found == own(pairs, tmp_path, reordering=())


def test_pairs_that_moses_lexicon_lacks_count_with_probability_one(tmp_path: Path) -> None:
    (tmp_path / "lex.e2f").write_text("das the 0.5\nhaus house 0.25\nNULL house 1\n")
    (tmp_path / "lex.f2e").write_text("the das 0.5\n")
    with pytest.warns(TunesmithWarning, match=r"lex: 2 word pairs are in one of the files .* 'NULL' 'house'"):
        lexicon = read_moses_lexicon(tmp_path / "lex")
    assert lexicon.pairs["haus", "house"] == (0.25, 1.0)
    bitext = Bitext(Sentences.of(["das haus klein"]), Sentences.of(["the house small"]))
    with pytest.warns(TunesmithWarning) as said:
        lexicon.warn_of_missing(bitext, Alignments.of([[(0, 0), (1, 1), (2, 2)]]))
    assert str(said[0].message) == (
        "1 of 3 linked word pairs of the text are not in the lexicon, such as 'klein' 'small'; each counts"
        " with probability 1, as in Moses"
    )


def test_coarse_orientations_score_coarse_models_only(tmp_path: Path) -> None:
    pairs = random_pairs(14)
    coarse = {MONOTONE: "mono", SWAP: "swap", LEFT: "other", RIGHT: "other"}
    lines, oriented = moses_lines(pairs, names=coarse)
    files = write(tmp_path, lines, "extract"), write(tmp_path, oriented, "extract.o")
    models = ("wbe-msd-bidirectional-fe", "hier-msd-backward-f", "phrase-monotonicity-forward-fe")
    lexicon = Lexicon.estimate(*bitext_of(pairs))
    assert scored(tmp_path, *files, lexicon, reordering=models) == own(pairs, tmp_path, reordering=models)
    with pytest.raises(OptionError, match=r"does not distinguish the classes of wbe-mslr.*msd, monotonicity"):
        scored(tmp_path, *files, lexicon, reordering=("wbe-mslr-bidirectional-fe",))
    words = [line.split(" | ")[0] for line in oriented]  # as Moses writes the word model alone
    files = files[0], write(tmp_path, words, "extract.o")
    scored(tmp_path, *files, lexicon, reordering=models[:1])
    with pytest.raises(OptionError, match="needs orientations of 'hier'; the file has wbe"):
        scored(tmp_path, *files, lexicon, reordering=models[1:2])


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "has no phrase pairs"),
        ("a ||| b ||| 0-0\na ||| b\n", 2, "expected 'source .* target .* links'"),
        ("a ||| b ||| 0_0\n", 1, "expected links such as 0-1, found '0_0'"),
        ("a ||| b ||| 0-1\n", 1, "0-1"),
        ("a ||| b ||| 0-0 ||| 1\na ||| b ||| 0-0\n", 2, "a weight on every line or on none"),
        ("a ||| b ||| 0-0 ||| x\n", 1, "expected a weight, found 'x'"),
    ],
)
def test_what_is_no_extract_file_is_refused_with_its_line(
    text: str, line: int | None, message: str, tmp_path: Path
) -> None:
    (tmp_path / "extract").write_text(text)
    with pytest.raises(InputError, match=message) as raised:
        read_moses_extract(tmp_path / "extract")
    assert (raised.value.line, str(raised.value.path)) == (line, str(tmp_path / "extract"))


def test_orientations_of_other_phrase_pairs_are_refused_with_their_line(tmp_path: Path) -> None:
    extracted = write(tmp_path, ["a ||| b ||| 0-0", "c ||| d ||| 0-0"], "extract")
    for lines, line, message in (
        (["a ||| b ||| mono mono", "c ||| x ||| mono mono"], 2, r"here 'c \|\|\| d', found 'c \|\|\| x'"),
        (["a ||| b ||| mono mono"], 2, "found 'the end of the file'; sort both files alike"),
        (["a ||| b ||| mono mono"] * 3, 2, "expected the phrase pairs of"),
        (["a ||| b ||| mono", "c ||| d ||| mono mono"], 1, "expected two orientations such as 'mono swap'"),
        (["a ||| b ||| mono up", "c ||| d ||| mono mono"], 1, "found 'mono up'"),
    ):
        with pytest.raises(InputError, match=message) as raised:
            read_moses_extract(extracted, write(tmp_path, lines, "extract.o"))
        assert raised.value.line == line


def test_phrases_that_are_too_long_are_refused_with_their_line(tmp_path: Path) -> None:
    path = write(tmp_path, ["a ||| b ||| 0-0", "a b c d e f ||| g ||| 0-0"], "extract")
    with pytest.raises(InputError, match="a phrase pair of 6 and 1 words; expected from 1 to 5") as raised:
        scored(tmp_path, path, None, Lexicon.estimate(*bitext_of(random_pairs(1))), reordering=())
    assert raised.value.line == 2
