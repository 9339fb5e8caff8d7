"""`tunesmith rerank` and `convert`, and what they share with `tune nbest`: reading candidate lists."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.cli.candidate_files import folder, tune
from tests.commands import run as tunesmith

from tunesmith.candidates import Pool

__all__ = ["folder"]


def test_rerank_writes_to_standard_output(folder: Path) -> None:
    (folder / "w.txt").write_text("f0 1\nf1 0\nf2 0\n")
    done = tunesmith("rerank", "--candidates", "test.nbest.gz", "--weights", "w.txt", folder=folder)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 40


def test_rerank_warns_of_weights_whose_features_do_not_occur(folder: Path) -> None:
    (folder / "w.txt").write_text("f0 1\nf1 0\nf2 0\nx 1\ny 1\nz 1\n")
    done = tunesmith("rerank", "--candidates", "test.nbest.gz", "--weights", "w.txt", folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == (
        "warning: 3 weights have no effect, because such features do not occur here: 'x', 'y', 'z'\n"
    )
    assert len(done.stdout.splitlines()) == 40


def test_rerank_refuses_a_text_that_would_make_two_lines(folder: Path) -> None:
    record = {"id": "s7", "hypotheses": [{"text": "two\nlines", "features": {"f0": 1.0}}]}
    (folder / "test.jsonl").write_text(json.dumps(record) + "\n")
    (folder / "w.txt").write_text("f0 1\n")
    arguments = ["rerank", "--candidates", "test.jsonl", "--weights", "w.txt"]
    for extra in ([], ["-o", "out.txt"], ["-o", "out.txt", "--json"]):
        done = tunesmith(*arguments, *extra, folder=folder)
        assert done.returncode == 1
        assert "of sentence 's7' contains a line end" in " ".join(done.stderr.split())
        assert done.stdout == ""
        assert not (folder / "out.txt").exists()
    done = tunesmith(*arguments, "--json", folder=folder)
    assert json.loads(done.stdout)[0]["text"] == "two\nlines"


def test_convert_merges_and_keeps_each_candidate_once(folder: Path) -> None:
    done = tunesmith(
        "convert",
        "--candidates",
        "dev.nbest.gz",
        "--candidates",
        "dev.nbest.gz",
        "-o",
        "dev.jsonl.gz",
        folder=folder,
    )
    assert done.returncode == 0, done.stderr
    with gzip.open(folder / "dev.jsonl.gz", "rt") as stream:
        assert sum(1 for _ in stream) == 40


FLAT = [
    "--candidates",
    "nmt.txt",
    "--format",
    "flat",
    "--feature",
    "nmt=nmt.scores",
    "--feature",
    "lm=lm.scores",
]


@pytest.fixture
def flat(folder: Path) -> Path:
    """Two lists of two candidates in flat files; one of the score files has one column per candidate."""
    (folder / "nmt.txt").write_text("the big house\na house\nyes it is\nit is not\n")
    (folder / "nmt.scores").write_text("-0.7 -0.5\n-0.9 -0.1\n")
    (folder / "lm.scores").write_text("-4\n-5\n-1\n-3\n")
    (folder / "flat.en").write_text("the big house\nyes it is\n")
    (folder / "w.txt").write_text("nmt 1\nlm 0\n")
    return folder


def test_flat_files_can_be_converted_reranked_and_tuned_on(flat: Path) -> None:
    done = tunesmith("convert", *FLAT, "-o", "nmt.jsonl", folder=flat)
    assert done.returncode == 0, done.stderr
    pool = Pool.read(flat / "nmt.jsonl")
    assert pool.features.to_dense().tolist() == [[-0.7, -4], [-0.5, -5], [-0.9, -1], [-0.1, -3]]
    done = tunesmith("rerank", *FLAT, "--list-size", 2, "--weights", "w.txt", folder=flat)
    assert done.stdout.splitlines() == ["a house", "it is not"], done.stderr
    arguments = ["--references", "flat.en", "--metric", "chrf", "-o", "weights.json", "--start", "w.txt"]
    done = tunesmith("tune", "nbest", *FLAT, *arguments, "--method", "mert", "--restarts", 2, folder=flat)
    assert done.returncode == 0, done.stderr
    done = tunesmith("rerank", *FLAT, "--weights", "weights.json", folder=flat)
    assert done.stdout == (flat / "flat.en").read_text()


def test_held_out_lists_that_cannot_be_read_are_refused(folder: Path, flat: Path) -> None:
    done = tune(folder, "--held-out-references", "test.en")
    assert (done.returncode, done.stderr) == (2, "error: --held-out-references needs --held-out\n")
    done = tunesmith("tune", "nbest", *FLAT, "--held-out", "nmt.txt", "-o", "weights.json", folder=flat)
    assert done.returncode == 2
    assert "--held-out cannot be of format flat" in done.stderr
    done = tune(folder, "--folds", 41)
    assert (done.returncode, done.stderr) == (
        2,
        "error: --folds must be at most 40, the number of sentences, not 41\n",
    )


def test_parquet_columns_can_be_scores(folder: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {"id": [0, 0], "text": ["x", "y"], "lm": [1.0, 2.0], "comet": [0.25, 0.5]}
    parquet.write_table(pyarrow.table(columns), folder / "dev.parquet")
    arguments = ["--candidates", "dev.parquet", "--score-column", "comet", "-o", "dev.jsonl"]
    done = tunesmith("convert", *arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    pool = Pool.read(folder / "dev.jsonl")
    assert pool.feature_names == ("lm",)
    assert pool.scores["comet"].tolist() == [0.25, 0.5]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--candidates", "dev.nbest.gz", "--feature", "lm=lm.scores"],
            "no such option: --feature of format 'moses'",
        ),
        (["--candidates", "dev.nbest.gz", "--list-size", 4], "no such option: --list-size of format 'moses'"),
        (
            ["--candidates", "dev.nbest.gz", "--score-column", "c"],
            "no such option: --score-column of format 'moses'",
        ),
        (
            ["--candidates", "dev.nbest.gz", "--extra-keys", "drop"],
            "no such option: --extra-keys of format 'moses'",
        ),
        (["--candidates", "nmt.txt", "--format", "flat"], "--feature, one score file per feature"),
        ([*FLAT, "--feature", "lm"], "expected NAME=FILE"),
        ([*FLAT, "--feature", "lm=nmt.scores"], "--feature gives 'lm' twice"),
        ([*FLAT[:4], "--feature", "lm=lm.scores"], "set --list-size"),
    ],
)
def test_reader_options_that_do_not_fit_are_a_wrong_command_line(flat: Path, arguments, message) -> None:
    done = tunesmith("convert", *arguments, "-o", "out.jsonl", folder=flat)
    assert done.returncode == 2, done.stderr
    assert message in " ".join(done.stderr.split())


@pytest.mark.parametrize("name", ["dev.csv", "dev.tsv.gz"])
def test_lists_are_converted_to_tables_and_tuned_on_alike(folder: Path, name: str) -> None:
    arguments = ["--candidates", "dev.nbest.gz", "--references", "dev.en", "-o", name]
    done = tunesmith("convert", *arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    quick = ["--method", "mira", "--epochs", 2, "--quiet"]
    weights = []
    for lists, output in ((arguments[:4], "of-lists.json"), (["--candidates", name], "of-table.json")):
        given = [*lists, "-o", output]  # a table has the references
        done = tunesmith("tune", "nbest", *given, *quick, folder=folder)
        assert done.returncode == 0, done.stderr
        weights.append(json.loads((folder / output).read_text())["weights"])
    assert weights[0] == weights[1]


@pytest.mark.parametrize("command", ["mbr", "rerank", "convert"])
def test_errors_name_the_flags_of_reading_whatever_else_a_command_has(flat: Path, command: str) -> None:
    more = {"mbr": [], "rerank": ["--weights", "w.txt"], "convert": ["-o", "nmt.jsonl"]}[command]
    done = tunesmith(command, *FLAT, "--list-size", 0, *more, folder=flat)
    assert (done.returncode, done.stderr) == (2, "error: --list-size must be at least 1, not 0\n")


def test_tune_nbest_standardizes_as_it_is_told_to(folder: Path) -> None:
    ways: list[tuple[tuple[str, ...], str | None]] = [
        (("--standardize", "all"), "all"),
        (("--standardize", "dense"), "dense"),
        (("--standardize", "none"), None),
        (("--no-standardize",), None),
    ]
    for words, noted in ways:
        done = tune(folder, "--method", "mira", "--epochs", 2, *words)
        assert done.returncode == 0, done.stderr
        assert json.loads((folder / "weights.json").read_text())["notes"].get("standardized") == noted
    done = tune(folder, "--standardize", "mean")
    assert done.returncode == 2
    assert "--standardize can be 'mean' in tuning loops only" in done.stderr
