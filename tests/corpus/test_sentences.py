"""Tokenized text as word numbers."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith import _native
from tunesmith.corpus import Sentences, Vocabulary
from tunesmith.errors import InputError

LINES = st.lists(st.text("ab éü中\t\u00a0", max_size=12), min_size=1, max_size=10)


@given(LINES)
def test_tokens_are_between_ascii_spaces_only(lines: list[str]) -> None:
    sentences = Sentences.of(lines)
    expected = [[token for token in line.split(" ") if token] for line in lines]
    assert [[sentences.vocabulary[int(w)] for w in row] for row in sentences] == expected
    assert sentences.lengths.tolist() == [len(tokens) for tokens in expected]
    assert [sentences.text(row) for row in range(len(lines))] == [" ".join(tokens) for tokens in expected]


@given(LINES, st.integers(0, 60))
def test_chunks_may_be_cut_anywhere(lines: list[str], cut: int) -> None:
    data = ("\n".join(lines) + "\n").encode()
    vocabulary = _native.Vocabulary()
    parser = _native.SentenceParser(vocabulary, True)
    parser.feed(data[:cut])
    parser.feed(data[cut:])
    words, offsets = parser.finish()
    expected = Sentences.of(lines)
    assert words.tolist() == expected.words.tolist()
    assert offsets.tolist() == expected.offsets.tolist()


def test_files_are_read_with_dos_line_ends_a_mark_and_compression(tmp_path: Path) -> None:
    (tmp_path / "text.gz").write_bytes(gzip.compress(b"\xef\xbb\xbfa b\r\n\r\nb  a"))
    sentences = Sentences.read(tmp_path / "text.gz")
    assert [row.tolist() for row in sentences] == [[0, 1], [], [1, 0]]


def test_a_fixed_vocabulary_does_not_grow() -> None:
    vocabulary = Vocabulary(["a"])
    sentences = Sentences.of(["a b a"], vocabulary, grow=False)
    assert sentences[0].tolist() == [0, -1, 0]
    assert len(vocabulary) == 1


def test_two_texts_may_share_a_vocabulary() -> None:
    vocabulary = Vocabulary()
    assert Sentences.of(["a b"], vocabulary)[0].tolist() == [0, 1]
    assert Sentences.of(["c b"], vocabulary)[0].tolist() == [2, 1]


def test_bad_bytes_are_refused_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"ok\nb\xe4d\n")
    with pytest.raises(InputError, match=r"bad:2: not UTF-8") as caught:
        Sentences.read(tmp_path / "bad")
    assert caught.value.line == 2
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(InputError, match="empty"):
        Sentences.read(tmp_path / "empty")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"a b\n" * 99)[:-3])
    with pytest.raises(InputError, match="truncated"):
        Sentences.read(tmp_path / "cut.gz")


def test_no_lines_are_no_sentences_and_a_line_end_is_refused() -> None:
    assert len(Sentences.of([])) == 0
    with pytest.raises(InputError, match="line end"):
        Sentences.of(["a", "b\nc"])


def test_arrays_that_do_not_fit_are_refused() -> None:
    vocabulary = Vocabulary(["a", "b"])
    for words, offsets in (
        ([0, 2], [0, 2]),  # a word that the vocabulary does not have
        ([0, -2], [0, 2]),
        ([0, 1], [0, 3]),
        ([0, 1], [0, 2, 1]),
        ([0, 1], [1, 2]),
        ([0, 1], []),
    ):
        with pytest.raises(InputError):
            Sentences(np.array(words, np.int32), np.array(offsets, np.int64), vocabulary)


def test_sentences_are_read_only_and_indexed_from_both_ends() -> None:
    sentences = Sentences.of(["a", "b c"])
    with pytest.raises(ValueError, match="read-only"):
        sentences.words[0] = 1
    assert sentences[-1].tolist() == [1, 2]
    with pytest.raises(IndexError):
        sentences[2]


@given(LINES, st.data())
def test_rows_are_taken_in_any_order(lines: list[str], data: st.DataObject) -> None:
    sentences = Sentences.of(lines)
    rows = data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=12))
    taken = sentences.take(rows)
    assert [row.tolist() for row in taken] == [sentences[row].tolist() for row in rows]


def test_a_line_of_ten_thousand_words_is_one_sentence() -> None:
    sentences = Sentences.of(["w " * 10_000, "w"])
    assert sentences.lengths.tolist() == [10_000, 1]
    assert len(sentences.vocabulary) == 1


def test_an_empty_vocabulary_is_kept_where_there_are_no_lines() -> None:
    vocabulary = Vocabulary()
    assert Sentences.of([], vocabulary).vocabulary is vocabulary


def test_a_string_and_lone_surrogates_are_refused() -> None:
    with pytest.raises(InputError, match="expected a list of sentences"):
        Sentences.of("a b")
    with pytest.raises(InputError, match="lone surrogate"):
        Sentences.of(["a \ud800"])


def test_masks_take_and_rows_that_are_not_there_are_refused() -> None:
    sentences = Sentences.of(["a", "b", "c"])
    assert [row.tolist() for row in sentences.take(np.array([True, False, True]))] == [[0], [2]]
    for rows in ([3], [-1], [0.5], [True], [[0]]):
        with pytest.raises(InputError):
            sentences.take(rows)
