"""Required translations in the chart decoder: forests are intersected with the target."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.decode.chart_brute_force import MOST, ChartBruteForce, Derived, arcs_of, parse_rules, rounded
from tests.decode.chart_lattices import ARC_WEIGHTS, NAMED, plf, random_lattice
from tests.decode.chart_tiny import GLUE, random_grammar, random_sentence, write_chart_model
from tests.decode.tiny import TARGET

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions
from tunesmith.decode.translation import Translation
from tunesmith.forest import count_derivations, kbest

ALL = ChartOptions(pop_limit=0)
SEEDS = range(8)


def check(
    found: Translation, wanted: list[Derived], expected: ChartBruteForce, decoder: ChartDecoder
) -> None:
    """Compare a forest with the derivations of brute force that have the required yield."""
    assert found.forest is not None
    if not wanted:
        assert (found.found, found.text, found.forest.node_count) == (False, "", 0)
        return
    listed = kbest(found.forest, decoder.weights, len(wanted) + 1)
    assert Counter((each.text, rounded(each.features)) for each in listed) == Counter(
        each.key for each in wanted
    )
    best = max(expected.score(each, decoder.weights) for each in wanted)
    assert found.score == pytest.approx(best, abs=1e-4)


def chosen(texts: set[str], seed: int, count: int) -> list[str]:
    """Choose some texts, and some that are almost the same."""
    draw = random.Random(seed)
    known = draw.sample(sorted(texts), min(count, len(texts)))
    others = [" ".join(draw.choices(TARGET, k=draw.randint(0, 5))) for _ in range(4)]
    return [*known, *(f"{text} W".strip() for text in known[:2]), *others, "", "never seen"]


def cases(seed: int, folder: Path) -> Iterator[tuple[str, ChartBruteForce, ChartDecoder]]:
    """Yield sentences of few enough derivations to list, and who decodes them; at least one."""
    grammar = random_grammar(seed)
    decoder = ChartDecoder(write_chart_model(folder, [grammar, GLUE], seed=seed), options=ALL)
    rules = parse_rules(grammar) + parse_rules(GLUE)
    texts = [random_sentence(100 * seed + length, length) for length in (3, 4)]
    listed = [(text, ChartBruteForce(rules, arcs_of(text), folder / "lm.arpa")) for text in texts]
    few = [(text, expected, decoder) for text, expected in listed if 0 < expected.size() <= MOST]
    assert few
    yield from few


@pytest.mark.parametrize("seed", SEEDS)
def test_a_required_target_keeps_its_derivations_and_no_other(seed: int, tmp_path: Path):
    for text, expected, decoder in cases(seed, tmp_path):
        every = expected.derivations()
        for target in chosen({each.text for each in every}, seed, 8):
            found = decoder.translate(Request(text, target=target), forest=True)
            check(found, [each for each in every if each.text == target], expected, decoder)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_required_prefix_keeps_all_that_begins_with_it(seed: int, tmp_path: Path):
    for text, expected, decoder in cases(seed, tmp_path):
        every = expected.derivations()
        targets = [target.split() for target in chosen({each.text for each in every}, seed, 4)]
        for prefix in sorted({tuple(words[:end]) for words in targets for end in range(len(words) + 1)}):
            wanted = [each for each in every if each.words[: len(prefix)] == prefix]
            request = Request(text, target=" ".join(prefix), is_prefix=True)
            check(decoder.translate(request, forest=True), wanted, expected, decoder)


@pytest.mark.parametrize("seed", range(4))
def test_a_target_may_be_required_of_a_lattice(seed: int, tmp_path: Path):
    grammar = random_grammar(seed)
    model = write_chart_model(tmp_path, [grammar, GLUE], seed=seed)
    decoder = ChartDecoder(model, {**model.weights, **ARC_WEIGHTS}, NAMED)
    arcs = random_lattice(seed, 2)
    expected = ChartBruteForce(parse_rules(grammar) + parse_rules(GLUE), arcs, tmp_path / "lm.arpa")
    every = expected.derivations()
    assert every
    for target in chosen({each.text for each in every}, seed, 6):
        request = Request("", target=target, lattice=plf(arcs))
        wanted = [each for each in every if each.text == target]
        check(decoder.translate(request, forest=True), wanted, expected, decoder)


def test_requests_with_and_without_targets_go_together(tmp_path: Path):
    decoder = ChartDecoder(write_chart_model(tmp_path, [random_grammar(3), GLUE], seed=3), options=ALL)
    text = "a c a"
    free = decoder.translate(text, forest=True)
    requests = [text, Request(text, target=free.text), Request(text, target="never seen"), text]
    found = list(decoder.translate_all(requests, forest=True))
    assert [each.found for each in found] == [True, True, False, True]
    assert [found[i].text for i in (0, 1, 3)] == [free.text] * 3
    counts = [count_derivations(found[i].forest) for i in (0, 1, 3)]
    assert counts[0] == counts[2] == count_derivations(free.forest) >= counts[1]


def test_pruning_does_not_lose_a_target_that_is_the_only_way(tmp_path: Path):
    """Forbidden hypotheses do not count as pops: few pops reach what fits the target."""
    grammar = random_grammar(5)
    model = write_chart_model(tmp_path, [grammar, GLUE], seed=5)
    text = random_sentence(5, 4)
    expected = ChartBruteForce(parse_rules(grammar) + parse_rules(GLUE), arcs_of(text), tmp_path / "lm.arpa")
    targets = {each.text for each in expected.derivations()}
    assert len(targets) > 5
    decoder = ChartDecoder(model, options=ChartOptions(pop_limit=20))
    assert all(decoder.translate(Request(text, target=target)).text == target for target in targets)
