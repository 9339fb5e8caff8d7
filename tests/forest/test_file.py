"""Forests in a mapped file: nothing is lost, nothing damaged is believed."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.forest.enumeration import spelled
from tests.forest.random_forests import forests

from tunesmith.errors import InputError, OptionError
from tunesmith.forest import Edge, Forest, build_forest
from tunesmith.forest.file import ForestFile, ForestWriter


def small(word: str = "a", **features: float) -> Forest:
    return build_forest(
        [
            [Edge((), (word, "ü"), {"lm": -1.25} | features, (0, 1), ("x",), ((0, 1),), 7)],
            [Edge((0, 0), (-2, word, -1), {"tm": 0.1}), Edge((0,), (-1,), {"lm": -1.25, "tm": 3.0}, (0, 4))],
        ]
    )


def write(path: Path, *added: Forest) -> ForestFile:
    with ForestWriter(path) as writer:
        for forest in added:
            writer.add(forest)
    return ForestFile.open(path)


def raw_arrays(forest: Forest) -> dict[str, list[object]]:
    """All arrays that do not hold numbers of words or features, values as bits."""
    native = forest.native
    names = [
        "edge_offsets", "tail_offsets", "tails", "edge_rules", "spans", "edge_feature_offsets",
        "source_offsets", "target_offsets", "link_offsets", "links", "rule_ids", "rule_feature_offsets",
    ]  # fmt: skip
    arrays = {name: getattr(native, name).tolist() for name in names}
    for name in ("edge_feature", "rule_feature"):
        values = np.ascontiguousarray(getattr(native, f"{name}_values"))
        arrays[f"{name}_bits"] = values.view(np.uint32).tolist()
        columns = getattr(native, f"{name}_columns").tolist()
        arrays[f"{name}_names"] = [forest.feature_names[i] for i in columns]
    for name in ("sources", "targets"):
        symbols = getattr(native, name).tolist()
        arrays[name] = [s if s < 0 else forest.words[s] for s in symbols]
    return arrays


@given(given=st.lists(forests(), max_size=2))
def test_every_array_of_every_forest_comes_back_bit_for_bit(given: list[Forest], tmp_path_factory):
    file = write(tmp_path_factory.mktemp("forests") / "forests.bin", *given)
    assert len(file) == len(given)
    for old, new in zip(given, file, strict=True):
        assert raw_arrays(new) == raw_arrays(old)


def test_forests_are_found_by_number_and_by_id(tmp_path: Path):
    with ForestWriter(tmp_path / "f.bin") as writer:
        writer.add(small("a"), "doc1:1")
        writer.add(small("b"))
        writer.add(build_forest([], features=["never"]), "empty ü")
        assert len(writer) == 3
    file = ForestFile.open(tmp_path / "f.bin")
    assert file.ids == ("doc1:1", "1", "empty ü")
    assert spelled(file[1]) == spelled(small("b")) == spelled(file.by_id("1"))
    assert spelled(file[-3]) == spelled(small("a"))
    assert file[2].node_count == 0
    assert [forest.node_count for forest in file[1:]] == [2, 0]
    assert file.node_counts.tolist() == [2, 2, 0]
    assert file.edge_counts.tolist() == [3, 3, 0]
    assert [name for name, _ in file.items()] == list(file.ids)
    with pytest.raises(IndexError):
        _ = file[3]
    with pytest.raises(InputError, match="no forest has the id 'x'"):
        file.find("x")


def test_all_forests_of_a_file_share_its_features_also_those_that_no_edge_has(tmp_path: Path):
    file = write(tmp_path / "f.bin", small(), build_forest([], features=["never"]), small(extra=1.0))
    assert file.feature_names == ("lm", "tm", "never", "extra")
    assert {forest.feature_names for forest in file} == {file.feature_names}
    weights = {"lm": 1.0, "tm": 10.0, "never": 0.0, "extra": 2.0}
    assert file[0].scores(weights) == pytest.approx(small().scores(weights))


def test_a_file_is_pickled_as_its_path(tmp_path: Path):
    file = write(tmp_path / "f.bin", small())
    again = pickle.loads(pickle.dumps(file))
    assert len(pickle.dumps(file)) < 300
    assert spelled(again[0]) == spelled(file[0])


def test_a_forest_outlives_its_file(tmp_path: Path):
    forest = write(tmp_path / "f.bin", small())[0]
    (tmp_path / "f.bin").unlink()
    assert spelled(forest) == spelled(small())


def test_the_same_forests_give_the_same_bytes(tmp_path: Path):
    write(tmp_path / "a.bin", small(), small("b"))
    write(tmp_path / "b.bin", small(), small("b"))
    assert (tmp_path / "a.bin").read_bytes() == (tmp_path / "b.bin").read_bytes()


def test_threads_may_write_one_file(tmp_path: Path):
    with ForestWriter(tmp_path / "f.bin") as writer:

        def work(first: int) -> None:
            for i in range(first, first + 50):
                writer.add(small(f"w{i}"), f"s{i}")

        threads = [threading.Thread(target=work, args=(50 * i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    file = ForestFile.open(tmp_path / "f.bin")
    assert sorted(file.ids) == sorted(f"s{i}" for i in range(200))
    for i in range(200):
        assert file.by_id(f"s{i}").edge(0).target == (f"w{i}", "ü")


def test_two_forests_of_one_id_are_refused_and_leave_nothing(tmp_path: Path):
    with (
        pytest.raises(InputError, match="two forests have the id '1'"),
        ForestWriter(tmp_path / "f") as writer,
    ):
        writer.add(small(), "1")
        writer.add(small())
    assert list(tmp_path.iterdir()) == []


def test_an_empty_id_is_refused(tmp_path: Path):
    with pytest.raises(OptionError, match="cannot be empty"), ForestWriter(tmp_path / "f") as writer:
        writer.add(small(), "")


def test_a_failed_block_leaves_nothing_and_an_ended_writer_refuses(tmp_path: Path):
    with pytest.raises(ZeroDivisionError), ForestWriter(tmp_path / "f") as writer:
        writer.add(small())
        _ = 1 / 0
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="closed"):
        writer.add(small())


@pytest.mark.process
def test_a_full_disk_is_an_error_and_leaves_nothing(tmp_path: Path):
    program = """
