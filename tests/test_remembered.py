"""What commands made is copied only where running them would make the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.remembered import run_or_repeat


class Maker:
    """Runs commands that write how often one was run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch, self.runs = folder, monkeypatch, 0
        (folder / "memory").mkdir()

    def run(self, command: str, name: str, *, fail: bool = False) -> list[str]:
        """Run a command in a folder, and return the names and the contents of its files."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        self.monkeypatch.chdir(folder)

        def make() -> None:
            self.runs += 1
            Path("part").mkdir(exist_ok=True)
            Path("part/made").write_text(str(self.runs))
            if fail:
                raise SystemExit(1)

        run_or_repeat(command, self.folder / "memory", make)
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return [f"{path.relative_to(folder)} {path.read_text()}" for path in files]


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    return Maker(tmp_path, monkeypatch)


def test_an_equal_command_makes_equal_files_without_a_run(maker: Maker) -> None:
    assert maker.run("tunesmith corpus generated -n 5 -o train", "first") == ["part/made 1"]
    assert maker.run("tunesmith corpus generated  -n 5 -o train", "second") == ["part/made 1"]
    assert maker.run("tunesmith corpus generated -n 6 -o train", "third") == ["part/made 2"]


def test_files_of_the_folder_stay_there(maker: Maker) -> None:
    for name in ("first", "second"):
        (maker.folder / name).mkdir()
        (maker.folder / name / name).write_text("here")
        assert maker.run("tunesmith demo --write .", name) == sorted([f"{name} here", "part/made 1"])


@pytest.mark.parametrize("command", ["tunesmith train -o model", "tunesmith corpus generated -n 5 > text"])
def test_commands_that_read_files_and_redirected_ones_are_always_run(maker: Maker, command: str) -> None:
    assert maker.run(command, "first") == ["part/made 1"]
    assert maker.run(command, "second") == ["part/made 2"]


def test_a_failure_is_not_remembered(maker: Maker) -> None:
    with pytest.raises(SystemExit):
        maker.run("tunesmith demo --write .", "first", fail=True)
    assert maker.run("tunesmith demo --write .", "second") == ["part/made 2"]
