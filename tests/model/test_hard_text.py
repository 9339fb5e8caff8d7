"""Text that is hard to train on gives a right model or a clear error, for every kind of model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.errors import IgnoredInputWarning, InputError
from tunesmith.model import Model, train
from tunesmith.model.kinds import KINDS

HARD = {
    "one pair": [("a", "b")],
    "a vocabulary of one": [("x", "x"), ("x x", "x x"), ("x x x", "x")],
    "empty lines": [("a b", "c d"), ("", ""), ("a", ""), ("", "c"), ("b a", "d c")],
    "control characters": [("a\x07 b\x00", "c\td"), ("a\u2028b c", "d\x0be f"), ("a\x85b", "c")],
    "no-break spaces": [("a\u00a0b c", "d"), ("a\u3000b", "c")],
    "right to left": [("שלום עולם", "مرحبا بالعالم"), ("עולם שלום !", "العالم !")],
    "Chinese and Japanese": [("我 喜欢 猫", "私 は 猫 が 好き"), ("猫 喜欢 我", "猫 は 私 が 好き")],
    "bars and brackets": [("a ||| b [X] [X,1]", "c | d"), ("[X][X] ||| |", "||| <s>x </s>y")],
    "words of formats": [("NULL <s> 0-0", "NULL 1-1"), ("&amp; &#124;", "<seg> \\data\\")],
    "very unlike lengths": [("a", "b " * 8 + "b"), ("a b c d e f g h i", "b"), ("c", "d")],
    "combining and astral": [("e\u0301 \U0001f600", "\U0001f468\u200d\U0001f469 x"), ("\u202ea", "b\ufeff")],
}


def write(folder: Path, pairs: list[tuple[str, str]]) -> tuple[Path, Path]:
    folder.mkdir(exist_ok=True)
    for side, name in enumerate(("source", "target")):
        (folder / name).write_bytes("".join(pair[side] + "\n" for pair in pairs).encode())
    return folder / "source", folder / "target"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", HARD)
@pytest.mark.filterwarnings("ignore:kept:tunesmith.errors.IgnoredInputWarning")
def test_hard_text_gives_a_model(tmp_path, kind, name):
    source, target = write(tmp_path / "text", HARD[name])
    train(source, target, tmp_path / "model", kind=kind, lm_order=3)
    model = Model.open(tmp_path / "model", verify=True)
    lines = (tmp_path / "model" / "target.txt").read_text(encoding="utf-8").split("\n")[:-1]
    assert model.language_model().perplexity(lines).unknown == 0


@pytest.mark.slow
def test_lines_of_ten_thousand_words_are_left_out_or_taken_when_asked_for(tmp_path):
    long = " ".join(f"w{number % 500}" for number in range(10_000))
    source, target = write(tmp_path / "text", [("a b", "c d"), (long, long), ("b", "d")])
    with pytest.warns(IgnoredInputWarning, match=r"1 with a side over 80 tokens \(max_length\) \(line 2\)"):
        train(source, target, tmp_path / "short", lm_order=2)
    assert (tmp_path / "short" / "source.txt").read_text() == "a b\nb\n"
    for kind in KINDS:
        train(source, target, tmp_path / kind, kind=kind, lm_order=2, max_length=20_000)
        assert (tmp_path / kind / "source.txt").read_text().count("\n") == 3


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (b"a\nb\n", b"c\n", r"source:2: this line has no partner"),
        (b"a\n\xff\xfe\n", b"c\nd\n", r"source:2: not UTF-8"),
        (b"", b"", "empty"),
        (b"\n\n", b"\n\n", "no pair is left"),
        (b"a\n", b"", r"empty|no partner"),
    ],
)
def test_text_that_cannot_be_trained_on_is_an_error_that_says_where(tmp_path, source, target, message):
    (tmp_path / "source").write_bytes(source)
    (tmp_path / "target").write_bytes(target)
    with pytest.raises(InputError, match=message):
        train(tmp_path / "source", tmp_path / "target", tmp_path / "model")
    with pytest.raises(InputError, match="not finished"):
        Model.open(tmp_path / "model")


def test_marks_of_language_models_in_the_text_are_an_error_with_the_line(tmp_path):
    source, target = write(tmp_path / "text", [("a", "b"), ("a", "b <unk> c")])
    with pytest.raises(InputError, match=r"text/target:2: the word '<unk>'.*skip_marks"):
        train(source, target, tmp_path / "model")
    train(source, target, tmp_path / "model", skip_marks=True, lm_order=2)
