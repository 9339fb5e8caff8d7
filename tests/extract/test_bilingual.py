from __future__ import annotations

import pytest
from tests.extract.collected import bitext_of
from tests.extract.reference import Pair

from tunesmith.corpus import Alignments
from tunesmith.errors import InputError, OptionError
from tunesmith.extract import bilingual_tokens

PAIRS = [
    Pair(
        ("ich", "sehe", "ihn", "an"), ("i", "look", "at", "him"), frozenset({(0, 0), (1, 1), (3, 1), (2, 3)})
    ),
    Pair((), (), frozenset()),
    Pair(("ja",), (), frozenset()),
]


def test_a_token_is_a_target_word_with_its_source_words_in_their_order() -> None:
    lines = bilingual_tokens(*bitext_of(PAIRS), joiner="_")
    assert list(lines) == ["i_ich look_sehe_an at him_ihn", "", ""]


def test_words_with_underscores_are_not_confused() -> None:
    one = Pair(("b",), ("a",), frozenset({(0, 0)}))
    other = Pair(("c",), ("a_b",), frozenset())
    first, second = bilingual_tokens(*bitext_of([one, other]))
    assert first != second


@pytest.mark.parametrize("joiner", ["", " ", "a\nb"])
def test_a_joiner_that_would_cut_tokens_is_refused(joiner: str) -> None:
    with pytest.raises(OptionError):
        bilingual_tokens(*bitext_of(PAIRS), joiner=joiner)


def test_links_outside_of_a_pair_are_refused() -> None:
    bitext, _ = bitext_of(PAIRS)
    with pytest.raises(InputError):
        bilingual_tokens(bitext, Alignments.of([[(0, 9)], [], []]))
