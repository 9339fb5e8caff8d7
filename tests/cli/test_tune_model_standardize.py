"""`tunesmith tune model --standardize`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import Done, run


def tune(folder: Path, *extra: object) -> Done:
    data = ("--source", "dev.de", "--references", "dev.en", "--seed", 1, "--threads", 2)
    return run("tune", "model", "model", *data, *extra, "-o", "tuned", folder=folder)


@pytest.mark.parametrize(
    ("words", "recorded"),
    [
        ((), "dense"),
        (("--standardize", "all"), True),
        (("--standardize", "mean"), "mean"),
        (("--standardize", "none"), None),
        (("--no-standardize",), None),
    ],
)
def test_which_features_are_standardized_is_named(
    words: tuple[str, ...], recorded: object, loop_folder: Path
) -> None:
    done = tune(loop_folder, "--iterations", 1, "--nbest", 5, "--pop-limit", 20, *words)
    assert done.returncode == 0, done.stderr
    settings = json.loads((loop_folder / "tuned" / "run.json").read_text())["settings"]
    assert settings.get("standardize") == recorded


def test_the_flag_to_standardize_needs_one_way(loop_folder: Path) -> None:
    for words, complaint in (
        (
            ("--standardize", "--method", "pl"),
            "--standardize needs a value, one of all, dense, none or mean, but found '--method'",
        ),
        (("--standardize", "all", "--no-standardize"), "--standardize and --no-standardize exclude each"),
        (
            ("--standardize", "mean", "--l2", 0.1),
            "--standardize cannot be 'mean' with a penalty, which is of weights of one scale: give 'dense',"
            " or --l1 0 and --l2 0",
        ),
        (("--standardize", "dens"), "tune: --standardize cannot be 'dens'; did you mean 'dense'"),
    ):
        done = tune(loop_folder, *words)
        assert done.returncode == 2
        assert complaint in done.stderr
