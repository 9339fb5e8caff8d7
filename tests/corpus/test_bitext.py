"""Parallel text has as many lines on both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.corpus import Bitext, Sentences
from tunesmith.errors import InputError


@pytest.mark.parametrize(("left", "right", "longer"), [(3, 1, "source"), (1, 4, "target")])
def test_the_first_line_without_partner_is_named(tmp_path: Path, left: int, right: int, longer: str) -> None:
    (tmp_path / "source").write_text("a\n" * left)
    (tmp_path / "target").write_text("b\n" * right)
    with pytest.raises(InputError, match="no partner") as caught:
        Bitext.read(tmp_path / "source", tmp_path / "target")
    assert caught.value.line == 2
    assert caught.value.path == tmp_path / longer
    assert f"has {left} lines" in str(caught.value)
    assert f"has {right}" in str(caught.value)


def test_sides_have_their_own_vocabularies(tmp_path: Path) -> None:
    (tmp_path / "source").write_text("a b\n\nc\n")
    (tmp_path / "target").write_text("x\ny\nx y\n")
    bitext = Bitext.read(tmp_path / "source", tmp_path / "target")
    assert len(bitext) == 3
    assert list(bitext.source.vocabulary.words()) == ["a", "b", "c"]
    assert list(bitext.target.vocabulary.words()) == ["x", "y"]
    assert bitext.reversed().source is bitext.target
    taken = bitext.take([2, 0])
    assert [taken.source.text(0), taken.target.text(0), taken.source.text(1)] == ["c", "x y", "a b"]


def test_sides_of_different_lengths_are_refused() -> None:
    with pytest.raises(InputError, match="the source has 1 lines, the target has 2"):
        Bitext(Sentences.of(["a"]), Sentences.of(["b", "c"]))
