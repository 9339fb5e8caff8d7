"""The alignment that the grammar knows."""

from collections import Counter, defaultdict

import pytest

from tunesmith.generated import generate
from tunesmith.generated.tokens import Token, link


def tokens(*anchors: tuple[int, ...]) -> list[Token]:
    return [("x", own) for own in anchors]


def test_words_that_share_an_anchor_are_linked() -> None:
    source, target = tokens((0,), (1,), (2,), (2,)), tokens((2,), (0,), (), (1,))
    assert link(source, target) == ((0, 1), (1, 3), (2, 0), (3, 0))


def test_words_with_several_anchors_are_linked_by_each_once() -> None:
    assert link(tokens((0, 1), (2,)), tokens((1, 0), (0,), (1,))) == ((0, 0), (0, 1), (0, 2))


def test_words_that_express_nothing_are_never_linked() -> None:
    assert link(tokens((), (1,)), tokens((), (1,))) == ((1, 1),)


def test_links_are_sorted_and_in_range() -> None:
    for pair in generate(1500, noise=0):
        source, target = len(pair.source.split()), len(pair.target.split())
        assert list(pair.alignment) == sorted(set(pair.alignment))
        assert all(0 <= i < source and 0 <= j < target for i, j in pair.alignment)


def test_nearly_all_content_words_are_linked() -> None:
    linked = seen = 0
    for pair in generate(1500, noise=0):
        for words, side in ((pair.source.split(), 0), (pair.target.split(), 1)):
            positions = {entry[side] for entry in pair.alignment}
            for i, word in enumerate(words):
                if len(word) > 3:
                    seen += 1
                    linked += i in positions
    assert linked > 0.97 * seen


@pytest.mark.slow
def test_the_most_frequent_link_of_a_word_is_its_translation() -> None:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for pair in generate(4000, noise=0, lowercase=True):
        source, target = pair.source.split(), pair.target.split()
        for i, j in pair.alignment:
            counts[source[i]][target[j]] += 1
    for german, english in {
        "hund": "dog", "nicht": "not", "weil": "because", "wir": "we", "berlin": "berlin", "oft": "often",
        "kaufen": "buy", "ohne": "without",
    }.items():  # fmt: skip
        assert counts[german].most_common(1)[0][0] == english, german


def test_compounds_and_separable_verbs_are_linked_as_wholes() -> None:
    for pair in generate(4000, noise=0):
        source, target = pair.source.split(), pair.target.split()
        if "Haustür" in source:
            i = source.index("Haustür")
            assert [target[j] for k, j in pair.alignment if k == i] == ["front", "door"]
            return
    raise AssertionError("no compound in the sample")
