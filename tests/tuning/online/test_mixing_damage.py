"""Files that cannot be mixed are refused as `WeightStore.open` refuses them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tunesmith import _native
from tunesmith.container import write_container
from tunesmith.errors import InputError
from tunesmith.tuning.online.mixing import MixingOptions, mix
from tunesmith.weights import WeightStore

NAMES = [f"feature{number}" for number in range(40_000)]
Arrays = dict[str, np.ndarray[Any, Any]]


def arrays_of(store: WeightStore) -> Arrays:
    blob, offsets = store.native.name_arrays()
    size = len(store)
    keys = np.fromfile(store.path or "", dtype=np.uint64, offset=64, count=size)  # the first section
    return {
        "keys": keys,
        "weights": store.native.weights(),
        "rates": np.ones(size),
        "drifts": np.zeros(size),
        "last_steps": np.zeros(size, dtype=np.int64),
        "names": blob.copy(),
        "name_offsets": offsets.copy(),
        "about": np.zeros(0, dtype=np.uint8),
    }


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "weights"
    WeightStore.of(dict.fromkeys(NAMES, 1.0)).save(path)
    return path


def repeat(arrays: Arrays) -> None:
    """Feature 39,999 becomes a second feature 30,000, which is in another block."""
    blob, offsets = arrays["names"], arrays["name_offsets"]
    blob[offsets[39_999] : offsets[40_000]] = blob[offsets[30_000] : offsets[30_001]]
    arrays["keys"][39_999] = arrays["keys"][30_000]


def change(name: str, at: int, value: Any) -> Callable[[Arrays], None]:
    def changed(arrays: Arrays) -> None:
        arrays[name][at] = value

    return changed


def shorten(arrays: Arrays) -> None:
    arrays["drifts"] = arrays["drifts"][:-1]


IMPOSSIBLE = {
    "the feature 'feature30000' is repeated": repeat,
    "the key of 'feature39999' is not that of its name": change("keys", 39_999, 7),
    "the weight of 'feature20000' or its rate": change("weights", 20_000, np.inf),
    "the weight of 'feature3' or its rate": change("drifts", 3, np.nan),
    "the weight of 'feature5' or its rate": change("rates", 5, -1.0),
    "the weight of 'feature6' or its rate": change("last_steps", 6, -1),
    "the name of feature 0 is not UTF-8": change("names", 2, 0xFF),
    "the name of feature 9 ": change("name_offsets", 10, 10**12),
    "the name of feature 11 ": change("name_offsets", 12, -(10**12)),
    "offsets of its names": change("name_offsets", 0, 1),
    "'drifts' has 39999 values for 40000 features": shorten,
}


@pytest.mark.parametrize("complaint", IMPOSSIBLE)
def test_what_checksums_do_not_show_is_found_in_shards_and_in_the_start(
    complaint: str, sound: Path, tmp_path: Path
) -> None:
    arrays = arrays_of(WeightStore.open(sound))
    IMPOSSIBLE[complaint](arrays)
    write_container(tmp_path / "w", "weights", 1, arrays)
    assert_refused(tmp_path / "w", sound, complaint)


def assert_refused(path: Path, sound: Path, complaint: str) -> None:
    """Whatever the place of the file among shards, with the message of one who opens it."""
    with pytest.raises(InputError) as opened:
        WeightStore.open(path)
    assert complaint in str(opened.value) and str(path) in str(opened.value)
    for start, *shards in ((sound, path, sound), (sound, sound, path), (path, sound)):
        for threads in (1, 3):
            with pytest.raises(InputError) as mixed:
                mix(start, [(shard, 1, 1) for shard in shards], len(shards), (), MixingOptions(), threads)
            assert str(mixed.value) == str(opened.value)


def test_files_that_are_truncated_changed_foreign_empty_or_missing_are_refused(
    sound: Path, tmp_path: Path
) -> None:
    content = sound.read_bytes()
    for complaint, damaged in (
        ("too short", content[:50]),
        ("is truncated or damaged", content[: len(content) // 2]),
        ("is truncated or damaged", content + b"\0"),
        ("wrong checksum", content[:2000] + bytes([content[2000] ^ 1]) + content[2001:]),
        ("wrong checksum", content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]),
    ):
        (tmp_path / "w").write_bytes(damaged)
        assert_refused(tmp_path / "w", sound, complaint)
    write_container(tmp_path / "other", "keyed", 1, {"a": np.zeros(1)})
    assert_refused(tmp_path / "other", sound, "holds 'keyed'; expected 'weights'")
    WeightStore().save(tmp_path / "empty")
    assert_refused(tmp_path / "empty", sound, "no weights in this file")
    assert_refused(tmp_path / "missing", sound, "")


def test_shares_and_steps_below_0_are_refused(sound: Path) -> None:
    for size, steps in ((-1, 1), (1, -1)):
        with pytest.raises(InputError, match="share and steps must be at least 0"):
            mix(sound, [(sound, size, steps)], 1, (), MixingOptions())


def test_a_shard_of_nothing_is_refused() -> None:
    start = WeightStore.of({"a": 1.0}).native
    with pytest.raises(InputError, match="weights are None; expected a store, or the path of a file"):
        _native.mix_weights(start, [(None, 1.0, 1)], [], 0, 1, False, 1)  # type: ignore[list-item]
