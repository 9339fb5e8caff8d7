"""ARPA files as they come: what is read, and what is refused with the line that is wrong."""

from __future__ import annotations

import gzip
import math
import random
from pathlib import Path

import pytest

from tunesmith.errors import InputError, OptionError
from tunesmith.lm import LanguageModel, compile_lm

GOOD = """\\data\\
ngram 1=4
ngram 2=2

\\1-grams:
-99\t<s>\t-0.3
-1\t</s>
-1.5\ta\t-0.2
-2\tb

\\2-grams:
-0.5\t<s> a
-0.25\ta </s>

\\end\\
"""


def opened(folder: Path, text: str | bytes, **options: float) -> LanguageModel:
    path = folder / "lm.arpa"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return LanguageModel.open(path, **options)


def test_a_small_file_has_the_scores_it_tells(tmp_path: Path) -> None:
    model = opened(tmp_path, GOOD)
    assert model.order == 2
    assert model.counts == [5, 2]
    assert list(model.vocabulary) == ["<s>", "</s>", "a", "b", "<unk>"]
    assert [round(word.score / 2.302585093, 5) for word in model.full_scores("a b")] == [-0.5, -2.2, -1.0]
    assert "a" in model and "c" not in model


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("\t", " "),
        GOOD.replace("\n", "\r\n"),
        "\n\n" + GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n\n", "\n"),
        GOOD.replace("\n\n", "\n\n\n \t\n"),
        GOOD + "\n\n",
        GOOD.rstrip("\n"),
        GOOD.replace("-0.5\t", "-5e-1\t"),
    ],
    ids=[
        "spaces",
        "crlf",
        "blank head",
        "bom",
        "dense",
        "loose",
        "blank tail",
        "no last line end",
        "exponent",
    ],
)
def test_the_same_model_is_read_however_it_is_laid_out(text: str, tmp_path: Path) -> None:
    assert opened(tmp_path, text).full_scores("a b c") == opened(tmp_path, GOOD).full_scores("a b c")


def test_compressed_files_are_read_unless_they_are_truncated(tmp_path: Path) -> None:
    path = tmp_path / "lm.arpa.gz"
    path.write_bytes(gzip.compress(GOOD.encode()))
    assert LanguageModel.open(path).score("a b") == opened(tmp_path, GOOD).score("a b")
    path.write_bytes(gzip.compress(GOOD.encode())[:-20])
    with pytest.raises(InputError, match=r"lm\.arpa\.gz: truncated"):
        LanguageModel.open(path)


def test_a_model_without_unk_takes_the_probability_that_was_asked_for(tmp_path: Path) -> None:
    assert opened(tmp_path, GOOD).full_scores("zzz")[0].score == pytest.approx(-100.3 * 2.302585093, rel=1e-6)
    chosen = opened(tmp_path, GOOD, unknown=-7.0)
    assert chosen.full_scores("zzz")[0].score == pytest.approx(-7.3 * 2.302585093, rel=1e-6)
    for wrong in (1.0, float("nan"), float("-inf")):
        with pytest.raises(OptionError, match="unknown must be a log10 probability"):
            opened(tmp_path, GOOD, unknown=wrong)


def test_unk_in_capitals_is_unk(tmp_path: Path) -> None:
    text = GOOD.replace("ngram 1=4", "ngram 1=5").replace("-2\tb", "-2\tb\n-3\t<UNK>\t-0.1")
    text = text.replace("ngram 2=2", "ngram 2=3").replace("-0.25\t", "-0.75\t<UNK> a\n-0.25\t")
    scores = [word.score / 2.302585093 for word in opened(tmp_path, text).full_scores("zzz a", end=False)]
    assert scores == pytest.approx([-3.3, -0.75], abs=1e-5)


