"""`tunesmith extract phrases`: its contract, and what it says when something is wrong."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import Done, run

from tunesmith.extract import PhraseCounts
from tunesmith.files import read_lines
from tunesmith.generated import write_corpus
from tunesmith.tables import PhraseTable

ABSENT = ["--source", "no.de", "--target", "no.en", "--alignment", "no.align"]
INPUT = ["--source", "train.de", "--target", "train.en", "--alignment", "train.align"]


def extract(folder: Path, *arguments: str) -> Done:
    return run("extract", "phrases", *INPUT, *arguments, folder=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_corpus(tmp_path / "train", 40, lowercase=True)
    return tmp_path


def test_tables_lexicon_and_counts_are_written(folder: Path) -> None:
    (folder / "folds").write_text("".join(f"{i % 4}\n" for i in range(40)))
    before = {path.name for path in folder.iterdir()}
    outputs = {
        "-o": "table.gz",
        "--reordering-output": "reordering.gz",
        "--lexicon-output": "lex",
        "--counts-output": "counts.bin",
        "--table-output": "table.bin",
    }
    done = extract(folder, *(word for pair in outputs.items() for word in pair), "--fold-file", "folds")
    assert done.returncode == 0, done.stderr
    assert "scored" in done.stderr
    table, reordering = read_lines(folder / "table.gz"), read_lines(folder / "reordering.gz")
    assert len(table) == len(reordering) == len(PhraseTable.open(folder / "table.bin"))
    assert len(table[0].split(" ||| ")[2].split()) == 4
    assert len(reordering[0].split(" ||| ")[2].split()) == 8
    assert PhraseCounts.open(folder / "counts.bin").folds == 4
    written = {"table.gz", "reordering.gz", "lex.e2f", "lex.f2e", "counts.bin", "table.bin"}
    assert {path.name for path in folder.iterdir()} == before | written


def test_a_table_without_a_fold_is_smaller_and_goes_to_standard_output(folder: Path) -> None:
    (folder / "folds").write_text("".join(f"{i % 4}\n" for i in range(40)))
    whole = extract(folder, "-o", "-", "--quiet")
    part = extract(folder, "-o", "-", "--quiet", "--fold-file", "folds", "--exclude-fold", "1")
    assert whole.stderr == part.stderr == ""
    assert 0 < len(part.stdout.splitlines()) < len(whole.stdout.splitlines())


def test_no_reordering_model_may_be_asked_for(folder: Path) -> None:
    done = extract(folder, "-o", "none.gz", "--reordering", "none")
    plain = extract(folder, "-o", "plain.gz")
    assert done.returncode == plain.returncode == 0, done.stderr
    assert (folder / "none.gz").read_bytes() == (folder / "plain.gz").read_bytes()
    done = extract(folder, "-o", "none.gz", "--reordering", "none", "--table-output", "table.bin")
    assert done.returncode == 0, done.stderr
    refused = extract(folder, "-o", "-", "--reordering", "none", "--reordering-output", "r")
    assert refused.returncode == 2
    assert "1 files for 0 reordering models" in refused.stderr


def test_a_lexicon_of_another_text_is_used_and_its_gaps_are_said(folder: Path) -> None:
    (folder / "lex.e2f").write_text("das the 0.5\n")
    (folder / "lex.f2e").write_text("the das 0.25\n")
    done = extract(folder, "-o", "table.gz", "--lexicon", "lex")
    assert done.returncode == 0, done.stderr
    assert "linked word pairs of the text are not in the lexicon, such as" in done.stderr
    rows = [line.split(" ||| ") for line in read_lines(folder / "table.gz")]
    weights = {(row[0], row[1]): row[2].split()[1::2] for row in rows}
    assert weights["das", "the"] == ["0.5", "0.25"]
    assert weights["morgen", "tomorrow"] == ["1", "1"]


def test_links_of_another_tokenization_are_told_with_file_and_line(folder: Path) -> None:
    lines = read_lines(folder / "train.align")
    lines[6] = "0-99"
    (folder / "train.align").write_text("\n".join(lines) + "\n")
    done = extract(folder, "-o", "table.gz")
    assert done.returncode == 1
    assert "train.align:7:" in done.stderr
    assert not (folder / "table.gz").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--max-length", "9"], 2, "--max-length must be at most 8"),
        (["--smoothing", "kneserney"], 2, "did you mean 'kneser-ney'"),
        (["--reordering", "hier-msd-backward-fe"], 2, "--reordering-output"),
        (["--reordering-output", "a", "--reordering-output", "b"], 2, "2 files for 1"),
        (["--exclude-fold", "1"], 2, "no fold 1"),
        (["--exclude-fold", "0"], 2, "without --fold-file"),
        (["--exclude-fold", "4", "--fold-file", "folds"], 2, "no fold 4 among 4"),
        (["--fold-file", "train.de"], 1, "train.de:1:"),
        (["--fold-file", "few"], 1, "few:3:"),
        (["--fold-file", "many"], 1, "many:41:"),
        (["--fold-file", "large"], 1, "large:2:"),
        (["--memory", "much"], 2, "such as 1G"),
        (["--temporary", "none"], 1, "none: the folder"),
        (
            ["--reordering-smoothing", "0", "--table-output", "t"],
            2,
            "--reordering-smoothing must be a positive number",
        ),
        (["--table-output", "table.gz"], 2, "table.gz is another output too"),
        (["--table-output", "./lex.e2f", "--lexicon-output", "lex"], 2, "another output too"),
        (["--lexicon-output", "none/lex"], 1, "folder does not exist"),
        (["--reordering", "hier-x-backward-fe", "--table-output", "t"], 2, "cannot have 'x'"),
        (["--counts-output", "none/counts"], 1, "folder does not exist"),
    ],
)
def test_wrong_options_are_told(folder: Path, arguments: list[str], code: int, message: str) -> None:
    numbers = {"folds": range(40), "few": range(2), "many": range(41), "large": [0, 1 << 14, *range(38)]}
    for name, folds in numbers.items():
        text = "".join(f"{fold % 4 if fold < 99 else fold}\n" for fold in folds)
        (folder / name).write_text(text)
    before = set(folder.iterdir())
    done = extract(folder, "-o", "table.gz", *arguments)
    assert "lexicon:" not in done.stderr, "work was begun before all was checked"
    assert set(folder.iterdir()) == before
    assert (done.returncode, message in " ".join(done.stderr.split())) == (code, True), done.stderr
    assert not (folder / "table.gz").exists()


def test_what_holds_no_pairs_is_an_error_that_says_why(folder: Path) -> None:
    done = extract(folder, "-o", "table.gz", "--min-count", "100000")
    assert (done.returncode, "(--min-count); nothing is left" in done.stderr) == (1, True)
    (folder / "train.align").write_text("\n" * 40)
    done = extract(folder, "-o", "table.gz")
    assert (done.returncode, "train.align: has no links" in done.stderr) == (1, True)
    assert not (folder / "table.gz").exists()


def test_memory_and_temporary_files_change_nothing(folder: Path) -> None:
    (folder / "spill").mkdir()
    choices = ([], ["--memory", "1K", "--temporary", "spill"], ["--memory", "0.5G"])
    outputs = [extract(folder, "-o", "-", "--quiet", *arguments).stdout for arguments in choices]
    assert outputs[0]
    assert outputs[1:] == outputs[:1] * 2
    assert not list((folder / "spill").iterdir())


@pytest.mark.process
def test_a_terminated_command_leaves_no_temporary_files(folder: Path) -> None:
    write_corpus(folder / "train", 20_000, lowercase=True)
    before = set(folder.iterdir())
    words = [sys.executable, "-m", "tunesmith", "extract", "phrases", *INPUT, "-o", "table.gz"]
    with subprocess.Popen(words, cwd=folder, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if "numbered" in line:  # the extraction of phrases begins, in native code
                running.terminate()
                break
        running.stderr.read()
    assert running.returncode == 128 + signal.SIGTERM
    assert set(folder.iterdir()) == before


def test_a_full_disk_is_told(folder: Path) -> None:
    done = extract(folder, "-o", "/dev/full")
    assert done.returncode == 1
    assert "cannot write" in done.stderr


def test_whole_instance_weights_are_repeated_lines(folder: Path) -> None:
    for name in ("train.de", "train.en", "train.align"):
        lines = read_lines(folder / name)
        text = "".join(line + "\n" for i, line in enumerate(lines) for _ in range(1 + i % 2))
        (folder / f"twice.{name}").write_text(text)
    (folder / "weights").write_text("".join(f"{1 + i % 2}\n" for i in range(40)))
    weighted = extract(folder, "-o", "-", "--quiet", "--instance-weights", "weights")
    inputs = [word if word.startswith("--") else f"twice.{word}" for word in INPUT]
    repeated = run("extract", "phrases", *inputs, "-o", "-", "--quiet", folder=folder)
    assert weighted.returncode == 0, weighted.stderr
    assert weighted.stdout == repeated.stdout != extract(folder, "-o", "-", "--quiet").stdout
    (folder / "weights").write_text("1\n0\n")
    done = extract(folder, "-o", "x", "--instance-weights", "weights")
    assert done.returncode == 1 and "weights:2: expected a positive weight" in done.stderr
    (folder / "weights").write_text("1\n2\n")
    done = extract(folder, "-o", "x", "--instance-weights", "weights")
    assert done.returncode == 1 and "weights:3: expected a weight for each of 40" in done.stderr


def test_files_of_moses_are_scored_in_place_of_text(folder: Path) -> None:
    lines = [
        "das haus ||| the house ||| 0-0 1-1",
        "das ||| the ||| 0-0",
        "das ||| that ||| 0-0",
        "das ||| the ||| 0-0",
    ]
    (folder / "extract").write_text("".join(line + "\n" for line in lines))
    oriented = [line.rpartition(" ||| ")[0] + " ||| mono swap" for line in lines]
    (folder / "extract.o").write_text("".join(line + "\n" for line in oriented))
    pairs = {
        ("das", "the"): ("1.0", "0.75"),
        ("das", "that"): ("1.0", "0.25"),
        ("haus", "house"): ("1.0", "1.0"),
    }
    for name, column in (("lex.e2f", 0), ("lex.f2e", 1)):
        rows = (f"{' '.join(pair[:: 1 - 2 * column])} {values[column]}\n" for pair, values in pairs.items())
        (folder / name).write_text("".join(rows))
    command = ["extract", "phrases", "--extract", "extract", "--lexicon", "lex", "-o", "-", "--quiet"]
    done = run(*command, folder=folder)
    assert done.returncode == 0, done.stderr
    scores = {
        tuple(line.split(" ||| ")[:2]): line.split(" ||| ")[2].split() for line in done.stdout.splitlines()
    }
    assert [float(value) for value in scores["das", "the"]] == pytest.approx([1, 1, 2 / 3, 0.75], rel=1e-5)
    assert [float(value) for value in scores["das haus", "the house"]] == pytest.approx([1, 1, 1, 0.75])
    models = ["--reordering", "wbe-msd-bidirectional-fe", "--reordering-output", "r"]
    done = run(*command, *models, "--extract-orientations", "extract.o", folder=folder)
    assert done.returncode == 0, done.stderr
    assert len(read_lines(folder / "r")) == 3
    assert "needs orientations of 'wbe'; the file has none" in run(*command, *models, folder=folder).stderr
    (folder / "extract").write_text(" ".join("a" * 9) + " ||| b ||| 0-0\n")
    assert "extract:1: found a phrase pair of 9 and 1 words" in run(*command, folder=folder).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "train.de"], "expected --source, --target and --alignment, or --extract"),
        (["--extract", "e"], "--extract needs --lexicon"),
        (["--extract", "e", "--lexicon", "lex", "--fold-file", "f"], "--fold-file is for text"),
        (["--extract", "e", "--lexicon", "lex", "--instance-weights", "w"], "--instance-weights is for text"),
        (
            ["--extract", "e", "--lexicon", "lex", "--orientation-events", "moses"],
            "--orientation-events is for text",
        ),
        ([*INPUT, "--orientation-events", "moses"], "--orientation-events moses is for reordering models"),
        (
            [*INPUT, "--orientation-events", "moses", "--reordering", "none", "--table-output", "t"],
            "--orientation-events moses is for reordering models",
        ),
        ([*INPUT, "--extract-orientations", "o"], "--extract-orientations needs --extract"),
        ([*INPUT, "--lexicon", "lex", "--lexicon-output", "o"], "exclude each other"),
        (
            [*ABSENT, "--lexicon", "lex", "--fold-file", "f", "--exclude-fold", "1"],
            "--exclude-fold needs the counts of a lexicon",
        ),
        (
            [*ABSENT, "--counts-output", "c", "--orientation-events", "mose"],
            "--orientation-events cannot be 'mose'; did you mean 'moses'?",
        ),
        ([*ABSENT, "--threads", "0"], "--threads must be"),
    ],
)
def test_inputs_that_do_not_go_together_are_refused(arguments: list[str], message: str, folder: Path) -> None:
    done = run("extract", "phrases", *arguments, "-o", "x", folder=folder)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_other_events_are_counted_for_a_file_of_counts_or_a_model_that_has_them(folder: Path) -> None:
    command = ["extract", "phrases", *INPUT, "--quiet", "-o", "x", "--orientation-events"]
    assert run(*command, "blocks", folder=folder).returncode == 0  # the default
    given: dict[str, list[object]] = {
        "counts": ["--counts-output", "counts"],
        "table": ["--table-output", "t"],
        "model": ["--reordering", "phrase-msd-bidirectional-fe", "--reordering-output", "r"],
    }
    for name, options in given.items():
        done = run(*command, "moses", *options, folder=folder)
        assert done.returncode == 0, (name, done.stderr)
