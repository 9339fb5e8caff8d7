"""Odd text gives a model or a clear error, and nothing stays behind."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys

import kenlm
import numpy as np
import pytest
from tests.lm.kneser_ney import read_arpa, reference_model

from tunesmith.corpus import Sentences, Vocabulary
from tunesmith.errors import InputError, OptionError
from tunesmith.lm.estimate import estimate
from tunesmith.memory import parse_bytes


def model_of(data: bytes, tmp_path, **options):
    (tmp_path / "text").write_bytes(data)
    estimate(tmp_path / "text", **{"order": 2, "discount_fallback": True} | options).write_arpa(
        tmp_path / "lm.arpa"
    )
    return read_arpa(tmp_path / "lm.arpa")


@pytest.mark.parametrize("lines", [[""], ["", "", ""], ["a"], ["a a a a"], ["a"] * 50, ["a b c d e f g"]])
@pytest.mark.parametrize("order", [1, 2, 5])
def test_the_smallest_texts_give_models(tmp_path, lines, order) -> None:
    found = model_of("".join(line + "\n" for line in lines).encode(), tmp_path, order=order)
    expected = reference_model(lines, order)
    assert found.keys() == expected.keys()
    for ngram, (probability, _) in expected.items():
        assert found[ngram][0] == pytest.approx(probability, abs=2e-6)


def test_words_of_any_script_and_separators_of_other_formats_are_words(tmp_path) -> None:
    lines = ["猫 が 好き ||| です", "שלום עולם", "مرحبا بالعالم ||| x", "e\u0301 \u00a0 a\u3000b \x01\x7f"]
    found = model_of("\n".join(lines).encode(), tmp_path)
    words = {word for line in lines for word in line.split(" ")}
    assert {ngram[0] for ngram in found if len(ngram) == 1} == words | {"<unk>", "<s>", "</s>"}
    peer = kenlm.Model(str(tmp_path / "lm.arpa"))
    assert all(word in peer for word in words)


@pytest.mark.parametrize("space", [b"\t", b"\r", b"\0"])
def test_other_spaces_than_ascii_spaces_are_refused_with_their_line(tmp_path, space) -> None:
    with pytest.raises(InputError, match=r"text:2: the text holds .*tunesmith corpus prepare"):
        model_of(b"a b\nc" + space + b"d\n", tmp_path)


def test_dos_line_ends_and_repeated_spaces_are_no_words(tmp_path) -> None:
    assert model_of(b" a  b \r\nc\r\n", tmp_path) == model_of(b"a b\nc\n", tmp_path)


@pytest.mark.slow
def test_a_line_of_ten_thousand_words_is_a_sentence(tmp_path) -> None:
    source = random.Random(1)
    line = " ".join(f"w{source.randrange(100)}" for _ in range(10_000))
    found = model_of(line.encode() + b"\n", tmp_path, order=3)
    assert found.keys() == reference_model([line], 3).keys()


def test_marks_in_the_text_are_refused_with_their_line(tmp_path) -> None:
    for mark in ("<s>", "</s>", "<unk>"):
        with pytest.raises(InputError, match=rf"text:2: the text holds '{mark}'"):
            model_of(f"a b\na {mark} b\n".encode(), tmp_path)


def test_marks_in_the_text_can_be_skipped(tmp_path) -> None:
    found = model_of(b"<s> a b </s>\n<unk> b\n", tmp_path, skip_marks=True)
    assert found == model_of(b"a b\nb\n", tmp_path)


@pytest.mark.parametrize(
    ("data", "message"), [(b"", "the file is empty"), (b"a b\nc \xff\n", "text:2: not UTF-8")]
)
def test_files_that_hold_no_text_are_refused(tmp_path, data, message) -> None:
    with pytest.raises(InputError, match=message):
        model_of(data, tmp_path)


def test_a_truncated_gzip_and_a_missing_file_are_refused(tmp_path) -> None:
    path = tmp_path / "text.gz"
    path.write_bytes(gzip.compress(b"a b c\n" * 1000)[:-12])
    with pytest.raises(InputError, match="truncated"):
        estimate(path)
    with pytest.raises(InputError, match="no such file"):
        estimate(tmp_path / "absent")
    with pytest.raises(InputError, match="no text was given"):
        estimate([])


def test_text_without_discounts_is_refused_with_the_way_out(tmp_path) -> None:
    with pytest.raises(InputError, match=r"order 1: no n-gram has the adjusted count.*--discount-fallback"):
        model_of(b"a b\n", tmp_path, discount_fallback=False)


def test_sentences_with_unknown_words_or_white_space_in_words_are_refused() -> None:
    words, offsets = np.array([0, -1], dtype=np.int32), np.array([0, 2])
    with pytest.raises(InputError, match="word -1"):
        estimate(Sentences(words, offsets, Vocabulary(["a"])))
    with pytest.raises(InputError, match=r"'a\\x09b'"):
        estimate(Sentences.of(["a\tb"]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": 0}, "order must be at least 1, not 0"),
        ({"order": 7}, "order must be at most 6, not 7"),
        ({"prune": (1,)}, "single words must be 0"),
        ({"prune": (0, 2, 1)}, "prune must not decrease"),
        ({"prune": (0, 0, 0), "order": 2}, "prune has 3 thresholds for order 2"),
        ({"vocabulary_limit": 0}, "vocabulary_limit must be at least 1"),
        ({"vocabulary_limit": 5, "vocabulary": ["a"]}, "not by both"),
        ({"vocabulary": []}, "is empty"),
        ({"discount_fallback": (0.5, 3, 1)}, "three numbers"),
        ({"discount_fallback": (0.5, float("nan"), 1)}, "three numbers"),
        ({"memory": "much"}, "such as 1G"),
        ({"threads": 0}, "at least 1"),
    ],
)
def test_wrong_options_are_refused(options, message) -> None:
    with pytest.raises(OptionError, match=message):
        estimate(Sentences.of(["a b"]), **options)


def test_amounts_of_memory_have_units() -> None:
    assert [parse_bytes(amount) for amount in ("1G", "2.5k", "10MB", 7, "7")] == [
        1 << 30,
        2560,
        10 << 20,
        7,
        7,
    ]


@pytest.mark.parametrize(
    "amount", ["9" * 400, "9" * 400 + "G", "1" + "0" * 30, "٣G", "inf", "nan", "1e9", "-1", ""]
)
def test_amounts_that_no_machine_has_are_refused(amount) -> None:
    with pytest.raises(OptionError, match="must be an amount such as 1G") as error:
        parse_bytes(amount)
    assert len(str(error.value)) < 200
    with pytest.raises(OptionError, match="not a number of 19 or more digits"):
        parse_bytes(10**5000)


def test_a_context_that_leaves_nothing_backs_off_with_minus_99(tmp_path) -> None:
    found = model_of(b"a b\n" * 5, tmp_path, discount_fallback=(0.5, 1, 0))
    assert found["a",][1] == -99
    assert kenlm.Model(str(tmp_path / "lm.arpa")).score("a a") < -90


def test_a_vocabulary_of_words_that_never_occur_leaves_the_marks(tmp_path) -> None:
    found = model_of(b"a b\n\n", tmp_path, vocabulary=["x"])
    assert found.keys() == {("<unk>",), ("<s>",), ("</s>",), ("<s>", "</s>")}
    assert 10 ** found["<unk>",][0] + 10 ** found["</s>",][0] == pytest.approx(1)


def test_a_folder_for_temporary_files_must_exist(tmp_path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        estimate(Sentences.of(["a"]), temporary=tmp_path / "absent")


def test_a_full_disk_leaves_no_file(tmp_path) -> None:
    model = estimate(Sentences.of(["a b c"] * 3), order=2, discount_fallback=True)
    with pytest.raises(InputError, match="No space left"):
        model.write_arpa("/dev/full")


SMALL_FILES = """
import resource, sys
from tunesmith.corpus import Sentences
from tunesmith.errors import InputError
from tunesmith.lm.estimate import estimate

text = Sentences.of([f"w{i % 97} w{i * i % 89} w{i % 31}" for i in range(20000)])
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
options = {"order": 3, "discount_fallback": True, "temporary": sys.argv[1], "threads": 2}
for memory in ("64K", "1G"):
    try:
        estimate(text, memory=memory, **options).write_arpa(sys.argv[1] + "/lm.arpa")
    except InputError as error:
        print(error)
"""


@pytest.mark.process
def test_files_that_cannot_grow_are_an_error_wherever_it_happens(tmp_path) -> None:
    command = [sys.executable, "-Bc", SMALL_FILES, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first.startswith(f"{tmp_path}: cannot write a temporary file")
    assert second.startswith(f"{tmp_path}/lm.arpa: cannot write")
    assert not list(tmp_path.iterdir())
