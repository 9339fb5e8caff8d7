"""Forests of edge scores, against the forests with features of the same searches."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.decode.test_search_kbest import SPARSE, TEMPLATES, named

from tunesmith.decode import ChartDecoder, PhraseDecoder, Request, open_decoder
from tunesmith.decode.base import AnyDecoder
from tunesmith.errors import InputError
from tunesmith.features import Template
from tunesmith.forest import Derivation, kbest, viterbi
from tunesmith.model import Model


@pytest.fixture(params=["phrase", "hiero", "index", "itg"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def opened(models: Path, kind: str, templates: Sequence[Template]) -> AnyDecoder:
    own = {name: value for name, value in SPARSE.items() if any(each.owns(name) for each in templates)}
    weights = {**Model.open(models / kind).weights, **own}
    return open_decoder(models / kind, weights, templates=templates)


def sentences(models: Path) -> list[str]:
    lines = (models / "test.de").read_text().splitlines()[:2]
    return [*(" ".join(line.split()[:5]) for line in lines), "das unbekannte haus", ""]


@pytest.mark.parametrize("templates", TEMPLATES.values(), ids=TEMPLATES)
def test_nodes_edges_and_scores_are_those_of_the_forest_with_features(
    models: Path, kind: str, templates: tuple[Template, ...]
) -> None:
    decoder = opened(models, kind, templates)
    for text in sentences(models):
        expected = decoder.translate(text, forest=True).forest
        found = decoder.scored_forest(text)
        assert expected is not None
        assert not found.forest.feature_names
        for array in ("edge_offsets", "tail_offsets", "tails"):
            np.testing.assert_array_equal(
                getattr(found.forest.native, array), getattr(expected.native, array)
            )
        wanted = expected.scores(dict(decoder.weights), missing=0.0)
        np.testing.assert_allclose(found.scores, wanted, rtol=0, atol=2e-4)


@pytest.mark.parametrize("templates", TEMPLATES.values(), ids=TEMPLATES)
def test_features_of_derivations_are_those_of_their_edges(
    models: Path, kind: str, templates: tuple[Template, ...]
) -> None:
    decoder = opened(models, kind, templates)
    for text in sentences(models):
        expected = decoder.translate(text, forest=True).forest
        found = decoder.scored_forest(text)
        assert expected is not None
        for each in kbest(found.forest, found.scores, 5):
            same = Derivation(expected, each.edges, each.score)
            assert each.text == same.text
            features = {name: value for name, value in same.features.items() if value}
            assert named(found.features(each)) == pytest.approx(features, abs=1e-4)


def test_features_may_be_asked_for_after_other_searches_and_other_weights(models: Path, kind: str) -> None:
    decoder = opened(models, kind, TEMPLATES["templates"])
    text, other = sentences(models)[:2]
    found = decoder.scored_forest(text)
    best = viterbi(found.forest, found.scores)
    before = named(found.features(best))
    decoder.scored_forest(other)
    decoder.weights = {name: 0.5 * value for name, value in decoder.weights.items()}
    decoder.scored_forest(text)
    assert named(found.features(best)) == before


def test_a_target_that_cannot_be_reached_leaves_an_empty_forest(small_model: Path, small_hiero: Path) -> None:
    phrases, rules = PhraseDecoder.open(small_model), ChartDecoder.open(small_hiero)
    for decoder in (phrases, rules):
        found = decoder.scored_forest(Request("das haus", "no such translation"))
        assert found.forest.node_count == len(found.scores) == 0


def test_edges_that_are_no_derivation_are_refused(models: Path, kind: str) -> None:
    found = opened(models, kind, ()).scored_forest(sentences(models)[0])
    best = viterbi(found.forest, found.scores)
    for edges in ((*best.edges, best.edges[0]), best.edges[:-1], (found.forest.edge_count,), ()):
        with pytest.raises(InputError, match="derivation"):
            found.features(Derivation(found.forest, edges, 0.0))
