"""Figure 1 of Pauls, DeNero and Klein (2009): consensus finds what Viterbi never does."""

from __future__ import annotations

import numpy as np
import pytest
from tests.rhyme import HYPOTHESES, REFERENCE

from tunesmith.candidates import Pool, rerank
from tunesmith.consensus import FastConsensus
from tunesmith.consensus.ngram_posteriors import localize
from tunesmith.forest import Edge, Forest, build_forest, viterbi

CHOICES = list(zip((1.0, 1.5, 2.0), HYPOTHESES, strict=True))


@pytest.fixture
def pool() -> Pool:
    features = [[values["TM"], values["LM"]] for values in HYPOTHESES.values()]
    return Pool.from_arrays(np.array([features]), names=["TM", "LM"], texts=[list(HYPOTHESES)])


@pytest.fixture
def forest() -> Forest:
    """Words in a lattice of single edges would mix hypotheses: here each is a chain of its own."""
    nodes: list[list[Edge]] = [[Edge((), ("Once",), {})]]
    last = []
    for text, values in HYPOTHESES.items():
        _, *words = text.split()
        tail = 0
        for word in words:
            nodes.append([Edge((tail,), (-1, word), values if word == words[-1] else {})])
            tail = len(nodes) - 1
        last.append(Edge((tail,), (-1,), {}))
    return build_forest([*nodes, last])


@pytest.mark.parametrize(("weight", "text"), CHOICES)
def test_a_list_gives_each_hypothesis_its_turn(pool: Pool, weight: float, text: str) -> None:
    rule = FastConsensus(scale=1.0, metric="precision(order=2)")
    assert rule.over_pool(pool, {"TM": 1.0, "LM": weight}).texts == [text]


@pytest.mark.parametrize(("weight", "text"), CHOICES)
def test_a_forest_gives_each_hypothesis_its_turn(forest: Forest, weight: float, text: str) -> None:
    rule = FastConsensus(scale=1.0, metric="precision(order=2)")
    assert rule.over_forest(forest, {"TM": 1.0, "LM": weight}).text == text


def test_viterbi_never_picks_the_second_hypothesis(pool: Pool, forest: Forest) -> None:
    for weight in np.linspace(0.0, 4.0, 81):
        weights = {"TM": 1.0, "LM": float(weight)}
        assert rerank(pool, weights).texts != [REFERENCE]
        assert viterbi(forest, weights).text != REFERENCE


def test_expected_bigrams_are_those_of_the_figure(forest: Forest) -> None:
    posteriors = localize(forest, forest.scores({"TM": 1.0, "LM": 1.0}), 2, scale=1.0, max_edges=1000)
    words = posteriors.forest.words
    names = [" ".join(words[w] for w in row if w >= 0) for row in posteriors.incidence.ngrams]
    counts = dict(zip(names, posteriors.counts, strict=True))
    assert [round(counts[name], 2) for name in ("Once upon", "upon a", "a rhyme")] == [0.33, 0.33, 0.91]
    assert sum(c for name, c in counts.items() if " " in name) == pytest.approx(3.0)
