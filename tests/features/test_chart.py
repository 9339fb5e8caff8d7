"""Templates where pieces are joined as a chart decoder joins them: any number of tails, words around them."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import dataclass

import pytest

from tunesmith.features import BorderBigrams, Pair, PhraseLength, Sentence, StatefulTemplate, Step
from tunesmith.features.bridge import StatefulBridge, TemplateSession
from tunesmith.features.word_parts import word_part

Side = tuple[str | int, ...]
GLUE = Pair((-1, -2), (-1, -2), (), {"Glue": 1.0})
WORDS = ("a", "b", "c", "日本", "<s>")


@dataclass(frozen=True)
class Tree:
    """A rule and what fills its gaps, in the order of the source side."""

    pair: Pair
    tails: tuple[Tree, ...] = ()


def random_tree(rng: random.Random, depth: int) -> Tree:
    """Return a tree of rules with up to two gaps, in both orders, and few words, or none."""
    arity = rng.randint(0, 2) if depth > 0 else 0
    gaps = [-1 - i for i in range(arity)]
    rng.shuffle(gaps)
    target: list[str | int] = []
    for gap in [*gaps, None]:
        target += rng.choices(WORDS, k=rng.choice([0, 0, 1, 2]))
        target += [] if gap is None else [gap]
    source: Side = ("x", *(-1 - i for i in range(arity)))
    tails = tuple(random_tree(rng, depth - 1) for _ in range(arity))
    return Tree(Pair(source, tuple(target), (), {}), tails)


def flat(tree: Tree, numbers: itertools.count[int]) -> list[tuple[str, int]]:
    """Return the words of a yield, each with the number of the rule in the tree that it comes from."""
    number = next(numbers)
    yields = [flat(tail, numbers) for tail in tree.tails]
    found: list[tuple[str, int]] = []
    for symbol in tree.pair.target:
        found += [(symbol, number)] if isinstance(symbol, str) else yields[-1 - symbol]
    return found


def piece(session: TemplateSession, tree: Tree, found: Counter[str]) -> int:
    """Return the state of a piece of the middle, and add the features of all its rules."""
    return applied(session, tuple(piece(session, tail, found) for tail in tree.tails), tree.pair, found)


def applied(session: TemplateSession, tails: tuple[int, ...], pair: Pair, found: Counter[str]) -> int:
    answer = session.apply(tails, pair, (0, 1))
    assert answer is not None
    found.update(dict(answer[1]))
    return answer[0]


def derivation(session: TemplateSession, trees: list[Tree]) -> Counter[str]:
    """Return the features of a sentence: a begin, pieces that are glued to it, and an end."""
    found: Counter[str] = Counter()
    session.begin(("x",), 1)
    state = session.start()
    for tree in trees:
        state = applied(session, (state, piece(session, tree, found)), GLUE, found)
    end = session.finish(state)
    assert end is not None
    found.update(dict(end))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_bigrams_at_borders_of_a_tree_are_those_of_its_flat_text(seed: int):
    rng = random.Random(seed)
    session = StatefulBridge(BorderBigrams()).chart_session()
    counted = 0
    for _ in range(20):
        trees = [random_tree(rng, 3) for _ in range(rng.randint(0, 4))]
        numbers = itertools.count()
        words = [("<s>", -1), *(word for tree in trees for word in flat(tree, numbers)), ("</s>", -2)]
        parts = [(word if rule < 0 else word_part(word), rule) for word, rule in words]
        expected = Counter(f"BorderBigram_{a}_{b}" for (a, i), (b, k) in itertools.pairwise(parts) if i != k)
        assert derivation(session, trees) == expected
        counted += expected.total()
    assert counted > 20


@pytest.mark.parametrize("seed", range(5))
def test_the_features_are_those_of_a_phrase_decoder_where_a_tree_has_only_phrases(seed: int):
    rng = random.Random(seed)
    bridge = StatefulBridge(BorderBigrams())
    trees = [random_tree(rng, 0) for _ in range(6)]
    session = bridge.session()
    session.begin(("x",), 1)
    state = session.start()
    found: Counter[str] = Counter()
    for tree in trees:
        state = applied(session, (state,), tree.pair, found)
    found.update(dict(session.finish(state) or ()))
    assert found == derivation(bridge.chart_session(), trees)


class Told(StatefulTemplate[int]):
    """Notes what it is told."""

    name = "Told"

    def __init__(self) -> None:
        self.steps: list[tuple[int, Step]] = []

    def start(self, sentence: Sentence) -> int:
        return 7

    def apply(self, tails: tuple[int, ...], step: Step) -> tuple[int, dict[str, float]]:
        self.steps.append((len(tails), step))
        return 7, {}


def test_the_yield_of_a_step_says_where_tails_stand_in_either_decoder():
    told = Told()
    bridge = StatefulBridge(told)
    phrase, rule = Pair(("x",), ("a",), (), {}), Pair((-1, "x", -2), (-2, "a", -1), (), {})
    phrases, chart = bridge.session(), bridge.chart_session()
    for session in (phrases, chart):
        session.begin(("x",), 1)
        assert session.start() == 0
    phrases.apply((0,), phrase, (1, 2), 1, b"\0" * 8)
    chart.apply((), phrase, (0, 1))
    chart.apply((0, 0), rule, (0, 3))
    assert [(tails, step.target, step.covered) for tails, step in told.steps] == [
        (1, (-1, "a"), 1),
        (0, ("a",), 0),
        (2, (-2, "a", -1), 0),
    ]


def test_lengths_are_of_words_and_not_of_gaps():
    rule = Pair(("x", -1, "y", -2), (-2, "z", -1), (), {})
    assert PhraseLength().values(rule) == {"PhraseLength_2x1": 1.0}
    assert PhraseLength().values(GLUE) == {"PhraseLength_0x0": 1.0}
