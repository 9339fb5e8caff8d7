"""The grammars of sentences and of ITG: what they derive, and in how many ways."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import cache

import pytest

from tunesmith.errors import OptionError
from tunesmith.extract.glue import itg_grammar, sentence_glue

SCHROEDER = [1, 2, 6, 22, 90]
"""Separable permutations of 1 to 5 (large Schröder numbers, https://oeis.org/A006318)."""

Order = tuple[int, ...]
Counts = tuple[tuple[str, float], ...]
Rule = tuple[str, list[str], list[str], dict[str, float]]


def rules_of(text: str) -> list[Rule]:
    """Split lines of cdec's form, by nothing but the format's definition."""
    rules = []
    for line in text.splitlines():
        top, source, target, *features = line.split(" ||| ")
        values = {name: float(value) for name, value in (f.split("=") for f in " ".join(features).split())}
        rules.append((top.strip("[]"), source.split(), target.split(), values))
    return rules


def derivations(text: str, phrases: int) -> Counter[tuple[Order, Counts]]:
    """Count derivations of S over `<s> 0 1 ... </s>` by the order of the phrases and sums of features.

    Brute force: every rule over every split of every span; a phrase is an X of its number.
    """
    rules = rules_of(text)
    tokens = ["<s>", *map(str, range(phrases)), "</s>"]

    @cache
    def over(category: str, begin: int, end: int) -> Counter[tuple[Order, Counts]]:
        found: Counter[tuple[Order, Counts]] = Counter()
        if category == "X" and end == begin + 1 and tokens[begin].isdigit():
            found[(int(tokens[begin]),), ()] += 1
        for top, source, target, values in rules:
            if top != category:
                continue
            for inner in itertools.combinations(range(begin + 1, end), len(source) - 1):
                borders = [begin, *inner, end]
                if len(borders) != len(source) + 1:
                    continue
                fills: list[list[tuple[tuple[Order, Counts], int]]] = []
                for symbol, (i, j) in zip(source, itertools.pairwise(borders), strict=True):
                    if symbol.startswith("["):
                        fills.append(list(over(symbol[1:].split(",")[0], i, j).items()))
                    else:
                        fills.append([(((), ()), 1)] if tokens[i:j] == [symbol] else [])
                numbers = [symbol.split(",")[-1].strip("]") for symbol in source]
                for chosen in itertools.product(*fills):
                    parts = dict(zip(numbers, (part for (part, _), _ in chosen), strict=True))
                    order = sum((parts[s.strip("[]")] for s in target if s.startswith("[")), ())
                    sums = Counter(values)
                    for (_, counts), _ in chosen:
                        sums.update(dict(counts))
                    found[order, tuple(sorted(sums.items()))] += math.prod(times for _, times in chosen)
        return found

    return over("S", 0, len(tokens))


@pytest.mark.parametrize("phrases", [1, 2, 3, 4, 5])
def test_the_normal_form_has_one_derivation_of_each_separable_permutation(phrases) -> None:
    found = derivations(itg_grammar(), phrases)
    assert set(found.values()) == {1}
    assert len({order for order, _ in found}) == len(found) == SCHROEDER[phrases - 1]


@pytest.mark.parametrize("phrases", [1, 2, 3, 4, 5])
def test_both_forms_have_the_same_orders_and_features(phrases) -> None:
    plain, normal = (derivations(itg_grammar(form), phrases) for form in ("plain", "normal"))
    assert set(plain) == set(normal)
    for _, counts in plain:
        assert sum(dict(counts).values()) == phrases - 1


def test_the_plain_form_has_a_derivation_for_each_binary_tree() -> None:
    monotone = tuple(range(5)), (("Straight0", 4.0),)
    assert derivations(itg_grammar("plain"), 5)[monotone] == 14  # Catalan(4)
    inside_out = (1, 3, 0, 2)
    assert inside_out not in {order for order, _ in derivations(itg_grammar("plain"), 4)}


def test_glue_strings_parts_together_in_order() -> None:
    for phrases in range(4):
        counts = (("Glue", float(phrases)),) if phrases else ()
        assert derivations(sentence_glue(), phrases) == {(tuple(range(phrases)), counts): 1}


@pytest.mark.parametrize("form", ["plain", "normal"])
def test_an_empty_sentence_is_derived_too(form) -> None:
    assert derivations(itg_grammar(form), 0) == {((), ()): 1}


@pytest.mark.parametrize("text", [sentence_glue(), itg_grammar("plain"), itg_grammar("normal")])
def test_marks_stand_alone_at_the_borders(text) -> None:
    for _, source, target, _ in rules_of(text):
        if "<s>" in source + target:
            assert source == target == ["<s>"]
        if "</s>" in source + target:
            assert source[1:] == target[1:] == ["</s>"]


def test_a_form_that_is_none_is_refused() -> None:
    with pytest.raises(OptionError, match="did you mean 'plain'"):
        itg_grammar("plane")
