"""K-best lists extracted from the search graph, against those of the forest of the same search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.decode.toy_templates import Alternation, Ends, NoEnd

from tunesmith.decode import ChartDecoder, Lattice, PhraseDecoder, Request, open_decoder
from tunesmith.decode.base import AnyDecoder
from tunesmith.errors import InputError
from tunesmith.features import (
    BorderBigrams,
    PhraseLength,
    RuleIdentity,
    SpanLength,
    StructuralDistortion,
    TargetBigrams,
    Template,
)
from tunesmith.forest import kbest
from tunesmith.model import Model

K = 60
TEMPLATES: dict[str, tuple[Template, ...]] = {
    "dense": (),
    "templates": (Ends(), PhraseLength(), Alternation(), BorderBigrams()),
    "native": (RuleIdentity(), TargetBigrams(), SpanLength(), StructuralDistortion()),
}
SPARSE = {
    "Ends": 0.125,
    "PhraseLength_1x1": -0.25,
    "Alternation_1": 0.5,
    "Alternation_end": -0.25,
    "TargetBigram_<s>_the": 0.5,
    "SpanLength_2": 0.25,
    "StructuralDistortion_m_1": -0.25,
}


@pytest.fixture(params=["phrase", "hiero", "index", "itg"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def opened(models: Path, kind: str, templates: Sequence[Template]) -> AnyDecoder:
    model = Model.open(models / kind)
    own = {name: value for name, value in SPARSE.items() if any(each.owns(name) for each in templates)}
    weights = {**model.weights, **own}
    return open_decoder(models / kind, weights, templates=templates)


def sentences(models: Path) -> list[str]:
    lines = (models / "test.de").read_text().splitlines()[:2]
    return [*(" ".join(line.split()[:5]) for line in lines), "das unbekannte haus", ""]


def dot(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(value * weights.get(name, 0.0) for name, value in features.items())


def named(vector) -> dict[str, float]:
    return dict(zip(vector.names(), vector.values.tolist(), strict=True))


@pytest.mark.parametrize("templates", TEMPLATES.values(), ids=TEMPLATES)
def test_the_list_is_that_of_the_forest_in_the_same_order(
    models: Path, kind: str, templates: tuple[Template, ...]
) -> None:
    decoder = opened(models, kind, templates)
    for text in sentences(models):
        forest = decoder.translate(text, forest=True).forest
        assert forest is not None
        expected = kbest(forest, dict(decoder.weights), K, unique=True, missing=0.0)
        found = decoder.kbest(text, K)
        assert len(found) == len(expected) == len(set(found.texts))
        np.testing.assert_allclose(found.scores, [each.score for each in expected], rtol=0, atol=2e-4)
        # Sums of 32-bit numbers round: what scores the same but for that may change places.
        by_text = {each.text: each.score for each in expected}
        for text_found, wanted, score in zip(found.texts, expected, found.scores, strict=True):
            assert text_found == wanted.text or abs(by_text.get(text_found, score) - wanted.score) < 2e-4


@pytest.mark.parametrize("templates", TEMPLATES.values(), ids=TEMPLATES)
def test_scores_are_products_of_features_and_weights(
    models: Path, kind: str, templates: tuple[Template, ...]
) -> None:
    decoder = opened(models, kind, templates)
    for text in sentences(models):
        found = decoder.kbest(text, 12)
        for number in (0, len(found) - 1, 0):  # again: nothing is left over from another candidate
            product = dot(named(found.features(number)), decoder.weights)
            assert product == pytest.approx(found.scores[number], abs=2e-4)


@pytest.mark.parametrize("templates", TEMPLATES.values(), ids=TEMPLATES)
def test_the_best_candidate_has_the_features_of_the_translation(
    models: Path, kind: str, templates: tuple[Template, ...]
) -> None:
    decoder = opened(models, kind, templates)
    for text in sentences(models):
        best = decoder.translate(text)
        found = decoder.kbest(text, 3)
        features = {name: value for name, value in best.features.items() if value}
        assert found.texts[0] == best.text
        assert named(found.features(0)) == pytest.approx(features, abs=1e-4)


def test_features_are_those_of_the_derivations_of_the_forest(models: Path, kind: str) -> None:
    decoder = opened(models, kind, TEMPLATES["templates"])
    text = sentences(models)[0]
    forest = decoder.translate(text, forest=True).forest
    assert forest is not None
    expected = {
        each.text: each for each in kbest(forest, dict(decoder.weights), 20, unique=True, missing=0.0)
    }
    found = decoder.kbest(text, 20)
    for number, candidate in enumerate(found.texts):
        if candidate not in expected:
            continue
        features = {name: value for name, value in expected[candidate].features.items() if value}
        if abs(dot(features, decoder.weights) - found.scores[number]) < 1e-6:
            assert named(found.features(number)) == pytest.approx(features, abs=1e-4)


def test_lists_do_not_depend_on_threads_or_on_other_sentences(models: Path, kind: str) -> None:
    decoder = opened(models, kind, ())
    texts = sentences(models)
    alone = [decoder.kbest(text, 20) for text in texts]
    together = list(decoder.kbest_all(texts, 20, threads=2))
    assert [each.texts for each in together] == [each.texts for each in alone]
    assert [each.scores.tolist() for each in together] == [each.scores.tolist() for each in alone]
    # Features are computed when the search has gone on to other sentences.
    for a, b in zip(together, alone, strict=True):
        assert named(a.features(len(a) - 1)) == named(b.features(len(b) - 1))


def test_derivations_of_one_text_are_listed_if_asked_for(small_model: Path, small_corpus: Path) -> None:
    decoder = PhraseDecoder.open(small_model)
    text = (small_corpus / "de").read_text().splitlines()[0]
    found = decoder.kbest(text, 50, unique=False)
    assert len(found) == 50
    assert len(set(found.texts)) < 50
    assert (np.diff(found.scores) <= 0).all()


def test_constrained_requests_and_lattices_have_lists(small_model: Path, small_corpus: Path) -> None:
    decoder = PhraseDecoder.open(small_model)
    text = (small_corpus / "de").read_text().splitlines()[0]
    target = decoder.kbest(text, 5).texts[3]
    forced = decoder.kbest(Request(text, target), 5)
    assert forced.texts == (target,)
    assert dot(named(forced.features(0)), decoder.weights) == pytest.approx(forced.scores[0], abs=2e-4)
    assert len(decoder.kbest(Request(text, "no such translation"), 5)) == 0
    lattice = Lattice("(" + "".join(f"(('{word}',0.5,1),)," for word in text.split()[:3]) + ")")
    decoder.weights = {**decoder.weights, "InputFeature0": 0.5}
    found = decoder.kbest(lattice, 5)
    assert dot(named(found.features(4)), decoder.weights) == pytest.approx(found.scores[4], abs=2e-4)


def test_a_forbidden_end_leaves_no_candidates(small_model: Path) -> None:
    assert len(PhraseDecoder.open(small_model, templates=[NoEnd()]).kbest("das haus", 5)) == 0


def test_bad_arguments_are_refused(small_hiero: Path) -> None:
    decoder = ChartDecoder.open(small_hiero)
    with pytest.raises(InputError, match="at least 1"):
        decoder.kbest("das haus", 0)
    with pytest.raises(InputError, match="put it in a list"):
        next(decoder.kbest_all("das haus", 5))
    with pytest.raises(InputError, match="no candidate 7"):
        decoder.kbest("das haus", 3).features(7)
