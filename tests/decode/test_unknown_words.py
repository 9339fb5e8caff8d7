"""Unknown words keep the case of the input in readable text, and many of them are warned of."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run

from tunesmith import Decoding, decode_file
from tunesmith.candidates import Pool
from tunesmith.corpus.recase import train_recaser
from tunesmith.corpus.side import Side
from tunesmith.decode import DecodeOutputs
from tunesmith.distribute import LocalExecutor
from tunesmith.errors import TunesmithWarning
from tunesmith.model import train
from tunesmith.texts import Texts

GERMAN = [
    "Das Haus ist klein.",
    "Das Haus in Berlin ist alt.",
    "Ist das Haus alt?",
    "Klein ist das Haus.",
] * 5
ENGLISH = [
    "The house is small.",
    "The house in Berlin is old.",
    "Is the house old?",
    "Small is the house.",
] * 5
RAW = [
    "Das Haus in Tübingen ist alt.",
    "Wladiwostok ist klein.",
    "Das iPhone ist klein.",
    "Das Haus xyz ist alt.",
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write raw text, and models of it by kind and case."""
    folder = tmp_path_factory.mktemp("unknown")
    for name, lines in (("de", GERMAN), ("en", ENGLISH), ("raw", RAW)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    common = {"tokenize": "moses", "source_language": "de", "target_language": "en", "lm_order": 2}
    for kind, case in (("phrase", "lower"), ("hiero", "lower"), ("phrase", "true")):
        train(folder / "de", folder / "en", folder / f"{kind}-{case}", kind=kind, case=case, **common)
    return folder


@pytest.mark.parametrize("name", ["phrase-lower", "hiero-lower", "phrase-true"])
def test_words_that_are_passed_through_keep_the_case_of_the_input(
    models: Path, tmp_path: Path, name: str
) -> None:
    lists = {"nbest": tmp_path / "nbest.jsonl", "nbest_size": 3, "detokenize_nbest": True}
    outputs = DecodeOutputs(tmp_path / "out", detokenize=True, **lists)
    decode_file(models / name, models / "raw", outputs, prepare=True)
    lines = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    for word, line in zip(["Tübingen", "Wladiwostok", "iPhone", "xyz"], lines, strict=True):
        assert word in line
    pool = Pool.read(tmp_path / "nbest.jsonl")
    assert pool.texts is not None
    for number, word in enumerate(["Tübingen", "Wladiwostok", "iPhone", "xyz"]):
        begin, end = pool.offsets[number : number + 2]
        texts = list(pool.texts)[begin:end]
        assert texts[0] == lines[number]
        assert all(word in text or word.lower() not in text.lower() for text in texts)


def test_tokens_stay_in_the_case_of_the_model(models: Path, tmp_path: Path) -> None:
    decode_file(models / "phrase-lower", models / "raw", DecodeOutputs(tmp_path / "out"), prepare=True)
    text = (tmp_path / "out").read_text(encoding="utf-8")
    assert text == text.lower()
    assert "tübingen" in text


def test_workers_write_the_same_text(models: Path, tmp_path: Path) -> None:
    for name, executor in (("here", None), ("there", LocalExecutor(2))):
        outputs = DecodeOutputs(tmp_path / name, detokenize=True)
        decode_file(
            models / "phrase-lower", models / "raw", outputs, Decoding(executor=executor), prepare=True
        )
    assert (tmp_path / "there").read_bytes() == (tmp_path / "here").read_bytes()
    assert "Tübingen" in (tmp_path / "there").read_text(encoding="utf-8")


def test_a_word_without_capitals_says_nothing_of_its_case() -> None:
    recaser = train_recaser(lambda: [["Small is the house .", "The house is small ."] * 5])
    side = Side(case="lower", recaser=recaser)
    lines = Texts.of(["tübingen is small .", "xyz is small .", "the tübingen house ."])
    known = [{0: "tübingen"}, {0: "XYZ"}, {1: "TÜBINGEN", 2: "other"}]
    assert list(side.restore(lines, known)) == [
        "Tübingen is small .",
        "XYZ is small .",
        "The TÜBINGEN house .",
    ]


def test_many_unknown_words_are_warned_of_with_examples(models: Path, tmp_path: Path) -> None:
    (tmp_path / "fr").write_text("une maison\npetite\nune ville ancienne\n")
    with pytest.warns(TunesmithWarning) as said:
        summary = decode_file(models / "phrase-lower", tmp_path / "fr", DecodeOutputs(tmp_path / "out"))
    assert summary.examples == ("une", "maison", "petite", "ville", "ancienne")
    assert str(said[-1].message) == (
        "6 of 6 words of the input (100%) are unknown to the model, such as une, maison, petite, ville,"
        " ancienne; is it text of the model's source language, tokenized and cased like the model's training"
        " text (prepare)?"
    )
    done = run("decode", models / "phrase-lower", "-i", tmp_path / "fr", "--prepare", "--quiet")
    assert done.returncode == 0
    assert "6 of 6 words of the input (100%) are unknown to the model" in done.stderr
    assert "--prepare" not in done.stderr
    few = run("decode", models / "phrase-lower", "-i", models / "raw", "--prepare", "-o", tmp_path / "out")
    assert "unknown to the model" not in few.stderr


def test_inspect_says_that_raw_text_is_not_prepared(models: Path) -> None:
    done = run("inspect", models / "phrase-lower", "--source", models / "de")
    assert done.returncode == 0 and "prepare it (--prepare)" in done.stderr
    done = run("inspect", models / "phrase-lower", "--source", models / "de", "--prepare")
    assert done.returncode == 0 and "--prepare" not in done.stderr
