"""Pieces of a sentence that are put together in any order have the sentence's score in sum."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.damaged_containers import sealed, sections
from tests.lm.backoff_models import BackoffModel, backoff_models, texts

from tunesmith import _native
from tunesmith.files import read_lines
from tunesmith.lm import LanguageModel


def piece_of(
    model: LanguageModel, words: list[int], draw: random.Random
) -> tuple[float, _native.LmChartState]:
    """Score words by a random bracketing: a piece is made of words and smaller pieces."""
    piece, inner = _native.LmPiece(model.native), 0.0
    at = 0
    while at < len(words):
        length = draw.randint(0, len(words) - at)
        if length == len(words):  # the whole piece again would never end
            length -= 1
        if length == 0 or draw.random() < 0.3:
            piece.word(words[at])
            at += 1
        else:
            score, state = piece_of(model, words[at : at + length], draw)
            piece.piece(state)
            inner += score
            at += length
    return inner + piece.score, piece.state


def sentence_score(model: LanguageModel, sentence: str, draw: random.Random) -> float:
    words = [model.native.find(word) for word in sentence.split()]
    score, state = piece_of(model, words, draw)
    whole = _native.LmPiece(model.native)
    whole.begin_sentence()
    whole.piece(state)
    whole.word(model.native.sentence_end)
    return score + whole.score


@given(backoff_models(), texts(), st.randoms(use_true_random=False))
def test_any_bracketing_gives_the_score_from_left_to_right(
    drawn: BackoffModel, words: list[str], draw: random.Random
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = drawn.compile(Path(folder))
    sentence = " ".join(words)
    assert sentence_score(model, sentence, draw) == pytest.approx(model.score(sentence), abs=1e-4)


@pytest.mark.slow
def test_any_bracketing_of_real_text_gives_the_score_from_left_to_right(shared_data: Path) -> None:
    model, draw = LanguageModel.open(shared_data / "moses" / "train.5gram.arpa.xz"), random.Random(1)
    for sentence in read_lines(shared_data / "multi30k.val.en.xz")[:200]:
        assert sentence_score(model, sentence, draw) == pytest.approx(model.score(sentence), abs=1e-3)


@given(backoff_models(), texts(1), texts(1), texts(), texts(), st.randoms(use_true_random=False))
def test_pieces_of_equal_states_change_alike_whatever_surrounds_them(
    drawn: BackoffModel,
    one: list[str],
    other: list[str],
    before: list[str],
    after: list[str],
    draw: random.Random,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = drawn.compile(Path(folder))
    changes = {}
    for words in (one, other):
        numbers = [model.native.find(word) for word in words]
        score, state = piece_of(model, numbers, draw)
        again, same = piece_of(model, numbers, draw)
        assert same == state
        assert again == pytest.approx(score, abs=1e-4)
        whole = model.score(" ".join([*before, *words, *after]))
        changes.setdefault(state, []).append(whole - score)
    for found in changes.values():
        assert found == pytest.approx([found[0]] * len(found), abs=1e-4)


def test_an_empty_piece_changes_nothing(tmp_path: Path) -> None:
    model = BackoffModel(
        2, {("<s>",): (-1, -0.5), ("</s>",): (-1, 0), ("<unk>",): (-2, 0), ("<s>", "</s>"): (-0.3, 0)}
    )
    opened = model.compile(tmp_path)
    empty = _native.LmPiece(opened.native)
    piece = _native.LmPiece(opened.native)
    piece.begin_sentence()
    before = piece.state
    piece.piece(empty.state)
    assert piece.state == before
    assert piece.score == 0


DAMAGED = """
import itertools, sys
from tunesmith import _native

model = _native.NgramLm(sys.argv[1], False)
words = [model.find(f"w{i}") for i in range(12)]
states = []
for start in range(len(words)):
    for length in (1, 3, 12):
        piece = _native.LmPiece(model)
        for word in (words[start:] + words[:start])[:length]:
            piece.word(word)
            assert len(piece.state.left) <= 6 and len(piece.state.right) <= 6, len(piece.state.left)
        states.append(piece.state)
for first, second in itertools.product(states, states):
    joined = _native.LmPiece(model)
    joined.piece(first)
    joined.piece(second)
    joined.piece(first)
    assert len(joined.state.left) <= 6 and len(joined.state.right) <= 6, len(joined.state.left)
print("whole")
"""


@pytest.mark.process
def test_a_damaged_model_of_the_highest_order_makes_no_state_too_long(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(12)]
    ring = words + words
    ngrams = {(mark,): (-1.0, 0.0) for mark in ("<s>", "</s>", "<unk>")}
    ngrams |= {tuple(ring[i : i + n]): (-0.5, -0.25) for n in range(1, 8) for i in range(12)}
    BackoffModel(7, ngrams).compile(tmp_path)
    path = tmp_path / "model.bin"
    whole = path.read_bytes()
    damaged = bytearray(whole)
    highest = sections(whole)["order.7"]
    for line, slot in itertools.product(highest[::64], range(5)):
        damaged[line + 40 + 4 * slot + 3] ^= 0x80  # the sign says that longer n-grams follow
    path.write_bytes(sealed(bytes(damaged), whole))
    command = [sys.executable, "-c", DAMAGED, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "whole\n"), done.stderr
