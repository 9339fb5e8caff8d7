"""Placed templates written in Python: asked per pair and place, in both decoders, forests and replay."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.decode.chart_trees import Tree, tree_of
from tests.decode.derivations import dot, viterbi

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import MOST, ChartOptions, SearchOptions
from tunesmith.errors import InputError
from tunesmith.features import Pair, PlacedTemplate, Sentence, Span, Values
from tunesmith.forest import kbest
from tunesmith.model import Model

TEXT = "hat ein glücklicher nachbar gearbeitet ?"
WIDE = SearchOptions(pop_limit=0, stack_size=MOST, table_limit=3)


@dataclass(frozen=True)
class Places(PlacedTemplate):
    """The place of each pair, the word before it, and the columns of its gaps."""

    name: str = "Places"

    def values(self, pair: Pair, span: Span, sentence: Sentence) -> Values:
        assert len(sentence.words) == sentence.columns
        before = sentence.words[span.begin - 1] if span.begin else "-"
        covered = [word for word in pair.source if isinstance(word, str)]
        assert covered == [w for w in sentence.words[span.begin : span.end] if w in covered][: len(covered)]
        return {
            f"Places_{span.begin}-{span.end}_{len(pair.target)}": 1.0,
            f"Places_after_{before}": float(span.end - span.begin),
            **{f"Places_gap_{begin}-{end}": 1.0 for begin, end in span.gaps},
        }


def weights_of(names: list[str]) -> dict[str, float]:
    """Weights large enough to change the order of options."""
    return {name: (hash_of(name) % 7 - 3) / 2 for name in names if name.startswith("Places")}


def hash_of(name: str) -> int:
    return sum(ord(letter) * (place + 1) for place, letter in enumerate(name))


def test_the_features_of_a_phrase_are_those_of_its_place(small_model: Path):
    model = Model.open(small_model)
    free = PhraseDecoder(model, None, WIDE, [Places()]).translate(TEXT, forest=True)
    assert free.forest is not None
    weights = {**model.weights, **weights_of(free.forest.feature_names)}
    decoder = PhraseDecoder(model, weights, WIDE, [Places()])
    found = decoder.translate(TEXT, forest=True)
    assert found.score == pytest.approx(dot(found.features, weights), abs=1e-4)
    expected: Counter[str] = Counter()
    words = TEXT.split()
    for phrase in found.phrases:
        begin, end = phrase.source
        expected[f"Places_{begin}-{end}_{phrase.target[1] - phrase.target[0]}"] += 1
        expected[f"Places_after_{words[begin - 1] if begin else '-'}"] += end - begin
    own = {name: value for name, value in found.features.items() if name.startswith("Places")}
    assert own == expected
    assert found.forest is not None
    score, features = viterbi(found.forest, decoder.weights)
    assert score == pytest.approx(found.score, abs=1e-3)
    texts = found.text.split()
    phrases = [(*each.source, " ".join(texts[slice(*each.target)])) for each in found.phrases]
    again: Counter[str] = Counter()
    for step in decoder.replay(TEXT, phrases):
        again.update(step)
    assert {name: value for name, value in again.items() if value} == pytest.approx(
        {name: value for name, value in features.items() if value}, abs=1e-3
    )
    # No derivation under plain weights is better: scores of places guide the search and future costs.
    best = max(
        dot(each.features, weights)
        for each in kbest(
            free.forest, dict.fromkeys(free.forest.feature_names, 0.0) | dict(model.weights), 200
        )
    )
    assert found.score >= best - 1e-3


def test_rules_are_asked_with_the_places_of_their_gaps(small_hiero: Path):
    model = Model.open(small_hiero)
    wide = ChartOptions(pop_limit=0, table_limit=2)
    free = ChartDecoder(model, None, wide, [Places()]).translate("hat keinen lehrer .", forest=True)
    assert free.forest is not None
    weights = {**model.weights, **weights_of(free.forest.feature_names)}
    found = ChartDecoder(model, weights, wide, [Places()]).translate("hat keinen lehrer .", forest=True)
    assert found.forest is not None
    listed = kbest(found.forest, dict.fromkeys(found.forest.feature_names, 0.0) | weights, 50)
    assert found.score == pytest.approx(listed[0].score, abs=1e-4)
    assert found.score == pytest.approx(dot(found.features, weights), abs=1e-4)
    sentence = Sentence(("hat", "keinen", "lehrer", "."), 4)
    for derivation in listed:
        own = {name: value for name, value in derivation.features.items() if name.startswith("Places")}
        assert own == asked(tree_of(derivation).children[0], sentence)  # the top is the end mark
    assert any(name.startswith("Places_gap_") for each in listed for name in each.features)


def asked(tree: Tree, sentence: Sentence) -> Counter[str]:
    """The sums of what the template says about the known rules of a tree."""
    total: Counter[str] = Counter()
    for child in tree.children:
        total.update(asked(child, sentence))
    if tree.edge.rule >= 0 and not tree.is_begin:
        span = Span(*tree.edge.span, tuple(child.edge.span for child in tree.children))
        total.update(Places().values(Pair(tree.edge.source, tree.edge.target, (), {}), span, sentence))
    return total


def test_an_exception_of_a_placed_template_names_it(small_model: Path):
    class Broken(PlacedTemplate):
        name = "Broken"

        def values(self, pair: Pair, span: Span, sentence: Sentence) -> Values:
            return {"Broken_1": float("nan")}

    with pytest.raises(InputError, match="the feature template 'Broken' gives 'Broken_1' the value nan"):
        PhraseDecoder(Model.open(small_model), templates=[Broken()]).translate(TEXT)