BAD = {
    "empty": ("", "", None, "empty"),
    "foreign": ("\\data\\", "hello", 1, "not an ARPA file"),
    "no counts": ("ngram 1=4\nngram 2=2\n", "", 3, "ngram 1=COUNT"),
    "counts out of order": ("ngram 2=2", "ngram 3=2", 3, "ngram 2=COUNT"),
    "count not a number": ("ngram 2=2", "ngram 2=x", 3, "ngram 2=COUNT"),
    "count negative": ("ngram 2=2", "ngram 2=-2", 3, "ngram 2=COUNT"),
    "too few unigrams": ("ngram 1=4", "ngram 1=5", 10, "order 1 has 4 n-grams; the header announces 5"),
    "too many unigrams": ("ngram 1=4", "ngram 1=3", 9, "found one more"),
    "too few bigrams": ("ngram 2=2", "ngram 2=3", 14, "order 2 has 2 n-grams; the header announces 3"),
    "too many bigrams": ("ngram 2=2", "ngram 2=1", 13, "found one more"),
    "absurd count": ("ngram 2=2", "ngram 2=99999999999999", 10, "too many n-grams"),
    "no end": ("\\end\\\n", "", None, "truncated"),
    "cut in a section": ("\n-0.25\ta </s>\n\n\\end\\\n", "", None, "truncated"),
    "after the end": ("\\end\\\n", "\\end\\\nmore\n", 16, "after"),
    "wrong section": ("\\2-grams:", "\\3-grams:", 11, "2-grams"),
    "section missing": ("\\2-grams:\n-0.5\t<s> a\n-0.25\ta </s>\n\n", "", 11, "2-grams"),
    "not a number": ("-1.5\ta", "x\ta", 8, "'x'"),
    "nan": ("-1.5\ta", "nan\ta", 8, "'nan'"),
    "infinite": ("-0.5\t<s> a", "inf\t<s> a", 12, "at most 0"),
    "positive": ("-1.5\ta", "0.5\ta", 8, "at most 0"),
    "back-off nan": ("a\t-0.2", "a\tnan", 8, "back-off"),
    "back-off infinite": ("a\t-0.2", "a\t-inf", 8, "finite log10 of a back-off, found '-inf'; write -99"),
    "back-off a word": ("a\t-0.2", "a\tb", 8, "back-off"),
    "too many fields": ("a\t-0.2", "a\t-0.2\t-0.2", 8, "at most a back-off"),
    "too few words": ("-0.5\t<s> a", "-0.5\t<s>", 12, "2 words"),
    "unknown word": ("-0.5\t<s> a", "-0.5\t<s> c", 12, "'c' is not among the unigrams"),
    "word twice": ("-2\tb", "-2\ta", 9, "'a' occurs twice"),
    "n-gram twice": ("-0.25\ta </s>", "-0.25\t<s> a", 13, "'<s> a' occurs twice"),
    "no sentence begin": ("\t<s>", "\tq", 10, "'<s>'"),
    "no sentence end": ("\t</s>", "\tq", 10, "'</s>'"),
}


@pytest.mark.parametrize("case", BAD, ids=str)
def test_a_bad_file_is_refused_with_its_line(case: str, tmp_path: Path) -> None:
    old, new, line, message = BAD[case]
    text = GOOD.replace(old, new, 1) if old else new
    assert text != GOOD
    with pytest.raises(InputError, match=r"lm\.arpa") as raised:
        opened(tmp_path, text)
    assert message in str(raised.value)
    assert raised.value.line == line


def test_bytes_that_are_not_utf8_are_refused_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"lm\.arpa:8: not UTF-8"):
        opened(tmp_path, GOOD.encode().replace(b"-1.5\ta", b"-1.5\t\xff"))


def test_an_order_above_the_highest_is_refused(tmp_path: Path) -> None:
    header = "\\data\\\n" + "".join(f"ngram {n}={3 if n == 1 else 0}\n" for n in range(1, 9))
    with pytest.raises(InputError, match="order 8; this build takes orders from 1 to 7"):
        opened(tmp_path, header + "\n\\1-grams:\n-1 <s>\n-1 </s>\n-1 <unk>\n\n\\2-grams:\n")


def test_nothing_is_left_behind_by_a_compilation_that_fails(tmp_path: Path) -> None:
    arpa, output = tmp_path / "lm.arpa", tmp_path / "lm.bin"
    arpa.write_text(GOOD.replace("\\end\\", ""))
    with pytest.raises(InputError):
        compile_lm(arpa, output)
    assert [path.name for path in tmp_path.iterdir()] == ["lm.arpa"]
    with pytest.raises(InputError, match="folder does not exist"):
        compile_lm(arpa, tmp_path / "none" / "lm.bin")


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "lm.arpa").write_text(GOOD)
    compile_lm(tmp_path / "lm.arpa", tmp_path / "one.bin")
    compile_lm(tmp_path / "lm.arpa", tmp_path / "two.bin")
    assert (tmp_path / "one.bin").read_bytes() == (tmp_path / "two.bin").read_bytes()


def test_text_that_was_changed_anywhere_is_a_model_or_an_input_error(tmp_path: Path) -> None:
    draw, read = random.Random(1), 0
    pieces = [
        "\t",
        " ",
        "\n",
        "\\end\\",
        "\\1-grams:",
        "\\2-grams:",
        "ngram 3=1\n",
        "-1\ta\n",
        "nan",
        "=",
        "\\",
        "9" * 30,
    ]
    for _ in range(300):
        text = GOOD
        for _ in range(draw.randint(1, 3)):
            at, length = draw.randrange(len(text)), draw.choice([0, 0, 1, 5])
            text = text[:at] + draw.choice([*pieces, ""]) + text[at + length :]
        try:
            scores = opened(tmp_path, text).full_scores("a b zzz")
        except InputError as error:
            assert error.path is not None
            continue
        read += 1
        assert all(math.isfinite(word.score) for word in scores)
    assert 0 < read < 300