import resource, sys
import numpy as np
from tunesmith.errors import InputError
from tunesmith.forest import Edge, build_forest
from tunesmith.forest.file import ForestWriter
resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
values = np.random.default_rng(1).normal(size=5000).tolist()
forest = build_forest([[Edge((), (), {"f": value}) for value in values]])
try:
    with ForestWriter(sys.argv[1]) as writer:
        for _ in range(int(sys.argv[2])):
            writer.add(forest)
except InputError as error:
    print(error)
"""
    ignoring = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    for count in ("1", "10"):  # too large while it is closed, and while it is written
        done = subprocess.run(
            [sys.executable, "-Bc", ignoring + program,
             str(tmp_path / "f.bin"), count],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert "f.bin: cannot write: File too large" in done.stdout
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing", "cannot open"), (".", "not a regular file"), ("text", "not a Tunesmith")],
)
def test_what_is_no_file_of_forests_is_refused(name: str, message: str, tmp_path: Path):
    (tmp_path / "text").write_text("0 hyp=0 stack=0\n" * 20, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        ForestFile.open(tmp_path / name)


def read_all(path: Path) -> object:
    file = ForestFile.open(path)
    return file.ids, list(file.words), file.feature_names, [raw_arrays(forest) for forest in file]


def test_a_file_that_is_cut_anywhere_is_refused(tmp_path: Path):
    write(tmp_path / "f.bin", small(), small("b"), small("c", extra=2.0))
    data = (tmp_path / "f.bin").read_bytes()
    for length in range(0, len(data), 7):
        (tmp_path / "cut.bin").write_bytes(data[:length])
        with pytest.raises(InputError):
            read_all(tmp_path / "cut.bin")


def test_damage_is_found_and_never_a_crash(tmp_path: Path):
    source = random.Random(1)
    values = np.random.default_rng(1).normal(size=500).tolist()
    many = build_forest([[Edge((), ("w", f"x{i % 9}"), {"f": v}, (0, 1)) for i, v in enumerate(values)]])
    write(tmp_path / "f.bin", small(), many, small("c"))
    whole = read_all(tmp_path / "f.bin")
    data = (tmp_path / "f.bin").read_bytes()
    refused = 0
    for _ in range(400):
        damaged = bytearray(data)
        for _ in range(source.choice([1, 1, 1, 5, 50])):
            damaged[source.randrange(len(data))] ^= 1 << source.randrange(8)
        (tmp_path / "bad.bin").write_bytes(damaged)
        try:
            assert read_all(tmp_path / "bad.bin") == whole  # the damage hit the padding between sections
        except InputError:
            refused += 1
    assert refused > 300
