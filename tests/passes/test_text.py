"""Texts of passes: pieces of one fold, and errors that name the line of the text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tunesmith.errors import InputError
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.model.jackknife.usable_pairs import PairCounts, UsablePairs
from tunesmith.passes.text import PassText, PieceLines
from tunesmith.texts import Texts


def test_pieces_have_sentences_of_one_fold_in_order() -> None:
    rows, folds = np.array([1, 4, 0, 2, 3, 7, 9]), np.array([-1, -1, 0, 0, 0, 2, 2])
    text = PassText(Path("de"), Path("en"), rows, folds, PairCounts(10, 3, 0, 0, 0), 2)
    found = [(piece.number, piece.fold, piece.rows.tolist()) for piece in text.pieces()]
    assert found == [(0, -1, [1, 4]), (1, 0, [0, 2]), (2, 0, [3]), (3, 2, [7, 9])]


def test_calls_are_summed_and_their_errors_have_the_line_of_the_text() -> None:
    texts = Texts.of(["a", "b b", "c"])
    piece = PieceLines(np.array([7, 3, 9]), texts, texts, "train.de")
    done: list[int] = []
    assert piece.in_calls(2, lambda part: (len(part.rows), 1), done.append) == [3, 2]
    assert done == [2, 3]

    def fail(part: PieceLines) -> tuple[int]:
        if list(part.sources) == ["c"]:
            raise InputError("is bad", line=1)
        return (0,)

    with pytest.raises(InputError, match=r"^train\.de:10: is bad"):
        piece.in_calls(2, fail, done.append)


@pytest.mark.parametrize("jackknife", [None, JackknifeOptions(jackknife=True)])
def test_sides_of_other_text_have_the_same_number_of_lines(
    jackknife: JackknifeOptions | None, small_model: Path, tmp_path: Path
) -> None:
    sides = tmp_path / "de", tmp_path / "en"
    for lines, path in enumerate(sides, 2):
        path.write_text("a\n" * lines)
    with pytest.raises(InputError, match="this line has no partner"):
        PassText.of(small_model, *sides, jackknife, UsablePairs.filled, 3)
