"""`tunesmith corpus`: prepare, split, folds, tokenize."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO

import pytest
from tests.commands import Done, run

from tunesmith.files import read_lines


def tunesmith(*arguments: object, folder: Path, text: str = "") -> Done:
    return run("corpus", *arguments, folder=folder, stdin=text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "raw.de").write_text("Das ist gut.\n\n" + "".join(f"Satz {n}.\n" for n in range(20)))
    (tmp_path / "raw.en").write_text("That's good.\nx\n" + "".join(f"Sentence {n}.\n" for n in range(20)))
    return tmp_path


RAW = ("--source", "raw.de", "--target", "raw.en")
LANGUAGES = ("--source-language", "de", "--target-language", "en")


def test_prepare_writes_both_sides_and_tells_what_was_dropped(folder: Path) -> None:
    done = tunesmith("prepare", *RAW, *LANGUAGES, "-o", "train", "--json", "--lines", "kept", folder=folder)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["files"] == ["train.de", "train.en"]
    assert (answer["pairs"]["kept"], answer["pairs"]["empty"]) == (21, 1)
    assert "kept 21 of 22 sentence pairs; dropped: 1 with an empty side (line 2)" in done.stderr
    assert read_lines(folder / "train.en")[0] == "that 's good ."
    assert read_lines(folder / "kept")[:2] == ["1", "3"]


def test_quiet_prepare_is_silent(folder: Path) -> None:
    done = tunesmith("prepare", *RAW, *LANGUAGES, "-o", "train", "--quiet", folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_bad_input_ends_with_1_and_a_wrong_option_with_2(folder: Path) -> None:
    (folder / "raw.en").write_text("one line\n")
    done = tunesmith("prepare", *RAW, *LANGUAGES, "-o", "train", folder=folder)
    assert done.returncode == 1
    assert "raw.de:2: this line has no partner" in done.stderr
    done = tunesmith("prepare", *RAW, *LANGUAGES, "-o", "train", "--case", "upper", folder=folder)
    assert done.returncode == 2
    assert "case cannot be 'upper'" in done.stderr


def test_split_and_folds_write_their_files(folder: Path) -> None:
    done = tunesmith("split", *RAW, "--dev", 3, "--test", 0.1, "-o", "part", folder=folder)
    assert done.returncode == 0, done.stderr
    assert "train 17, dev 3, test 2, dropped 0" in done.stderr
    assert len(read_lines(folder / "part.train.de")) == 17
    done = tunesmith("folds", "part.train.de", "--folds", 4, folder=folder)
    assert done.returncode == 0, done.stderr
    assert sorted(set(done.stdout.split())) == ["0", "1", "2", "3"]


def test_tokenize_reads_and_writes_pipes_and_is_undone(folder: Path) -> None:
    text = 'Hello, it\'s "A|B".\n\n'
    done = tunesmith("tokenize", "-l", "en", "--escape", folder=folder, text=text)
    assert done.stdout == "Hello , it &apos;s &quot; A &#124; B &quot; .\n\n"
    back = tunesmith("tokenize", "-l", "en", "--detokenize", folder=folder, text="Hello , it &apos;s .\n")
    assert back.stdout == "Hello, it's.\n"
    wrong = tunesmith("tokenize", "-l", "en", "--detokenize", "--escape", folder=folder, text=text)
    assert wrong.returncode == 2


def test_an_output_never_is_an_input(folder: Path) -> None:
    before = (folder / "raw.de").read_bytes()
    for words in (
        ("folds", "raw.de", "-o", "raw.de"),
        ("tokenize", "raw.de", "-l", "de", "-o", "raw.de"),
        ("prepare", *RAW, *LANGUAGES, "-o", "out", "--lines", "raw.de"),
    ):
        done = tunesmith(*words, folder=folder)
        assert done.returncode == 2 and "is an input" in done.stderr, done.stderr
    assert run("classes", "raw.de", "-o", "raw.de", folder=folder).returncode == 2
    assert (folder / "raw.de").read_bytes() == before


def open_when_read(pipe: Path, process: subprocess.Popen[bytes]) -> BinaryIO:
    """Open a pipe for writing as soon as a process reads it."""
    while process.poll() is None:
        with contextlib.suppress(OSError):  # as long as nobody reads
            return os.fdopen(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), "wb")
        time.sleep(0.01)
    raise AssertionError(f"the process ended with {process.returncode} and read nothing")


@pytest.mark.process
def test_an_ended_command_removes_its_temporary_files(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    words = ["corpus", "tokenize", "pipe", "-l", "de", "-o", "out.de"]
    process = subprocess.Popen([sys.executable, "-m", "tunesmith", *words], cwd=folder)
    with contextlib.suppress(BrokenPipeError), open_when_read(folder / "pipe", process) as pipe:
        process.terminate()
        # Python sees a signal that came just before a blocking read only when the read returns.
        pipe.write(b"ein Satz .\n")
        pipe.flush()
        assert process.wait(timeout=60) == 143
    assert process.wait(timeout=60) == 143
    assert sorted(path.name for path in folder.iterdir()) == ["pipe", "raw.de", "raw.en"]


@pytest.mark.parametrize(
    "words",
    [
        ("prepare", *RAW, *LANGUAGES, "-o", "train", "--lines", "train.lines"),
        ("split", *RAW, "--dev", 3, "--test", 0.1, "-o", "part"),
        ("folds", "raw.de", "--folds", 4, "-o", "raw.folds"),
        ("tokenize", "raw.de", "-l", "de", "-o", "raw.tokens"),
        ("wrap", "set.sgm", "raw.de", "--system", "mine", "-o", "raw.sgm"),
        ("generated", "-n", 3, "-o", "made", "--references-per-pair", 2),
    ],
    ids=lambda words: words[0],
)
def test_a_command_may_be_given_twice(words: tuple[object, ...], folder: Path) -> None:
    segments = "".join(f'<seg id="{n}">a</seg>\n' for n in range(1, len(read_lines(folder / "raw.de")) + 1))
    (folder / "set.sgm").write_text(
        f'<srcset setid="x" srclang="de">\n<doc docid="d">\n{segments}</doc>\n</srcset>\n'
    )
    first = tunesmith(*words, folder=folder)
    assert first.returncode == 0, first.stderr
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    second = tunesmith(*words, folder=folder)
    assert second.returncode == 0, second.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files


def test_generated_text_does_not_replace_a_users(folder: Path) -> None:
    before = (folder / "raw.de").read_bytes()
    done = tunesmith("generated", "-n", 3, "-o", "raw", folder=folder)
    assert done.returncode == 1 and "raw.de: is there already" in done.stderr
    assert (folder / "raw.de").read_bytes() == before and not (folder / "raw.README").exists()
