"""`tunesmith lm train` as a shell runs it."""

from __future__ import annotations

import gzip
from pathlib import Path

import kenlm
import pytest
from tests.commands import Done, run

from tunesmith.generated import generate
from tunesmith.lm import compile_lm


def train(folder: Path, *words: object, given: str = "") -> Done:
    return run("lm", "train", *words, folder=folder, stdin=given)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("lm")
    lines = [pair.target for pair in generate(300, seed=1, lowercase=True)]
    (made / "train.en").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return made


def test_a_compressed_model_is_written_that_kenlm_reads(folder) -> None:
    done = train(folder, "train.en", "--order", 3, "-o", "lm.arpa.gz")
    assert done.returncode == 0, done.stderr
    assert "order 3:" in done.stderr
    (folder / "lm.arpa").write_bytes(gzip.decompress((folder / "lm.arpa.gz").read_bytes()))
    assert kenlm.Model(str(folder / "lm.arpa")).order == 3


def test_standard_input_to_standard_output_is_the_same_model(folder) -> None:
    text = (folder / "train.en").read_text(encoding="utf-8")
    words = ["--order", 3, "--prune", "0,0,1", "--memory", "64K", "--quiet"]
    from_file = train(folder, "train.en", *words, "-o", "pruned.arpa")
    piped = train(folder, "-", *words, given=text)
    assert (from_file.returncode, piped.returncode) == (0, 0), piped.stderr
    assert piped.stdout == (folder / "pruned.arpa").read_text(encoding="utf-8")
    assert (from_file.stderr, piped.stderr) == ("", "")


def test_a_file_of_words_limits_the_vocabulary(folder) -> None:
    (folder / "words").write_text("the a\nis\n", encoding="utf-8")
    done = train(
        folder, "train.en", "--order", 2, "--limit-vocab-file", "words", "--discount-fallback", "--quiet"
    )
    assert done.returncode == 0, done.stderr
    assert "ngram 1=6\n" in done.stdout


def test_a_binary_is_the_one_that_compiling_the_text_gives(folder) -> None:
    for output in ("direct.arpa", "direct.bin"):
        assert train(folder, "train.en", "--order", 3, "-o", output).returncode == 0
    compile_lm(folder / "direct.arpa", folder / "compiled.bin")
    assert (folder / "compiled.bin").read_bytes() == (folder / "direct.bin").read_bytes()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["train.en", "--prune", "0 x"], 2, "--prune: expected a whole number"),
        (["train.en", "--order", 9], 2, "--order must be at most 6, not 9"),
        (["absent"], 1, "absent: no such file"),
        (["train.en", "-o", "absent/lm.arpa"], 1, "the folder does not exist"),
        (["train.en", "--temporary", "absent"], 1, "no such folder for temporary files"),
        (["train.en", "-o", "train.en"], 2, "train.en is an input"),
        (["train.en", "-o", "lm.bin.gz"], 2, "cannot be compressed"),
    ],
)
def test_mistakes_are_named_and_end_with_their_code(folder, words, code, message) -> None:
    done = train(folder, *words)
    assert done.returncode == code
    assert message in " ".join(done.stderr.split())


def test_words_of_a_limiting_file_stand_between_ascii_spaces(folder) -> None:
    (folder / "odd").write_text("a\u3000b c\u00a0d e\n" * 2, encoding="utf-8")
    done = train(
        folder, "odd", "--order", 2, "--limit-vocab-file", "odd", "--fallback-discounts", "0.5 1 1.5", "-q"
    )
    assert done.returncode == 0, done.stderr  # the discounts are a fallback without --discount-fallback
    assert "ngram 1=6\n" in done.stdout
