"""`tunesmith extract index` and `tunesmith extract grammars`."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from tests.commands import Done, run
from tests.extract.aligned_texts import AlignedText, generated_text

from tunesmith.extract.grammar import import_rules
from tunesmith.extract.rules import RuleOptions
from tunesmith.extract.suffix_array import GrammarOptions, SuffixIndex
from tunesmith.extract.write_grammars import write_grammars


def extract(*arguments: object, folder: Path) -> Done:
    return run("extract", *arguments, folder=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bitext, its index, and sentences to translate."""
    made = tmp_path_factory.mktemp("grammars")
    text = generated_text(100)
    (made / "train.de").write_text("\n".join(text.source) + "\n")
    (made / "train.en").write_text("\n".join(text.target) + "\n")
    text.alignments.write(made / "train.align")
    (made / "folds").write_text("".join(f"{number % 5}\n" for number in range(100)))
    (made / "beyond").write_text("0\n99\n1 100\n\n")
    (made / "dev.de").write_text("\n".join([*text.source[:2], "", "xyzzy"]) + "\n")
    sides = ["--source", "train.de", "--target", "train.en", "--alignment", "train.align"]
    done = extract("index", *sides, "-o", "model.suffix", folder=made)
    assert done.returncode == 0, done.stderr
    assert "100 pairs" in done.stderr
    return made


def test_grammars_are_written_as_cdec_takes_them(folder: Path) -> None:
    done = extract("grammars", "--index", "model.suffix", "--input", "dev.de", "-o", "g", folder=folder)
    assert done.returncode == 0, done.stderr
    sentences = (folder / "dev.de").read_text().splitlines()
    assert done.stdout.splitlines() == [
        f'<seg id="{number}" grammar="g/grammar.{number}.gz">{sentence}</seg>'
        for number, sentence in enumerate(sentences)
    ]
    index = SuffixIndex.open(folder / "model.suffix")
    for number, grammar in enumerate(index.grammars(sentences)):
        assert gzip.decompress((folder / "g" / f"grammar.{number}.gz").read_bytes()) == grammar.lines()


def test_other_formats_options_and_exclusions_are_kept(folder: Path) -> None:
    (folder / "own").write_text("0\n1\n\n5 7\n")
    given = [
        "--format",
        "moses",
        "--compression",
        "none",
        "--samples",
        20,
        "--max-gaps",
        1,
        "--exclude",
        "own",
    ]
    done = extract(
        "grammars", "--index", "model.suffix", "--input", "dev.de", "-o", "m", "-q", *given, folder=folder
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    first = (folder / "m" / "grammar.0").read_text().splitlines()
    assert first
    assert all(line.split(" ||| ")[0].count("[X][X]") <= 1 for line in first)


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (["--index", "train.de"], 1, "not a Tunesmith binary file"),
        (["--index", "nothing"], 1, "no such file"),
        (["--input", "nothing"], 1, "no such file"),
        (["--format", "joshua"], 2, "cannot be 'joshua'"),
        (["--compression", "rar"], 2, "--compression cannot be 'rar'"),
        (["--max-span", 40], 2, "at most 31"),
        (["--exclude", "train.align"], 1, "expected one line per sentence"),
        (["--exclude", "dev.de"], 1, "expected numbers of sentence pairs"),
        (["--exclude", "beyond"], 1, "beyond:3: found the pair 100; the index has the pairs 0 to 99"),
        (["--exclude-fold", 1], 2, "need each other"),
        (["--fold-file", "folds"], 2, "need each other"),
        (["--exclude-fold", 9, "--fold-file", "folds"], 2, "no sentence pair is in fold 9"),
        (["--exclude-fold", 1, "--fold-file", "beyond"], 1, "beyond:3: expected a fold number"),
        (["--loose", ""], 2, "need --max-target-span"),
        (["--cache", "1e30"], 2, "cache must be at most"),
        (["-o", "dev.de"], 2, "dev.de is an input too"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, given: list[object], code: int, message: str) -> None:
    options = {"--index": "model.suffix", "--input": "dev.de", "-o": "bad"}
    options |= dict(zip(given[::2], given[1::2], strict=True))  # type: ignore[arg-type]
    words = [word for pair in options.items() for word in pair if word != ""]
    done = extract("grammars", *words, folder=folder)
    assert done.returncode == code, done.stderr
    assert message in " ".join(done.stderr.split())


def test_a_fold_is_left_out(folder: Path) -> None:
    given = ["--index", "model.suffix", "--input", "dev.de", "-o", "f", "-q", "--compression", "none"]
    given += ["--fold-file", "folds", "--exclude-fold", "1", "--loose", "--max-target-span", "12"]
    done = extract("grammars", *given, folder=folder)
    assert done.returncode == 0, done.stderr
    sentences = (folder / "dev.de").read_text().splitlines()
    index = SuffixIndex.open(folder / "model.suffix")
    options = GrammarOptions(RuleOptions(tight=False, max_target_span=12))
    mask = np.arange(100) % 5 == 1
    for number, grammar in enumerate(index.grammars(sentences, options, exclude=mask)):
        assert (folder / "f" / f"grammar.{number}").read_bytes() == grammar.lines()
    everything = next(index.grammars(sentences, options)).lines()
    assert (folder / "f" / "grammar.0").read_bytes() != everything


def test_segments_have_the_words_of_their_grammars(tmp_path: Path) -> None:
    lines = ["a | [b] c[d] <e>"]
    links = [[(i, i) for i in range(5)]]
    index = AlignedText(lines, lines, links).index(tmp_path)
    (segment,) = write_grammars(index, lines, tmp_path / "g", compression="none")
    words = segment.split(">", 1)[1].removesuffix("</seg>")
    assert words == "a &#124; &#91;b&#93; c[d] <e>"
    table = import_rules(tmp_path / "g" / "grammar.0", tmp_path / "table")
    assert all(table.rules(word) for word in words.split())


def test_a_bad_link_is_blamed_on_its_line(folder: Path) -> None:
    links = (folder / "train.align").read_text().splitlines()
    (folder / "bad.align").write_text("\n".join([*links[:-1], "0-99"]) + "\n")
    sides = ["--source", "train.de", "--target", "train.en", "--alignment", "bad.align"]
    for command in ("index", "rules", "phrases"):
        done = extract(command, *sides, "-o", "bad.out", folder=folder)
        assert done.returncode == 1
        assert "bad.align:100" in done.stderr
        assert not (folder / "bad.out").exists()


def test_an_index_of_sides_that_differ_is_refused(folder: Path) -> None:
    sides = ["--source", "dev.de", "--target", "train.en", "--alignment", "train.align"]
    done = extract("index", *sides, "-o", "other.suffix", folder=folder)
    assert done.returncode == 1
    assert "train.en:5" in done.stderr
    assert not (folder / "other.suffix").exists()
