"""Models for the tests of decoders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.decode.commands import SENTENCES
from tests.decode.sentence_rules import ESCAPED

from tunesmith.corpus import Alignments
from tunesmith.corpus.generated import generate
from tunesmith.model import Model, train
from tunesmith.model.importing import import_model


@pytest.fixture(scope="session")
def moses_model(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The peer's model of Multi30k, filtered to the test sets, with weights tuned by MERT."""
    folder = tmp_path_factory.mktemp("moses") / "model"
    import_model(shared_data / "moses" / "moses.mert.ini", folder)
    return folder


@pytest.fixture(scope="session")
def moses_hiero(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The peer's hierarchical model of Multi30k, filtered to 200 sentences, with weights tuned by MIRA."""
    folder = tmp_path_factory.mktemp("moses-hiero") / "model"
    import_model(shared_data / "moses-hiero" / "moses.mira.ini", folder)
    return folder


@pytest.fixture(scope="session")
def small_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small parallel corpus: `de`, `en`, and their `align`ment."""
    folder = tmp_path_factory.mktemp("corpus")
    pairs = list(generate(300, seed=1, lowercase=True))
    (folder / "de").write_text("".join(f"{pair.source}\n" for pair in pairs))
    (folder / "en").write_text("".join(f"{pair.target}\n" for pair in pairs))
    Alignments.of(pair.alignment for pair in pairs).write(folder / "align")
    return folder


@pytest.fixture(scope="session")
def small_model(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A phrase model of the small corpus."""
    folder = tmp_path_factory.mktemp("small") / "model"
    train(
        small_corpus / "de",
        small_corpus / "en",
        folder,
        alignment=small_corpus / "align",
        lm_order=3,
        max_phrase_length=4,
    )
    return folder


@pytest.fixture(scope="session")
def small_hiero(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hierarchical model of the small corpus, whose rules are in a table."""
    return _model_of_rules(small_corpus, tmp_path_factory, kind="hiero", grammar="global")


@pytest.fixture(scope="session")
def small_index(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hierarchical model of the small corpus, whose rules are extracted sentence by sentence."""
    return _model_of_rules(small_corpus, tmp_path_factory, kind="hiero")


@pytest.fixture(scope="session")
def small_itg(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An inversion transduction grammar over the phrases of the small corpus."""
    return _model_of_rules(small_corpus, tmp_path_factory, kind="itg", max_phrase_length=4)


def _model_of_rules(corpus: Path, factory: pytest.TempPathFactory, **options) -> Path:
    folder = factory.mktemp("rules") / "model"
    train(corpus / "de", corpus / "en", folder, alignment=corpus / "align", lm_order=3, **options)
    return folder


@pytest.fixture(scope="session")
def escaped_corpus(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small corpus, and a pair with words that grammars cannot hold as they are."""
    folder = tmp_path_factory.mktemp("escaped")
    for name, line in zip(("de", "en", "align"), ESCAPED, strict=True):
        (folder / name).write_text((small_corpus / name).read_text() + line + "\n")
    return folder


@pytest.fixture(scope="session")
def escaped_model(escaped_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A hierarchical model of that corpus, whose rules are extracted sentence by sentence."""
    return Model.open(_model_of_rules(escaped_corpus, tmp_path_factory, kind="hiero"))


@pytest.fixture(scope="session")
def loose_model(escaped_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The same with wider rules, and phrases that grow over words without links."""
    options = {"kind": "hiero", "loose_phrases": True, "max_rule_span": 15}
    return Model.open(_model_of_rules(escaped_corpus, tmp_path_factory, **options))


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
