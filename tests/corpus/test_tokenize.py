"""Our tokenizer gives what sacremoses gives, line by line."""

from __future__ import annotations

import functools
import itertools
import lzma
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacremoses import MosesDetokenizer, MosesTokenizer

from tunesmith import _native
from tunesmith.corpus import tokenize as module
from tunesmith.corpus.tokenize import Tokenizer, detokenize
from tunesmith.errors import InputError, OptionError
from tunesmith.texts import Texts

LANGUAGES = ("en", "fr", "it", "de", "cs", "fi", "el", "zh", "xx")

CHARACTERS = (
    "aAzZ09.,'’`\"-–—?!:;()[]{}<>&|@#$%^*_=+~/\\ \t\n\r\x00\x01\x1c\x7f\x85\xa0\u2028\u3000"
    "éÉßİıΣσ中あア한אع١½²€™😀"
)
WORDS = (
    ".. ... DOT MULTI DOTMULTI Dr. No. e.g. etc. p.m. St. U.S.A. bzw. 1,000 1,a a,1 's l' n't it's d' 5's"
    " .' '. ,, '' a-b -- 10.5"
)
PIECES = st.sampled_from([*CHARACTERS, *WORDS.split(" "), "No. 5", "St. ", "bzw. ", " ", " "])
ODD_TEXT = st.one_of(
    st.lists(PIECES, max_size=30).map("".join), st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
)


moses_tokenizer = functools.cache(MosesTokenizer)  # takes a third of a second


def by_sacremoses(line: str, language: str, **options: bool) -> str:
    return " ".join(moses_tokenizer(language).tokenize(line, escape=options.pop("escape", False), **options))


def sample(path: Path, lines: int, step: int = 1) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        return [line.removesuffix("\n") for line in itertools.islice(stream, 0, lines * step, step)]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@given(lines=st.lists(ODD_TEXT, min_size=1, max_size=5))
def test_odd_text_is_tokenized_as_by_sacremoses(language: str, lines: list[str]) -> None:
    expected = [by_sacremoses(line, language) for line in lines]
    assert list(Tokenizer(language, characters="keep").tokenize(lines)) == expected


@given(line=ODD_TEXT, dashes=st.booleans(), escape=st.booleans())
def test_options_are_those_of_sacremoses(line: str, dashes: bool, escape: bool) -> None:
    expected = by_sacremoses(line, "en", aggressive_dash_splits=dashes, escape=escape)
    assert Tokenizer("en", split_dashes=dashes, escape=escape, characters="keep")(line) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "language"),
    [
        ("europarl-fr-en.dev.fr.xz", "fr"),
        ("europarl-fr-en.test.en.xz", "en"),
        ("europarl-de-en.test.de.xz", "de"),
        ("europarl-de-en.dev.en.xz", "en"),
        ("europarl-fr-en.train.fr.xz", "fr"),
        ("europarl-de-en.train.de.xz", "de"),
    ],
)
def test_europarl_is_tokenized_as_by_sacremoses(shared_data: Path, file: str, language: str) -> None:
    lines = sample(shared_data / file, 2500)
    found = Tokenizer(language, characters="keep").tokenize(lines)
    assert list(found) == [by_sacremoses(line, language) for line in lines]


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("part", ["dev", "test"])
def test_moses_own_tokens_differ_only_at_abbreviations_that_end_a_line(
    shared_data: Path, part: str, language: str
) -> None:
    """tokenizer.perl splits the last period of a line from any word; sacremoses keeps abbreviations whole."""
    raw = sample(shared_data / f"europarl-fr-en.{part}.{language}.xz", 2500)
    moses = sample(shared_data / "moses-europarl" / f"{part}.tok.lc.{language}.xz", 2500)
    different = 0
    for ours, theirs in zip(Tokenizer(language, characters="keep").tokenize(raw), moses, strict=True):
        tokens, expected = ours.lower().split(" "), theirs.split()
        if tokens != expected:
            different += 1
            assert tokens[-1].endswith(".") and len(tokens[-1]) > 1
            assert [*tokens[:-1], tokens[-1][:-1], "."] == expected
    assert different <= len(raw) // 500


@pytest.mark.slow
@pytest.mark.parametrize(("language", "step"), [("en", 1), ("zh", 997)])  # its pattern of Han is slow
def test_the_classes_are_those_of_the_patterns_of_sacremoses(language: str, step: int) -> None:
    moses = moses_tokenizer(language)
    codes = np.array([code for code in range(0, 0x110000, step) if not 0xD800 <= code < 0xE000])
    universe = "".join(map(chr, codes.tolist()))
    classes = module._character_classes(moses)
    patterns = {
        _native.CLASS_PADDED: moses.PAD_NOT_ISALNUM[0],
        _native.CLASS_NUMBER: re.compile(f"[{moses.IsN}]"),
        _native.CLASS_ALPHA: re.compile(f"[{moses.IsAlpha}]"),
    }
    for bit, pattern in patterns.items():
        expected = {ord(character) for character in pattern.findall(universe)}
        assert set(codes[(classes[codes] & bit) != 0].tolist()) == expected


def test_threads_do_not_change_the_result() -> None:
    lines = [f"line {number}, it's no. {number} ... e.g. this one." for number in range(3000)]
    tokenizer = Tokenizer("en")
    assert tokenizer.tokenize(lines, threads=1) == tokenizer.tokenize(lines, threads=4)


def test_no_lines_and_long_lines_are_tokenized() -> None:
    assert len(Tokenizer("en").tokenize([])) == 0
    assert Tokenizer("en")("") == ""
    long = "word, " * 10_000
    assert Tokenizer("en")(long) == by_sacremoses(long, "en")


def test_protected_text_stays_whole_by_sacremoses_in_processes() -> None:
    pattern = r"https?://\S+"
    lines = ["see http://a.b/c?d=e, ok.", "no link."] * 600
    tokenizer = Tokenizer("en", protected=(pattern,))
    expected = [
        " ".join(moses_tokenizer("en").tokenize(line, escape=False, protected_patterns=[pattern]))
        for line in lines
    ]
    assert "http://a.b/c?d=e," in expected[0]
    assert list(tokenizer.tokenize(lines, threads=1)) == expected
    assert list(tokenizer.tokenize(lines, threads=2)) == expected


def test_wrong_options_are_refused() -> None:
    for language in ("english", "EN", "", "e"):
        with pytest.raises(OptionError, match="such as 'en'"):
            Tokenizer(language)
    with pytest.raises(OptionError, match="not a regular expression"):
        Tokenizer("en", protected=("(",))


def test_bytes_that_are_not_utf8_are_refused_with_the_line() -> None:
    for damaged in (b"ok\xff", b"ok&amp;\xff"):
        texts = Texts(np.frombuffer(damaged, dtype=np.uint8), np.array([0, 2, len(damaged)]))
        with pytest.raises(InputError, match="not UTF-8") as caught:
            Tokenizer("en").tokenize(texts)
        assert caught.value.line == 2


def test_a_table_that_misses_characters_is_refused() -> None:
    with pytest.raises(InputError, match="expected one per code point"):
        _native.Tokenizer(np.zeros(5, np.uint8), [], [], _native.Apostrophes.ALONE, False, False)


def test_detokenizing_is_that_of_sacremoses() -> None:
    lines = ['Hello , it &apos;s a " test " .', "( yes )", ""]
    joiner = MosesDetokenizer("en")
    assert detokenize(lines, "en") == [joiner.detokenize(line.split(" "), return_str=True) for line in lines]
    assert detokenize(lines, "en")[0] == 'Hello, it\'s a "test".'
