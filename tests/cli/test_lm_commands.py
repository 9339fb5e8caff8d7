"""`tunesmith lm compile` and `tunesmith lm score`, as a user calls them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.commands import Done, run
from tests.lm.backoff_models import SMALL


def tunesmith(folder: Path, *arguments: str, text: str = "") -> Done:
    return run("lm", *arguments, folder=folder, stdin=text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lm.arpa.gz").write_bytes(gzip.compress(SMALL.arpa().encode()))
    return tmp_path


def test_compile_then_score_is_the_contract(folder: Path) -> None:
    done = tunesmith(folder, "compile", "lm.arpa.gz", "-o", "lm.bin")
    assert (done.returncode, done.stdout) == (0, "")
    assert "order 2, n-grams: 4 2" in done.stderr
    done = tunesmith(folder, "score", "lm.bin", text="a\nb\n\n")
    assert done.stdout == "-0.600000\t0\n-5.500000\t1\n-1.500000\t0\n"
    assert "tokens: 5" in done.stderr and "unknown: 1" in done.stderr
    assert f"perplexity including unknown: {10 ** (7.6 / 5):.4f}" in done.stderr
    assert f"perplexity excluding unknown: {10 ** (3.1 / 4):.4f}" in done.stderr


def test_compile_reads_standard_input_and_takes_classes(folder: Path) -> None:
    (folder / "words.classes").write_text("dog\ta\n")
    done = tunesmith(
        folder, "compile", "-", "-o", "lm.bin", "--class-file", "words.classes", "-q", text=SMALL.arpa()
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert tunesmith(folder, "score", "lm.bin", "-q", text="dog\n").stdout == "-0.600000\t0\n"


def test_score_reads_arpa_files_and_named_texts_and_prints_words(folder: Path) -> None:
    (folder / "text").write_text("a b\n")
    done = tunesmith(folder, "score", "lm.arpa.gz", "text", "--words", "--quiet")
    assert done.stdout == "a\t-0.200000\t2\nb\t-4.250000\t1\tunknown\n</s>\t-1.000000\t1\n\n"
    assert done.stderr == ""
    done = tunesmith(folder, "score", "lm.arpa.gz", "text", "--no-bos", "--no-eos", "-q")
    assert done.stdout == "-4.950000\t1\n"


def test_json_holds_all_that_is_printed(folder: Path) -> None:
    done = tunesmith(folder, "score", "lm.arpa.gz", "--json", "--words", text="a\n")
    record = json.loads(done.stdout)
    assert record["sentences"][0]["words"][0] == {
        "word": "a",
        "log10_probability": pytest.approx(-0.2),
        "order": 2,
        "unknown": False,
    }
    assert record["total"]["perplexity_including_unknown"] == pytest.approx(10 ** (0.6 / 2))


def test_bad_input_ends_with_one_and_says_where(folder: Path) -> None:
    (folder / "bad.arpa").write_text(SMALL.arpa().replace("-0.4\t", "0.4\t"))
    done = tunesmith(folder, "compile", "bad.arpa", "-o", "lm.bin")
    assert done.returncode == 1
    assert "bad.arpa:13:" in done.stderr and "at most 0" in done.stderr
    assert not (folder / "lm.bin").exists()
    assert tunesmith(folder, "score", "none.bin", text="a\n").returncode == 1
    assert tunesmith(folder, "score", "lm.arpa.gz", text="").returncode == 1
    assert tunesmith(folder, "compile", "lm.arpa.gz").returncode == 2
    assert tunesmith(folder, "score", "lm.arpa.gz", "--unknown", "3", text="a\n").returncode == 2


def test_an_output_never_is_an_input(folder: Path) -> None:
    before = (folder / "lm.arpa.gz").read_bytes()
    done = tunesmith(folder, "compile", "lm.arpa.gz", "-o", "lm.arpa.gz")
    assert (done.returncode, "is an input" in done.stderr) == (2, True)
    assert (folder / "lm.arpa.gz").read_bytes() == before
