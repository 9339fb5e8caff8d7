"""Forced decoding with source phrases of many translations, which are found by their first words."""

from __future__ import annotations

import pytest
from tests.decode.brute_force import BruteForce

from tunesmith.decode.forced import ForcedOptions, forced_decode
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import SearchOptions
from tunesmith.model import train

WORDS = 50
WIDE = SearchOptions(0, 1 << 20, distortion_limit=-1, early_discard=False, table_limit=0)


@pytest.fixture(scope="module")
def decoder(tmp_path_factory: pytest.TempPathFactory) -> PhraseDecoder:
    """A model in which `a` has translations of one and two words, many of them with the same first word."""
    folder = tmp_path_factory.mktemp("many")
    pairs = [("a b", f"x{number} y", "0-0 1-1") for number in range(WORDS)]
    pairs += [("a b", f"x{number} z{number % 3} y", "0-0 0-1 1-2") for number in range(WORDS)]
    for side, name in enumerate(("source", "target", "links")):
        (folder / name).write_text("".join(f"{pair[side]}\n" for pair in pairs))
    files = folder / "source", folder / "target", folder / "model"
    train(*files, alignment=folder / "links", lm_order=2, max_phrase_length=3)
    return PhraseDecoder.open(folder / "model")


def test_derivations_of_frequent_phrases_are_those_of_brute_force(decoder):
    assert len(decoder.model.phrase_table().lookup("a")) > 2 * 32
    pairs = [("a b", "x7 y"), ("a b", "x7 z1 y"), ("b a", "y x49"), ("a a", "x3 x3 z0"), ("a b", "x7 z2 y")]
    brute = BruteForce(decoder)
    results = list(forced_decode(decoder, pairs, ForcedOptions((WIDE,)), threads=1))
    assert [result.found for result in results] == [True, True, True, True, False]
    for (source, target), result in zip(pairs[:4], results, strict=False):
        expected, _ = brute.best(source, target, limit=None)
        assert result.score == pytest.approx(expected, abs=1e-4)


def test_unknown_words_of_the_target_match_nothing(decoder):
    results = forced_decode(decoder, [("a b", "nobody y"), ("a nobody", "x1 nobody")], threads=1)
    assert [result.found for result in results] == [False, True]
