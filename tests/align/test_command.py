"""`tunesmith align`: the contract, exit codes, and what it says when something is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests import commands

from tunesmith.align import align_corpus, train_aligner
from tunesmith.corpus import Alignments, Bitext
from tunesmith.generated import write_corpus


def run(folder: Path, *arguments: object) -> commands.Done:
    return commands.run("align", *arguments, folder=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("align")
    write_corpus(made / "t", 200, lowercase=True)
    (made / "short.en").write_text("one line\n")
    (made / "few.align").write_text("0-0\n")
    (made / "far.align").write_text("0-0\n0-999\n" + "\n" * 198)
    (made / "bad.de").write_bytes(b"a\n\xff\n")
    os.mkfifo(made / "pipe")
    return made


TEXT = ("--source", "t.de", "--target", "t.en")


def test_the_call_writes_what_python_returns(folder: Path) -> None:
    done = run(folder, *TEXT, "-o", "a", "--aligner", "diagonal", "--symmetrize", "union", "--forward", "f")
    assert done.returncode == 0, done.stderr
    assert "diagonal 4: log likelihood" in done.stderr
    bitext = Bitext.read(folder / "t.de", folder / "t.en")
    assert Alignments.read(folder / "a") == align_corpus(bitext, "diagonal", "union")
    assert Alignments.read(folder / "f") == train_aligner(bitext, "diagonal").directions(bitext)[0]


def test_a_saved_aligner_aligns_without_training(folder: Path) -> None:
    saved = run(folder, *TEXT, "-o", "b", "--save-aligner", "m.bin", "--quiet", "--em-iterations", 2)
    assert (saved.returncode, saved.stderr) == (0, "")
    loaded = run(folder, *TEXT, "-o", "-", "--load-aligner", "m.bin", "--threads", 1, "--gold", "t.align")
    assert loaded.stdout == (folder / "b").read_text()
    assert loaded.stderr.startswith("AER ")


def test_gold_links_give_the_error_rate(folder: Path) -> None:
    done = run(folder, *TEXT, "-o", "c.gz", "--gold", "t.align", "--reverse", "r.xz", "-q")
    assert done.stdout.startswith("AER ")
    assert len(Alignments.read(folder / "r.xz")) == len(Alignments.read(folder / "c.gz")) == 200


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--source", "t.de", "--target", "short.en", "-o", "x"), 1, "t.de:2: this line has no partner"),
        (("--source", "bad.de", "--target", "t.en", "-o", "x"), 1, "bad.de:2: "),
        (("--source", "none", "--target", "t.en", "-o", "x"), 1, "no such file"),
        ((*TEXT, "-o", "no/where"), 1, "folder does not exist"),
        ((*TEXT, "-o", "/dev/full", "-q"), 1, "No space left"),
        ((*TEXT, "-o", "x", "--save-aligner", "pipe", "-q"), 1, "pipe: is not a regular file"),
        ((*TEXT, "-o", "x", "--aligner", "ibm5"), 2, "unknown alignment model 'ibm5'"),
        ((*TEXT, "-o", "x", "--symmetrize", "grow"), 2, "--symmetrize cannot be 'grow'"),
        ((*TEXT, "-o", "x", "--aligner", "ibm1", "--null", "0.1"), 2, "no such option: --null of ibm1"),
        ((*TEXT, "-o", "x", "--load-aligner", "t.de"), 1, "t.de"),
        (
            (*TEXT, "-o", "x", "--load-aligner", "m", "--aligner", "hmm"),
            2,
            "--load-aligner excludes --aligner",
        ),
        ((*TEXT, "-o", "x", "--possible", "t.align"), 2, "--possible needs --gold"),
        ((*TEXT, "-o", "x", "--gold", "short.en", "-q"), 1, "short.en:1: "),
        ((*TEXT, "-o", "x", "--gold", "few.align", "-q"), 1, "few.align: found 1 alignments for 200"),
        ((*TEXT, "-o", "x", "--gold", "far.align", "-q"), 1, "far.align:2: found the link 0-999"),
        ((*TEXT, "-o", "t.de"), 2, "t.de is an input"),
        ((*TEXT, "-o", "x", "--gold", "t.align", "--save-aligner", "t.align"), 2, "t.align is an input"),
        ((*TEXT, "-o", "x", "--forward", "y", "--reverse", "y"), 2, "y is another output"),
    ],
)
def test_mistakes_end_with_a_message_and_a_code(folder: Path, arguments, code: int, message: str) -> None:
    done = run(folder, *arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert (folder / "pipe").is_fifo()
    assert not (folder / "x").exists()
