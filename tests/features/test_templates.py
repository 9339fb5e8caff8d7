"""What decoders rely on, for every registered template."""

from __future__ import annotations

import itertools
import pickle
import random
from collections import Counter

import pytest

from tunesmith.errors import OptionError
from tunesmith.features import (
    TEMPLATES,
    BorderBigrams,
    Pair,
    PairTemplate,
    PlacedTemplate,
    Sentence,
    Span,
    StatefulTemplate,
    Step,
)
from tunesmith.features.bridge import TemplateSession

PAIRS = [
    Pair(("das", "haus"), ("the", "house"), ((0, 0), (1, 1)), {"TM_0": -0.5}),
    Pair(("ja",), ("well", ",", "yes"), ((0, 2),), {"TM_0": -1.5}),
    Pair(("日本",), ("japan",), (), {}),
    Pair(("unseen",), ("unseen",), ((0, 0),), {}, known=False),
    Pair(("dropped",), (), (), {}, known=False),
]


def step_of(pair: Pair, tails: int = 1) -> Step:
    return Step(pair, (0, len(pair.source)), (*(-1 - i for i in range(tails)), *pair.target))


def place_of(pair: Pair) -> tuple[Span, Sentence]:
    words = ("und", *pair.source, ".")
    return Span(1, len(words) - 1), Sentence(words, len(words))


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_made_without_options_and_owns_what_it_gives(name: str):
    template = TEMPLATES[name]()
    given: list[str] = [template.name]
    for pair in PAIRS:
        if isinstance(template, PairTemplate):
            given += template.values(pair) if pair.known or template.sees_unknown else ()
            continue
        if isinstance(template, PlacedTemplate):
            given += template.values(pair, *place_of(pair)) if pair.known or template.sees_unknown else ()
            continue
        assert isinstance(template, StatefulTemplate)
        start = template.start(Sentence(pair.source, len(pair.source)))
        answer = template.apply((start,), step_of(pair))
        given += template.estimate(pair)
        if answer is not None:
            given += [*answer[1], *(template.finish(answer[0]) or ())]
    assert all(template.owns(feature) for feature in given)
    assert not template.owns(f"{template.name}s") and not template.owns("LM0")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_pure_and_can_be_pickled(name: str):
    template = TEMPLATES[name]()
    again = pickle.loads(pickle.dumps(template))
    for pair in PAIRS:
        if isinstance(template, PairTemplate):
            assert template.values(pair) == template.values(pair) == again.values(pair)
        elif isinstance(template, PlacedTemplate):
            place = place_of(pair)
            assert (
                template.values(pair, *place) == template.values(pair, *place) == again.values(pair, *place)
            )
        else:
            start = template.start(Sentence((), 0))
            answers = [each.apply((start,), step_of(pair)) for each in (template, template, again)]
            assert answers[0] == answers[1] == answers[2]
            assert {answer[0] for answer in answers if answer is not None}  # states can be hashed


def test_a_template_that_nobody_has_is_an_error_with_a_suggestion():
    with pytest.raises(OptionError, match="unknown feature template 'phrase-lenght'; did you mean 'phrase-l"):
        TEMPLATES["phrase-lenght"]


def test_bigrams_at_borders_are_those_of_the_text_that_are_in_no_phrase():
    rng = random.Random(5)
    template = BorderBigrams()
    for _ in range(50):
        pairs = [rng.choice(PAIRS) for _ in range(rng.randint(0, 6))]
        state = template.start(Sentence((), 0))
        found: Counter[str] = Counter()
        for pair in pairs:
            state, values = template.apply((state,), step_of(pair))
            found.update(values)
        found.update(template.finish(state))
        words = ["<s>", *(word for pair in pairs for word in pair.target), "</s>"]
        expected = Counter(f"BorderBigram_{a}_{b}" for a, b in itertools.pairwise(words))
        for pair in pairs:
            expected.subtract(f"BorderBigram_{a}_{b}" for a, b in itertools.pairwise(pair.target))
        assert found == +expected


class Bracketed(StatefulTemplate[str]):
    """The yield itself as state; each rule tells the yields that it joins."""

    name = "Bracketed"

    def start(self, sentence: Sentence) -> str:
        return ""

    def apply(self, tails: tuple[str, ...], step: Step) -> tuple[str, dict[str, float]]:
        words = [symbol if isinstance(symbol, str) else tails[-1 - symbol] for symbol in step.target]
        return " ".join(word for word in words if word), {f"Bracketed_{len(tails)}": 1.0}


def test_a_stateful_template_takes_as_many_tails_as_a_rule_has_gaps():
    for template in (BorderBigrams(), Bracketed()):
        rule = Pair(("X", "und", "X"), ("and",), (), {})
        one = template.start(Sentence((), 0))
        left, _ = template.apply((one,), step_of(PAIRS[0]))
        right, _ = template.apply((), Step(PAIRS[1], (0, 1), PAIRS[1].target))
        joined = Step(rule, (0, 5), (-1, "and", -2))
        swapped = Step(rule, (0, 5), (-2, "and", -1))
        first, second = (template.apply((left, right), step) for step in (joined, swapped))
        if isinstance(template, Bracketed):
            assert first == ("the house and well , yes", {"Bracketed_2": 1.0})
            assert second == ("well , yes and the house", {"Bracketed_2": 1.0})
        else:
            assert first == (("<s>", "yes"), {"BorderBigram_house_and": 1, "BorderBigram_and_well": 1})
            assert second == (("well", "house"), {"BorderBigram_yes_and": 1, "BorderBigram_and_<s>": 1})


def test_states_are_numbered_once_a_sentence():
    session = TemplateSession(Bracketed())
    session.begin(("a", "b"), 2)
    start = session.start()
    first = session.apply((start,), PAIRS[2], (0, 1))
    again = session.apply((start,), PAIRS[2], (1, 2), 1, b"\0" * 8)
    assert first is not None and again is not None
    assert first[0] == again[0] != start
    both = session.apply((first[0], again[0]), PAIRS[2], (0, 1))
    assert both is not None and both[1] == [("Bracketed_2", 1.0)]
    session.begin(("c",), 1)
    assert session.start() == 0
