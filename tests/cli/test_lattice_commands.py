"""`tunesmith lattice train`, `segment` and `write`, as a user calls them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import Done, run
from tests.corpus.compound_words import TEXT

from tunesmith.decode.lattice import Lattice


def lattice(folder: Path, *arguments: str, text: str = "") -> Done:
    return run("lattice", *arguments, folder=folder, stdin=text)


TRAIN = ("train", "train.de", "-o", "compounds.bin", "--min-count", "1", "--min-length", "3")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("lattice")
    (made / "train.de").write_text("\n".join(TEXT) + "\n", encoding="utf-8")
    done = lattice(made, *TRAIN)
    assert (done.returncode, done.stdout) == (0, "")
    assert "can be split" in done.stderr and "loss" in done.stderr
    return made


def test_the_same_text_gives_the_same_bytes_on_any_number_of_threads(folder: Path) -> None:
    first = (folder / "compounds.bin").read_bytes()
    words = [*TRAIN[:3], "again.bin", *TRAIN[4:], "--threads", "1", "-q"]
    done = lattice(folder, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert (folder / "again.bin").read_bytes() == first


def test_text_is_segmented_from_standard_input(folder: Path) -> None:
    done = lattice(folder, "segment", "compounds.bin", text="das Winteramt\n\nder Hof\n")
    assert (done.returncode, done.stdout) == (0, "das Winter Amt\n\nder Hof\n")
    done = lattice(folder, "segment", "compounds.bin", "--method", "frequency", text="das Winteramt\n")
    assert done.stdout == "das Winter Amt\n"


def test_lattices_are_written_to_a_file_or_standard_output(folder: Path) -> None:
    (folder / "test.de").write_text("das Winteramt gibt\n\n", encoding="utf-8")
    done = lattice(folder, "write", "compounds.bin", "test.de", "-o", "test.plf.gz")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = lattice(folder, "write", "compounds.bin", "test.de")
    first, second = done.stdout.splitlines()
    assert "'LatticePosterior':" in first and "('Winteramt'," in first and second == "()"
    assert Lattice(first).columns == 4
    done = lattice(folder, "write", "compounds.bin", "-", "--limit", "0", text="das Winteramt\n")
    assert done.stdout == "((('das',{},1),),(('Winteramt',{},1),),)\n"


def test_guidance_takes_both_files(folder: Path) -> None:
    (folder / "train.en").write_text("\n".join(["x"] * len(TEXT)) + "\n", encoding="utf-8")
    (folder / "train.align").write_text("\n".join(["0-0"] * len(TEXT)) + "\n", encoding="utf-8")
    options = ["--target", "train.en", "--alignment", "train.align"]
    done = lattice(folder, "train", "train.de", "-o", "guided.bin", "--min-count", "1", *options)
    assert done.returncode == 0 and "the dictionary has weighed" in done.stderr
    done = lattice(folder, "train", "train.de", "-o", "guided.bin", *options[:2])
    assert done.returncode == 2 and "--target and --alignment need each other" in done.stderr
    (folder / "short.en").write_text("x\n", encoding="utf-8")
    done = lattice(folder, "train", "train.de", "-o", "guided.bin", "--target", "short.en", *options[2:])
    assert done.returncode == 1 and "no partner" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text", "code", "message"),
    [
        (["segment", "compounds.bin", "--method", "freqency"], "a\n", 2, "did you mean 'frequency'"),
        (["segment", "nothing.bin"], "a\n", 1, "nothing.bin: no such file"),
        (["segment", "train.de"], "a\n", 1, "train.de"),
        (["segment", "compounds.bin", "train.de", "-o", "train.de"], "", 2, "an input too"),
        (["segment", "compounds.bin", "-o", "/dev/full"], "a\n" * 9999, 1, "No space left"),
        (["write", "compounds.bin"], "a\nb\x01c\n", 1, "-:2: found the word"),
        (["write", "compounds.bin", "--threshold", "2"], "a\n", 2, "threshold must be at most 1"),
        (["write", "compounds.bin", "--values", "nmaed"], "a\n", 2, "did you mean 'named'"),
        (["train", "-", "-o", "x.bin"], "", 1, "-: the file is empty"),
        (["train", "-", "-o", "x.bin"], "\n\n", 1, "found no words"),
        (["train", "-", "-o", "x.bin", "--linkers", "germn"], "a\n", 2, "did you mean 'german'"),
        (["train", "-", "-o", "x.bin", "--min-length", "0"], "a\n", 2, "--min-length must be at least 1"),
        (["train", "-", "-o", "no/x.bin"], "a\n", 1, "folder does not exist"),
        (["train", "-", "-o", "-"], "a\n", 1, "not standard output"),
    ],
)
def test_mistakes_are_told(folder: Path, arguments: list[str], text: str, code: int, message: str) -> None:
    done = lattice(folder, *arguments, text=text)
    assert done.returncode == code, done.stderr
    assert message in " ".join(done.stderr.split())
    assert not (folder / "x.bin").exists()


@pytest.mark.process
def test_a_process_of_its_own_tells_mistakes_without_a_traceback(folder: Path) -> None:
    program = [sys.executable, "-m", "tunesmith", "lattice", "segment", "compounds.bin"]
    given = {"cwd": folder, "input": "das Winteramt\n", "capture_output": True, "text": True}
    done = subprocess.run([*program, "--method", "freqency"], check=False, **given)
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'frequency'" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_text_that_is_not_utf8_is_told_with_its_line(folder: Path) -> None:
    (folder / "latin.de").write_bytes(b"gut\nM\xfctze\n")
    for command in (["segment", "compounds.bin", "latin.de"], ["write", "compounds.bin", "latin.de"]):
        done = lattice(folder, *command)
        assert done.returncode == 1 and "latin.de:2: not UTF-8" in " ".join(done.stderr.split())
