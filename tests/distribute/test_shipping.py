"""Shipped tasks, without Spark: files by content, outputs that come back, and a cache of the worker's."""

from __future__ import annotations

import os
import pickle
import tarfile
from pathlib import Path

import pytest

from tunesmith.distribute.delivery import Cache, Delivery, take_in
from tunesmith.distribute.shipping import Shipper, pack_folder


class Worker:
    """A worker with a folder of its own, which knows contents only from what the driver sends."""

    def __init__(self, folder: Path, shipper: Shipper) -> None:
        self.fetched: list[str] = []
        self._shipper, self._folder = shipper, folder
        self.cache = Cache(folder / "cache", self._content, self._archive)

    def _content(self, digest: str) -> bytes:
        self.fetched.append(digest)
        return self._shipper.files[digest].read_bytes()

    def _archive(self, digest: str) -> Path:
        self.fetched.append(digest)
        archive = self._folder / f"{digest}.tar"
        pack_folder(self._shipper.folders[digest], archive)
        return archive


@pytest.fixture
def shipper() -> Shipper:
    return Shipper()


@pytest.fixture
def worker(shipper: Shipper, tmp_path: Path) -> Worker:
    (tmp_path / "worker").mkdir()
    return Worker(tmp_path / "worker", shipper)


@pytest.fixture
def driver(tmp_path: Path) -> Path:
    folder = tmp_path / "driver"
    (folder / "model" / "deep").mkdir(parents=True)
    (folder / "model" / "deep" / "table.bin").write_bytes(b"\0\1\2")
    (folder / "model" / ".lock").touch()
    (folder / "model" / "lm").symlink_to(folder / "big.lm")
    (folder / "big.lm").write_text("an lm")
    (folder / "text.de").write_text("ein haus\n")
    return folder


def test_files_and_folders_have_their_contents_and_names_on_the_worker(
    shipper: Shipper, worker: Worker, driver: Path
) -> None:
    task = {"text": driver / "text.de", "model": [driver / "model"], "n": 3}
    with Delivery(worker.cache) as delivery:
        found = delivery.loads(shipper.dumps(task))
        assert found["n"] == 3
        assert found["text"].name == "text.de" and found["text"].read_text() == "ein haus\n"
        (model,) = found["model"]
        assert sorted(file.relative_to(model).as_posix() for file in model.rglob("*")) == [
            "deep",
            "deep/table.bin",
            "lm",
        ]
        assert (model / "lm").read_text() == "an lm" and not (model / "lm").is_symlink()
        assert not found["text"].is_relative_to(driver) and not model.is_relative_to(driver)


def test_equal_contents_are_fetched_once_and_have_one_path(
    shipper: Shipper, worker: Worker, driver: Path
) -> None:
    places = []
    for _ in range(2):
        with Delivery(worker.cache) as delivery:
            places.append(delivery.loads(shipper.dumps([driver / "text.de", driver / "model"])))
    assert places[0] == places[1]
    assert len(worker.fetched) == 2
    (driver / "text.de").write_text("ein baum\n")
    with Delivery(worker.cache) as delivery:
        (text,) = delivery.loads(shipper.dumps([driver / "text.de"]))
        assert text.read_text() == "ein baum\n" and text != places[0][0]
    worker.cache.keep({text.parent.name})
    assert text.exists() and not places[0][0].exists() and not places[0][1].exists()


def test_equal_contents_under_other_names_have_other_paths(
    shipper: Shipper, worker: Worker, driver: Path
) -> None:
    for name in ("one", "two"):
        (driver / name).mkdir()
        (driver / name / "file").write_text("same")
        (driver / f"{name}.gz").write_text("same")
    names = ["one", "two", "one.gz", "two.gz"]
    with Delivery(worker.cache) as delivery:
        places = delivery.loads(shipper.dumps([driver / name for name in names]))
    assert [place.name for place in places] == names and all(place.exists() for place in places)


def test_a_changed_file_of_a_folder_changes_its_digest(shipper: Shipper, driver: Path) -> None:
    shipper.dumps(driver / "model")
    (driver / "model" / "deep" / "table.bin").write_bytes(b"\0\1\3")
    shipper.dumps(driver / "model")
    os.utime(driver / "model" / "deep" / "table.bin", ns=(1, 1))  # read again: the same content
    shipper.dumps(driver / "model")
    assert len(shipper.folders) == 2


def test_outputs_come_back_and_results_name_paths_of_the_driver(
    shipper: Shipper, worker: Worker, driver: Path
) -> None:
    out, unused = driver / "out.gz", driver / "unused"
    with Delivery(worker.cache) as delivery:
        text, model, output, again, _ = delivery.loads(
            shipper.dumps([driver / "text.de", driver / "model", out, out, unused])
        )
        assert output == again and output.name == "out.gz" and not output.exists()
        output.write_bytes(b"raw bytes")
        result = {"out": output, "text": text, "table": model / "deep" / "table.bin", "other": Path("/x/y")}
        returned = pickle.loads(pickle.dumps(delivery.returned(result)))
    assert not output.exists()  # the scratch folder is gone
    assert not out.exists()
    assert shipper.loads(take_in(returned)) == {
        "out": out,
        "text": driver / "text.de",
        "table": driver / "model" / "deep" / "table.bin",
        "other": Path("/x/y"),
    }
    assert out.read_bytes() == b"raw bytes" and not unused.exists()
    assert not list(driver.glob(".*"))


def test_an_existing_file_that_is_replaced_comes_back_and_a_second_attempt_sees_the_first_one(
    shipper: Shipper, worker: Worker, driver: Path
) -> None:
    for _ in range(2):
        task = shipper.dumps(driver / "text.de")
        with Delivery(worker.cache) as delivery:
            text = delivery.loads(task)
            assert text.read_text() == "ein haus\n"
            (text.parent / "new").write_text("neu\n")
            (text.parent / "new").replace(text)
            returned = delivery.returned(None)
    take_in(returned)
    assert (driver / "text.de").read_text() == "neu\n"


def test_a_folder_as_output_is_refused(shipper: Shipper, worker: Worker, driver: Path) -> None:
    with Delivery(worker.cache) as delivery:
        output = delivery.loads(shipper.dumps(driver / "new"))
        output.mkdir()
        with pytest.raises(IsADirectoryError, match="outputs of shipped tasks are files"):
            delivery.returned(output)


def test_an_archive_that_leaves_its_folder_is_refused(tmp_path: Path, shipper: Shipper, driver: Path) -> None:
    evil = tmp_path / "evil.tar"
    with tarfile.open(evil, "w") as packed:
        packed.add(driver / "text.de", arcname="../outside")
    cache = Cache(tmp_path / "cache", lambda digest: b"", lambda digest: evil)
    with Delivery(cache) as delivery, pytest.raises(tarfile.OutsideDestinationError):
        delivery.loads(shipper.dumps(driver / "model"))
