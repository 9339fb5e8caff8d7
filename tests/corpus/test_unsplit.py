"""Text without spaces between words is refused or warned of unless something splits it."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from tests.commands import run

from tunesmith import decode_file
from tunesmith.corpus.prepare import PrepareOptions, prepare
from tunesmith.corpus.segment import CHARACTERS, FORBID, Segmenter
from tunesmith.decode import DecodeOutputs, model_side
from tunesmith.decode.preparation import warn_of_raw_source
from tunesmith.errors import InputError, TunesmithWarning
from tunesmith.metrics import evaluate
from tunesmith.model import Model, train
from tunesmith.texts import Texts

ENGLISH = [
    "Tom drinks tea.",
    "You go to Beijing.",
    "I drink coffee at 7.",
    "Tom goes.",
    "You drink tea, Tom.",
]
CHINESE = ["Tom喝很好的茶。", "你明天去北京。", "我早上7点喝咖啡。", "Tom明天去。", "你喝茶，Tom。"]
CODES = {"source_language": "en", "target_language": "zh", "tokenize": "moses", "case": "lower"}


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    for name, lines in (("en", ENGLISH), ("zh", CHINESE)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines * 8), encoding="utf-8")
    return tmp_path / "en", tmp_path / "zh"


def test_moses_tokenizer_alone_is_refused_for_chinese(sides: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"zh: this Chinese text has no spaces .* target_segmenter `characters`"
    ):
        prepare(*sides, tmp_path / "out", PrepareOptions("en", "zh"))
    assert not list(tmp_path.glob("out*"))
    given = ("--source-language", "zh", "--target-language", "en", "--source", "zh", "--target", "en")
    done = run("train", *given, "--tokenize", "moses", "-o", "model", folder=tmp_path)
    assert done.returncode == 1
    assert "--source-segmenter `characters`" in done.stderr


def test_text_that_was_to_be_tokenized_already_is_warned_of(sides: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.warns(TunesmithWarning, match=r"zh: this Chinese text has no spaces"):
        prepare(*sides, tmp_path / "out", PrepareOptions(tokenize="none", case="keep"))


def test_tokenizing_such_text_alone_is_warned_of(sides: tuple[Path, Path]) -> None:
    done = run("corpus", "tokenize", sides[1], "--language", "zh")
    assert done.returncode == 0
    assert "this Chinese text has no spaces" in done.stderr
    assert "--source-segmenter characters" in done.stderr
    assert run("corpus", "tokenize", sides[0], "--language", "en").stderr == ""


@pytest.mark.parametrize("segmenter", [CHARACTERS, "cat"])
def test_any_segmenter_is_taken_at_its_word(sides: tuple[Path, Path], tmp_path: Path, segmenter: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        prepare(*sides, tmp_path / "out", PrepareOptions("en", "zh", target_segmenter=segmenter))


def test_characters_are_their_own_inverse_and_join_what_programs_split(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = Texts.of(["我 是17岁。", "", "Tom Smith"])
    own = Segmenter(CHARACTERS).of_model("model")
    monkeypatch.setenv(FORBID, "1")  # it is no program
    assert list(own.apply(lines)) == ["我 是 17 岁 。", "", "Tom Smith"]
    assert list(own.invert(own.apply(lines))) == ["我是17岁。", "", "Tom Smith"]
    words = Segmenter("cat", CHARACTERS)
    assert words.joins
    assert list(words.invert(Texts.of(["冷静 点 。"]))) == ["冷静点。"]


@pytest.mark.slow
def test_a_model_of_characters_reads_raw_text_and_writes_text_without_spaces(
    sides: tuple[Path, Path], tmp_path: Path
) -> None:
    model = tmp_path / "model"
    train(*sides, model, **CODES, target_segmenter=CHARACTERS, lm_order=2)
    assert (model / "target.txt").read_text(encoding="utf-8").startswith("tom 喝 很 好 的 茶 。\n")
    decode_file(model, sides[0], DecodeOutputs(tmp_path / "out", detokenize=True), prepare=True)
    made = (tmp_path / "out").read_text(encoding="utf-8")
    assert made.splitlines()[:2] == CHINESE[:2]
    assert " " not in made
    side = model_side(model, "target")
    assert list(side.restore(side.prepare(Texts.of(CHINESE)))) == CHINESE
    reverse = {**CODES, "source_language": "zh", "target_language": "en"}
    train(*reversed(sides), tmp_path / "reverse", **reverse, source_segmenter=CHARACTERS, lm_order=2)
    with pytest.warns(TunesmithWarning, match=r"prepare it \(prepare\)"):
        warn_of_raw_source(Model.open(tmp_path / "reverse"), CHINESE * 8)


def test_an_output_in_another_script_is_not_blamed_on_the_form_of_references() -> None:
    with pytest.warns(TunesmithWarning) as said:
        evaluate("bleu", CHINESE * 8, [ENGLISH * 8], resamples=0)
    (warning,) = said
    assert str(warning.message).startswith(
        "the output is Chinese, but the reference is not: words that a model"
    )
