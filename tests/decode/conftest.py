"""Models for the tests of decoders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.decode.commands import SENTENCES
from tests.decode.sentence_rules import ESCAPED
from tests.once import made_once
from tests.small_models import trained

from tunesmith.model import Model, train


@pytest.fixture(scope="session")
def small_index(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hierarchical model of the small corpus, whose rules are extracted sentence by sentence."""
    return trained(small_corpus, tmp_path_factory, kind="hiero")


@pytest.fixture(scope="session")
def small_itg(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An inversion transduction grammar over the phrases of the small corpus."""
    return trained(small_corpus, tmp_path_factory, kind="itg", max_phrase_length=4)


@pytest.fixture(scope="session")
def escaped_corpus(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small corpus, and a pair with words that grammars cannot hold as they are."""

    def make(folder: Path) -> None:
        for name, line in zip(("de", "en", "align"), ESCAPED, strict=True):
            (folder / name).write_text((small_corpus / name).read_text() + line + "\n")

    return made_once(tmp_path_factory, "escaped-corpus", make)


@pytest.fixture(scope="session")
def escaped_model(escaped_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A hierarchical model of that corpus, whose rules are extracted sentence by sentence."""
    return Model.open(trained(escaped_corpus, tmp_path_factory, kind="hiero"))


@pytest.fixture(scope="session")
def loose_model(escaped_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The same with wider rules, and phrases that grow over words without links."""
    options = {"kind": "hiero", "loose_phrases": True, "max_rule_span": 15}
    return Model.open(trained(escaped_corpus, tmp_path_factory, **options))


@pytest.fixture(scope="session")
def escaped_sentences(escaped_corpus: Path) -> list[str]:
    """Sentences of that corpus, one with words that it does not have, and an empty one."""
    lines = (escaped_corpus / "de").read_text().splitlines()
    return [*lines[:4], ESCAPED[0], f"{lines[5]} unbekannt | [y]", ""]


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with so few phrase pairs that all derivations of a few words can be listed."""
    folder = tmp_path_factory.mktemp("tiny")
    source = ["das haus ist klein", "das haus", "ist das haus groß", "klein ist das", "groß", "das ist"]
    target = ["the house is small", "the house", "is the house big", "small is this", "big", "this is"]
    links = ["0-0 1-1 2-2 3-3", "0-0 1-1", "0-0 1-1 2-2 3-3", "0-0 1-1 2-2", "0-0", "0-0 1-1"]
    for name, lines in (("de", source), ("en", target), ("align", links)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    train(folder / "de", folder / "en", folder / "model", alignment=folder / "align", lm_order=2)
    return folder / "model"


@pytest.fixture
def folder(small_model: Path, small_corpus: Path, tmp_path: Path) -> Path:
    """A link to the model, and a test set."""
    (tmp_path / "model").symlink_to(small_model)
    lines = (small_corpus / "de").read_text().splitlines()[:SENTENCES]
    (tmp_path / "test.de").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


@pytest.fixture
def models(
    small_model: Path,
    small_hiero: Path,
    small_index: Path,
    small_itg: Path,
    small_corpus: Path,
    tmp_path: Path,
) -> Path:
    """A folder with models of all kinds, and text."""
    kinds = {"phrase": small_model, "hiero": small_hiero, "index": small_index, "itg": small_itg}
    for name, model in kinds.items():
        (tmp_path / name).symlink_to(model)
    for name in ("de", "en"):
        lines = (small_corpus / name).read_text().splitlines(keepends=True)[:SENTENCES]
        (tmp_path / f"test.{name}").write_text("".join(lines))
    return tmp_path


@pytest.fixture
def broken(folder: Path, small_model: Path) -> Path:
    """A copy of the model, to be damaged."""
    (folder / "model").unlink()
    shutil.copytree(small_model, folder / "model")
    return folder
