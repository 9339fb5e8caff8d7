"""The parts that a word may have, and the words of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpus.compound_words import COMPOUNDS, COUNTS, LETTERS, OPTIONS, paths, splits, word_counts

from tunesmith.corpus.compounds import CompoundOptions, Linker, WordCounts
from tunesmith.corpus.compounds.linkers import PRESETS, linkers_of
from tunesmith.corpus.compounds.parts import PartFinder
from tunesmith.errors import InputError, OptionError


@given(COUNTS, st.one_of(COMPOUNDS, LETTERS))
def test_the_arcs_hold_exactly_the_splits_that_plain_enumeration_finds(
    counts: dict[str, int], word: str
) -> None:
    words = word_counts(counts)
    arcs = PartFinder(words, OPTIONS).arcs(word)
    found = list(paths(arcs, len(word)))
    expected = splits(word, words, OPTIONS)
    assert len(found) == len(set(found)) == len(expected)
    assert {tuple(map(tuple, path)) for path in found} == expected
    assert {arc for path in found for arc in path} == set(arcs)
    assert arcs == sorted(arcs)


def finds(word: str, *parts: str, **options: object) -> list[tuple[str, ...]]:
    words = word_counts(dict.fromkeys(parts, 5))
    arcs = PartFinder(words, CompoundOptions(**options)).arcs(word)
    return [tuple(words.keys[arc.word] for arc in path) for path in paths(arcs, len(word))]


def test_german_linkers_are_added_to_parts_and_dropped_from_them() -> None:
    assert finds("arbeitsplatz", "arbeit", "platz") == [("arbeit", "platz")]
    assert finds("schulbuch", "schule", "buch") == [("schule", "buch")]
    assert finds("geschichtsbuch", "geschichte", "buch") == [("geschichte", "buch")]
    assert finds("kreuz-halsband", "kreuz", "hals", "band") == [("kreuz", "hals", "band")]
    assert finds("arbeitsplatz", "arbeit", "platz", linkers="generic") == []
    assert finds("fussball", "fuss", "ball", linkers="generic") == [("fuss", "ball")]


def test_the_last_part_has_no_linker() -> None:
    assert finds("platzarbeits", "arbeit", "platz") == []


def test_short_rare_and_odd_words_are_no_parts() -> None:
    assert finds("derhut", "der", "hut") == []
    assert finds("derhut", "der", "hut", min_length=3) == [("der", "hut")]
    assert finds("fussball", "fuss", "ball", min_count=6) == []
    assert finds("1234abcd", "1234", "abcd") == []


def test_words_that_are_long_or_not_of_letters_are_left_whole() -> None:
    assert finds("fuss" * 25, "fuss") and not finds("fuss" * 26, "fuss")
    assert finds("fuss+ball", "fuss", "ball") == []
    assert PartFinder(word_counts({"fuss": 5}), CompoundOptions()).arcs("") == []


def test_scripts_without_case_are_split_too() -> None:
    assert finds("北京大学", "北京", "大学", min_length=2, linkers="generic") == [("北京", "大学")]
    assert finds("שלוםעולם", "שלום", "עולם", linkers="generic") == [("שלום", "עולם")]


def test_words_are_counted_in_any_case_and_take_the_form_that_they_mostly_have() -> None:
    words = WordCounts.of(["Das Haus", "Das das Haus haus", "NUR", ""])
    assert words.keys == ("das", "haus", "nur")
    assert words.forms == ("das", "Haus", "NUR")
    assert words.counts.tolist() == [3, 3, 1]
    assert words.count("HAUS") == 3 and words.count("Hof") == 0 and words.total == 7


def test_the_order_of_lines_does_not_matter() -> None:
    lines = ["a B c", "b C a", "A b C"]
    assert WordCounts.of(lines).forms == WordCounts.of(lines[::-1]).forms


def test_presets_parse_and_print_as_they_are_written() -> None:
    for text in PRESETS.values():
        assert " ".join(map(str, linkers_of(text)[1:])) == text
    assert linkers_of("+s +s -e+n") == (Linker(), Linker("s"), Linker("n", "e"))


@pytest.mark.parametrize("text", ["germen", "s", "+", "-", "+s e"])
def test_linkers_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(OptionError, match="linker"):
        linkers_of(text)


@pytest.mark.parametrize("name", ["min_length", "min_count", "max_parts", "max_length"])
@pytest.mark.parametrize("value", [0, -1, 2.5, True, 1 << 40])
def test_options_that_make_no_sense_are_refused(name: str, value: object) -> None:
    with pytest.raises(OptionError, match=f"compounds: {name} must be"):
        CompoundOptions(**{name: value})


def test_counts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="repeated"):
        WordCounts(("a", "A"), [1, 1])
    with pytest.raises(InputError, match="count of 0"):
        WordCounts(("a",), [0])
