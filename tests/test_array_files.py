"""Files of arrays: read as written, or an error that tells a missing file from a damaged one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.mutations import changed_bytes

from tunesmith.array_files import read_arrays
from tunesmith.errors import InputError
from tunesmith.tuning.online.shards import Shards, make_shards
from tunesmith.xbleu import shard_passes
from tunesmith.xbleu.seen_sentences import SENTENCES, SeenSentences
from tunesmith.xbleu.training_folder import Checkpoint

READERS: list[tuple[str, Callable[[Path], object], Callable[[Path], object]]] = [
    ("shards.npz", lambda path: make_shards(40, 3).save(path), Shards.read),
    ("checkpoint.npz", lambda path: Checkpoint().write(path), Checkpoint.read),
    (
        SENTENCES,
        lambda path: SeenSentences().write(path.parent),
        lambda path: SeenSentences.read(path.parent),
    ),
    (
        "state.npz",
        lambda path: shard_passes._write(path, {"a": np.arange(9)}),
        shard_passes._read,
    ),
]


@pytest.mark.parametrize(("name", "write", "read"), READERS, ids=[name for name, *_ in READERS])
def test_damages_are_said_to_be_damages_and_a_missing_file_is_said_to_be_missing(
    name: str, write: Callable[[Path], object], read: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / name
    write(path)
    data, refused = path.read_bytes(), 0
    for content in changed_bytes(data, 150, seed=1):
        path.write_bytes(content)
        try:
            read(path)
        except InputError as error:
            refused += 1
            assert str(error).startswith(f"{path}: is damaged; "), error
    assert refused > 60
    path.unlink()
    with pytest.raises(InputError, match=r"npz: no such file|has no sentences\.npz"):
        read(path)


def test_what_is_no_archive_and_an_array_without_a_name_are_damages(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    for content in (b"", b"PK", b"\x93NUMPY", b"\x80\x04."):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"a\.npz: is damaged; remove it"):
            read_arrays(path, "remove it")
    with path.open("wb") as stream:
        np.save(stream, np.arange(3))
    with pytest.raises(InputError, match="is damaged"):
        read_arrays(path, "remove it")
    with pytest.raises(InputError, match=f"^{tmp_path}: is not a regular file"):
        read_arrays(tmp_path, "remove it")


@pytest.mark.parametrize(
    ("offsets", "sentences", "folds"),
    [
        ([0, 2, 1, 3], [0, 1, 2], [-1, -1, -1]),
        ([0, 2, 9], [0, 1, 2], [-1, -1]),
        ([-1, 3], [0, 1, 2], [-1]),
        ([0, 3], [0, -1, 2], [-1]),
        ([0, 3], [0, 1, 2], [-1, -1]),
        ([], [], []),
        ([0.0, 3.0], [0, 1, 2], [-1]),
        ([[0, 3]], [0, 1, 2], [-1]),
    ],
)
def test_shards_that_do_not_fit_are_damaged(
    offsets: list[int], sentences: list[int], folds: list[int], tmp_path: Path
) -> None:
    path = tmp_path / "shards.npz"
    np.savez(path, offsets=offsets, sentences=sentences, folds=folds)
    with pytest.raises(InputError, match=r"shards\.npz: is damaged; restart begins the run anew"):
        Shards.read(path)
