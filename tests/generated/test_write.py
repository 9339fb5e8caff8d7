"""Corpora as files."""

from pathlib import Path

import pytest

from tunesmith.errors import InputError, OptionError
from tunesmith.generated import LABEL, generate, write_corpus
from tunesmith.generated import write as module


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_the_files_hold_the_pairs_line_by_line(tmp_path: Path) -> None:
    files = write_corpus(tmp_path / "toy", 40, seed=2)
    pairs = list(generate(40, seed=2))
    assert files.source.name == "toy.de"
    assert [path.name for path in files.targets] == ["toy.en"]
    assert lines(files.source) == [pair.source for pair in pairs]
    assert lines(files.targets[0]) == [pair.target for pair in pairs]
    links = [
        tuple(tuple(map(int, link.split("-"))) for link in line.split()) for line in lines(files.alignment)
    ]
    assert links == [pair.alignment for pair in pairs]


def test_several_references_go_to_numbered_files(tmp_path: Path) -> None:
    files = write_corpus(tmp_path / "toy", 10, references=3, first=7)
    assert [path.name for path in files.targets] == ["toy.en0", "toy.en1", "toy.en2"]
    pairs = list(generate(10, references=3, first=7))
    for r, path in enumerate(files.targets):
        assert lines(path) == [pair.references[r] for pair in pairs]


def test_the_readme_says_that_the_text_is_generated(tmp_path: Path) -> None:
    files = write_corpus(tmp_path / "toy", 3, seed=9)
    text = files.readme.read_text(encoding="utf-8")
    assert LABEL in text
    assert "generated" in text
    assert "seed=9" in text


@pytest.mark.process
def test_processes_do_not_change_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 20)
    one = write_corpus(tmp_path / "one", 50)
    two = write_corpus(tmp_path / "two", 50, processes=2)
    assert one.source.read_bytes() == two.source.read_bytes()
    assert one.alignment.read_bytes() == two.alignment.read_bytes()


def test_an_empty_corpus_is_empty_files(tmp_path: Path) -> None:
    files = write_corpus(tmp_path / "none", 0)
    assert files.source.read_bytes() == b""


def test_a_missing_folder_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder does not exist"):
        write_corpus(tmp_path / "no" / "toy", 1)
    assert list(tmp_path.iterdir()) == []


def test_no_processes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="processes"):
        write_corpus(tmp_path / "toy", 1, processes=0)


@pytest.mark.parametrize("name", ["toy.de", "toy.en", "toy.align", "toy.README"])
def test_text_of_a_user_is_not_replaced(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine\n")
    with pytest.raises(InputError, match=f"{name}: is there already") as raised:
        write_corpus(tmp_path / "toy", 3)
    assert "another name" in str(raised.value)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine\n")]


def test_a_corpus_is_replaced_by_another_but_not_what_its_readme_does_not_name(tmp_path: Path) -> None:
    write_corpus(tmp_path / "toy", 3)
    files = write_corpus(tmp_path / "toy", 4)
    assert len(lines(files.source)) == 4
    (tmp_path / "toy.en1").write_text("mine\n")
    with pytest.raises(InputError, match=r"toy\.en1: is there already, and toy\.README does not name it"):
        write_corpus(tmp_path / "toy", 5, references=2)
    assert len(lines(files.source)) == 4 and lines(tmp_path / "toy.en1") == ["mine"]
