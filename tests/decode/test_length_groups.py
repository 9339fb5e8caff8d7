"""Grouped lengths in the decoders: the native feature says what the template says."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import numpy as np
import pytest
from tests.decode.chart_tiny import GLUE, random_grammar, write_chart_model
from tests.decode.derivations import dot

from tunesmith.decode.base import AnyDecoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.constraints import LeaveOneOut
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.errors import InputError
from tunesmith.features import LengthGroups, Pair
from tunesmith.forest import kbest
from tunesmith.generated import generate
from tunesmith.model import Model


@dataclasses.dataclass(frozen=True)
class InPython(LengthGroups):
    """The template without its twin."""

    def twin(self) -> None:  # type: ignore[override]
        return None


def random_weights(template: LengthGroups, names: tuple[str, ...], seed: int) -> dict[str, float]:
    """Draw weights for all groups that pairs of up to 12 words can be in."""
    draw = random.Random(seed)
    scores = dict.fromkeys(names, 1.0)
    pairs = [Pair(("s",) * s, ("t",) * t, (), scores) for s in range(1, 12) for t in range(1, 12)]
    groups = dict.fromkeys(name for pair in pairs for name in template.values(pair))
    return {name: draw.randint(-8, 8) / 128 for name in groups}


def decoders(model: Path, template: LengthGroups, seed: int = 1) -> tuple[AnyDecoder, AnyDecoder]:
    """Return decoders with the native feature and with the template in Python."""
    opened = Model.open(model)
    weights = {**opened.weights, **random_weights(template, tuple(opened.weights), seed)}
    python = InPython(template.sides, template.features, template.longest)
    native, slow = (open_decoder(model, weights, templates=[each]) for each in (template, python))
    return native, slow


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["small_model", "small_hiero", "small_index", "small_itg"])
@pytest.mark.parametrize(
    "template", [LengthGroups(), LengthGroups("target", longest=3), LengthGroups("product", longest=4)]
)
def test_the_twin_agrees_in_every_kind_of_model(
    kind: str, template: LengthGroups, small_corpus: Path, request: pytest.FixtureRequest
):
    native, python = decoders(request.getfixturevalue(kind), template)
    texts = [*(small_corpus / "de").read_text().splitlines()[:6], "unseenword der", ""]
    pairs = zip(native.translate_all(texts), python.translate_all(texts), strict=True)
    met = set()
    for found, expected in pairs:
        assert found.text == expected.text
        assert found.score == pytest.approx(expected.score, abs=1e-3)
        assert dict(found.features) == pytest.approx(dict(expected.features), abs=1e-4)
        assert found.score == pytest.approx(dot(found.features, native.weights), abs=1e-3)
        met |= {name for name in found.features if template.owns(name)}
    assert len(met) > 5


def test_forests_have_the_features_of_their_rules(tmp_path: Path):
    grammar = random_grammar(2)
    model = write_chart_model(tmp_path, [grammar, GLUE], seed=2)
    template = LengthGroups(features=grammar.features, longest=4)
    weights = {**model.weights, **random_weights(template, grammar.features, 3)}
    found = ChartDecoder(model, weights, templates=[template]).translate("a b a b", forest=True)
    forest = found.forest
    assert forest is not None
    for derivation in kbest(forest, weights | dict.fromkeys(forest.feature_names, 0.0) | weights, 20):
        assert derivation.score == pytest.approx(dot(derivation.features, weights), abs=1e-3)
    edges = [forest.edge(i) for i in range(forest.edge_count)]
    told = 0
    for edge in edges:
        scores = {name: value for name, value in edge.features.items() if name in grammar.features}
        own = {name: value for name, value in edge.features.items() if template.owns(name)}
        if scores and edge.rule >= 0:
            expected = template.values(Pair(tuple(edge.source), tuple(edge.target), (), scores))
            assert own == pytest.approx(expected, abs=1e-5)
            told += bool(own)
    assert told > 3


def test_scores_without_the_sentence_itself_are_grouped_as_they_are_then(
    small_model: Path, small_corpus: Path
):
    """Leaving a sentence's own counts out changes its scores, and so what follows from them."""
    model = Model.open(small_model)
    template = LengthGroups()
    weights = {**model.weights, **random_weights(template, tuple(model.weights), 5)}
    decoder = PhraseDecoder(model, weights, SearchOptions(), [template])
    source = (small_corpus / "de").read_text().splitlines()[3]
    target = (small_corpus / "en").read_text().splitlines()[3]
    links = list(generate(4, seed=1, lowercase=True))[3].alignment
    own = LeaveOneOut(np.array(links, dtype=np.int32), max_length=4)
    plain, without = (
        decoder.translate(Request(source, target=target, leave_one_out=each)) for each in (None, own)
    )
    for found in (plain, without):
        assert found.score == pytest.approx(dot(found.features, weights), abs=1e-3)
    grouped = [
        {name: value for name, value in found.features.items() if template.owns(name)}
        for found in (plain, without)
    ]
    assert grouped[0] != pytest.approx(grouped[1])


def test_a_score_that_the_model_lacks_is_an_error(small_hiero: Path):
    with pytest.raises(InputError, match="groups the score 'EgivenF', which rules and phrase pairs of this"):
        open_decoder(small_hiero, templates=[LengthGroups(features=("EgivenF",))])
    with pytest.raises(InputError, match="'LM0', which rules and phrase pairs of this model do not have"):
        open_decoder(small_hiero, templates=[LengthGroups(features=("LM0",))])


def test_a_model_without_any_translation_score_is_an_error(tmp_path: Path):
    model = write_chart_model(tmp_path, [GLUE])
    with pytest.raises(InputError, match="finds no score to group"):
        ChartDecoder(model, templates=[LengthGroups()])


def test_new_weights_are_taken(small_hiero: Path, small_corpus: Path):
    text = (small_corpus / "de").read_text().splitlines()[0]
    decoder = open_decoder(small_hiero, templates=[LengthGroups()])
    before = decoder.translate(text)
    decoder.weights = {**decoder.weights, "LengthGroup_s1-10_FgivenE": -0.5}
    after = decoder.translate(text)
    assert after.score == pytest.approx(dot(after.features, decoder.weights), abs=1e-3)
    assert before.score != after.score
