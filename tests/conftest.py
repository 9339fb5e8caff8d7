"""What all tests may ask for."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import settings
from tests.once import made_once
from tests.small_models import trained, write_small_corpus

from tunesmith.model.importing import import_model

# A loaded machine must not fail a test that passes on an idle one.
settings.register_profile("tunesmith", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=10)  # of `make check`
settings.load_profile("tunesmith")

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"  # sits beside the checkout
SHARED = Path(os.environ.get("TUNESMITH_SHARED_DATA") or BESIDE)


def pytest_configure() -> None:
    """Let processes that tests start in other folders find the package where this one does, and heed Ctrl-C.

    A shell starts jobs in the background with Ctrl-C ignored, and so would be all that they start.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if path := os.environ.get("PYTHONPATH"):
        os.environ["PYTHONPATH"] = os.pathsep.join(
            str(Path(part).absolute()) for part in path.split(os.pathsep)
        )


class BackwardFolder(pytest.Dir):
    """A folder whose tests are collected last first."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        return reversed(list(super().collect()))


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Let each second worker import the tests backward.

    Where nothing is compiled yet, two workers then compile half of the modules each, and load the other half.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return BackwardFolder.from_parent(parent, path=path) if int(worker) % 2 else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run files with slow tests first, so that no worker is left with one of them at the end.

    All workers need the same order, however they collected. Tests that need Spark run only if `-m` names
    them, as `make test-spark` does.
    """
    if "spark" not in config.option.markexpr:
        needing = [item for item in items if item.get_closest_marker("spark")]
        config.hook.pytest_deselected(items=needing)
        items[:] = [item for item in items if item not in needing]
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in slow, item.path.parts))


def pytest_collection_finish() -> None:
    """Exempt what was imported and collected from garbage collection, which would visit it over and over.

    Collections are rare from here on: tests make many small objects, and visiting them takes 6% of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def pytest_report_header() -> str:
    """Say whether the tests that need the shared data will run."""
    found = "found" if SHARED.is_dir() else "not found: tests that need it are skipped"
    return f"shared data: {SHARED} ({found}; TUNESMITH_SHARED_DATA names another folder)"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The corpora and peers' outputs that lie beside a developer's checkout."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared data is not at {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def small_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small parallel corpus: `de`, `en`, and their `align`ment."""
    return made_once(tmp_path_factory, "small-corpus", write_small_corpus)


@pytest.fixture(scope="session")
def small_model(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A phrase model of the small corpus."""
    return trained(small_corpus, tmp_path_factory, max_phrase_length=4)


@pytest.fixture(scope="session")
def small_hiero(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hierarchical model of the small corpus, whose rules are in a table."""
    return trained(small_corpus, tmp_path_factory, kind="hiero", grammar="global")


@pytest.fixture
def loop_folder(small_model: Path, small_hiero: Path, small_corpus: Path, tmp_path: Path) -> Path:
    """Links to a model of phrases and one of rules, and a tuning set: the models' weights are untuned."""
    (tmp_path / "model").symlink_to(small_model)
    (tmp_path / "hiero").symlink_to(small_hiero)
    for name in ("de", "en"):
        lines = (small_corpus / name).read_text().splitlines(keepends=True)
        (tmp_path / f"dev.{name}").write_text("".join(lines[:25]))
    return tmp_path


@pytest.fixture(scope="session")
def moses_model(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The peer's model of Multi30k, filtered to the test sets, with weights tuned by MERT."""
    ini = shared_data / "moses" / "moses.mert.ini"
    made = made_once(tmp_path_factory, "moses", lambda folder: import_model(ini, folder / "model"))
    return made / "model"


@pytest.fixture(scope="session")
def moses_hiero(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The peer's hierarchical model of Multi30k, filtered to 200 sentences, with weights tuned by MIRA."""
    ini = shared_data / "moses-hiero" / "moses.mira.ini"
    return (
        made_once(tmp_path_factory, "moses-hiero", lambda made: import_model(ini, made / "model")) / "model"
    )
