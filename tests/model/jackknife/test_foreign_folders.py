"""What is found in the folder of fold models stays: it may be anyone's."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.commands import run
from tests.model.jackknife.folded import Folded, fold_corpus
from tests.runs.trees import contents, put_temporary_files

from tunesmith.errors import InputError
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.model.manifest import Manifest

KILLED_WHILE_IT_BUILDS = """
import os, signal, sys
from pathlib import Path
from tunesmith.model.jackknife import FoldModels, JackknifeOptions

def stop(line):
    if "features: started" in line:
        os.kill(os.getpid(), signal.SIGKILL)

options = JackknifeOptions(jackknife=True, jackknife_lm=False, fold_folder=Path(sys.argv[2]))
with FoldModels.of(sys.argv[1], options).open(0, stop):
    pass
"""


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    return fold_corpus(tmp_path_factory.mktemp("foreign"), 240, folds=4)


@pytest.fixture(scope="module")
def model(folded: Folded) -> Path:
    return folded.train("phrase")


def options(folder: Path, **others: bool) -> JackknifeOptions:
    return JackknifeOptions(jackknife=True, jackknife_lm=False, fold_folder=folder, **others)


@pytest.mark.parametrize("command", ["decode", "force"])
def test_a_folder_that_is_refused_stays(command: str, folded: Folded, model: Path, tmp_path: Path) -> None:
    for side, lines in (("de", folded.fold("de", 0)), ("en", folded.fold("en", 0))):
        (tmp_path / side).write_text("".join(f"{line}\n" for line in lines[:2]))
    (tmp_path / "numbers").write_text("0\n0\n")
    precious = tmp_path / "mydata" / "0" / "precious"
    precious.parent.mkdir(parents=True)
    precious.write_text("mine")
    put_temporary_files(precious.parent)
    before = contents(tmp_path / "mydata")
    texts = ("--input", "de", "--output", "out") if command == "decode" else ("de", "en", "-o", "out")
    flags = ("--jackknife", "--fold-file", "numbers", "--fold-folder", "mydata")
    refused = run(command, model, *texts, *flags, folder=tmp_path)
    assert refused.returncode == 1
    assert "is not empty and not a model" in refused.stderr
    assert contents(tmp_path / "mydata") == before


def test_a_fold_model_that_is_found_stays(model: Path, tmp_path: Path) -> None:
    with FoldModels.of(model, options(tmp_path, keep_fold_tables=True)).open(0) as directory:
        pass
    with FoldModels.of(model, options(tmp_path)).open(0) as same:
        assert same == directory
    assert Manifest.read(directory).complete


def test_a_model_that_is_kept_by_one_user_is_not_removed_by_another(model: Path, tmp_path: Path) -> None:
    kept = FoldModels.of(model, options(tmp_path, keep_fold_tables=True))
    with FoldModels.of(model, options(tmp_path)).open(0) as directory, kept.open(0):
        pass
    assert Manifest.read(directory).complete


@pytest.mark.process
def test_what_a_killed_process_has_half_made_is_removed_by_the_next(model: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED_WHILE_IT_BUILDS, str(model), str(tmp_path)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert not Manifest.read(tmp_path / "0.whole-lm").complete
    with FoldModels.of(model, options(tmp_path)).open(0):
        pass
    assert not list(tmp_path.iterdir())


@pytest.mark.process
def test_what_replaced_the_model_of_a_killed_process_stays(model: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED_WHILE_IT_BUILDS, str(model), str(tmp_path)]
    subprocess.run(command, check=False)
    shutil.rmtree(tmp_path / "0.whole-lm")
    (tmp_path / "0.whole-lm").mkdir()
    (tmp_path / "0.whole-lm" / "precious").write_text("mine")
    with pytest.raises(InputError, match="not empty"), FoldModels.of(model, options(tmp_path)).open(0):
        pass
    assert (tmp_path / "0.whole-lm" / "precious").read_text() == "mine"


@pytest.mark.parametrize("name", ["folds", "0.whole-lm"])
def test_a_link_is_not_followed(name: str, model: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    copy = tmp_path / "model"
    shutil.copytree(model, copy, ignore=shutil.ignore_patterns("folds"))
    place = copy if name == "folds" else copy / "folds"
    place.mkdir(exist_ok=True)
    (place / name).symlink_to(tmp_path / "elsewhere")
    models = FoldModels.of(copy, JackknifeOptions(jackknife=True, jackknife_lm=False))
    with (
        pytest.raises(InputError, match=f"{name}: is a link.*name the folder by fold_folder"),
        models.open(0),
    ):
        pass
    assert not list((tmp_path / "elsewhere").iterdir())
