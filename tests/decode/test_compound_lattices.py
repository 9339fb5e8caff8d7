"""A sentence with a compound that nobody has seen is translated through the parts of the compound."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tunesmith.corpus.compounds import LatticeWriter, WordCounts, train_splitter
from tunesmith.decode import ChartDecoder, ChartOptions, Lattice, PhraseDecoder
from tunesmith.decode.base import AnyDecoder
from tunesmith.generated import SentencePair, generate
from tunesmith.model import train

ARC_FEATURES = ("LatticePosterior", "LatticeParts")


@pytest.fixture(scope="module")
def pairs() -> list[SentencePair]:
    return list(generate(1500, seed=1, lowercase=True))


@pytest.fixture(scope="module")
def writer(pairs: list[SentencePair]) -> LatticeWriter:
    return LatticeWriter(train_splitter(WordCounts.of([pair.source for pair in pairs])), "posterior")


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory, writer: LatticeWriter, pairs: list[SentencePair]) -> Path:
    folder = tmp_path_factory.mktemp("compounds")
    source = writer.splitter.segment([pair.source for pair in pairs])
    (folder / "train.de").write_text("\n".join(source) + "\n", encoding="utf-8")
    (folder / "train.en").write_text("".join(pair.target + "\n" for pair in pairs), encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=["phrase", "itg", "hiero global", "hiero on-demand"])
def decoder(request: pytest.FixtureRequest, text: Path) -> AnyDecoder:
    kind, _, grammar = request.param.partition(" ")
    directory = text / request.param
    options = {"grammar": grammar} if grammar else {}
    train(text / "train.de", text / "train.en", directory, kind=kind, lm_order=3, **options)
    opened = PhraseDecoder if kind == "phrase" else ChartDecoder
    return opened.open(directory, {**opened.open(directory).weights, "InputFeature0": 0.5})


@pytest.mark.slow
def test_an_unseen_compound_is_translated_through_its_parts(
    writer: LatticeWriter, decoder: AnyDecoder
) -> None:
    sentence = "der sommergarten ist alt ."
    assert not writer.splitter.words.count("sommergarten")
    assert "sommergarten" in decoder.translate(sentence).text
    found = decoder.translate(Lattice(writer(sentence))).text.split()
    assert {"summer", "garden"} <= set(found) and "sommergarten" not in found


def test_a_sentence_without_compounds_is_translated_as_plain_text(
    writer: LatticeWriter, decoder: AnyDecoder
) -> None:
    sentence = "der garten ist alt ."
    plain, lattice = decoder.translate(sentence), decoder.translate(Lattice(writer(sentence)))
    assert (plain.text, plain.score) == (lattice.text, lattice.score)


def test_named_features_of_arcs_are_those_of_the_way_that_was_taken(
    writer: LatticeWriter, decoder: AnyDecoder
) -> None:
    if not isinstance(decoder, ChartDecoder):
        pytest.skip("tests of phrase decoders are elsewhere")
    named = LatticeWriter(writer.splitter, "named")
    weights = {**decoder.model.weights, "LatticePosterior": 0.5, "LatticeParts": 0.0}
    told = ChartDecoder(decoder.model, weights, ChartOptions(arc_features=ARC_FEATURES))
    sentence = "der sommergarten ist alt ."
    found = told.translate(Lattice(named(sentence)))
    assert found.text == decoder.translate(Lattice(writer(sentence))).text
    assert found.features["LatticeParts"] == 2  # sommer and garten
    probability = {parts: share for share, parts in writer.splitter.segmentations("sommergarten")}
    expected = math.log(probability["sommer", "garten"])  # both segmentations are kept
    assert found.features["LatticePosterior"] == pytest.approx(expected, abs=1e-3)
