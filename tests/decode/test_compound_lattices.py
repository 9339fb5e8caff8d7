"""A sentence with a compound that nobody has seen is translated through the parts of the compound."""

from __future__ import annotations

import pytest

from tunesmith.corpus.compounds import LatticeWriter, WordCounts, train_splitter
from tunesmith.corpus.generated import generate
from tunesmith.decode import Lattice, PhraseDecoder
from tunesmith.model import train


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[LatticeWriter, PhraseDecoder]:
    folder = tmp_path_factory.mktemp("compounds")
    pairs = list(generate(1500, seed=1, lowercase=True))
    source = [pair.source for pair in pairs]
    splitter = train_splitter(WordCounts.of(source))
    (folder / "train.de").write_text("\n".join(splitter.segment(source)) + "\n", encoding="utf-8")
    (folder / "train.en").write_text("".join(pair.target + "\n" for pair in pairs), encoding="utf-8")
    train(folder / "train.de", folder / "train.en", folder / "model", lm_order=3)
    decoder = PhraseDecoder.open(folder / "model")
    weights = {**decoder.weights, "InputFeature0": 0.5}
    return LatticeWriter(splitter, "posterior"), PhraseDecoder.open(folder / "model", weights)


def test_an_unseen_compound_is_translated_through_its_parts(
    trained: tuple[LatticeWriter, PhraseDecoder],
) -> None:
    writer, decoder = trained
    sentence = "der sommergarten ist alt ."
    assert not writer.splitter.words.count("sommergarten")
    assert "sommergarten" in decoder.translate(sentence).text
    found = decoder.translate(Lattice(writer(sentence))).text.split()
    assert {"summer", "garden"} <= set(found) and "sommergarten" not in found


def test_a_sentence_without_compounds_is_translated_as_plain_text(
    trained: tuple[LatticeWriter, PhraseDecoder],
) -> None:
    writer, decoder = trained
    sentence = "der garten ist alt ."
    plain, lattice = decoder.translate(sentence), decoder.translate(Lattice(writer(sentence)))
    assert (plain.text, plain.score) == (lattice.text, lattice.score)
