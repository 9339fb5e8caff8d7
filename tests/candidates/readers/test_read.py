from __future__ import annotations

import gzip
import io
import sys
from types import SimpleNamespace

import pytest
from tests.candidates.compare import assert_identical
from tests.candidates.readers.conftest import Make

from tunesmith.candidates import Pool
from tunesmith.errors import IgnoredInputWarning, InputError, OptionError, TunesmithWarning


def lines(*ids: int) -> str:
    return "".join(f"{number} ||| text {number} ||| f={number} ||| 0\n" for number in ids)


def test_references_are_matched_by_line(make: Make) -> None:
    pool = Pool.read(make(lines(0, 0, 1)), references=[make("a\nb\n", "ref0"), make("c\nd\n", "ref1")])
    assert [list(reference) for reference in pool.references] == [["a", "b"], ["c", "d"]]


def test_one_reference_need_not_be_in_a_list(make: Make) -> None:
    pool = Pool.read(str(make(lines(0, 1))), references=str(make("a\nb\n", "ref")))
    assert [list(reference) for reference in pool.references] == [["a", "b"]]


def test_lists_in_any_order_come_out_in_the_order_of_their_ids(make: Make) -> None:
    pool = Pool.read(make(lines(2, 2, 0, 1)), references=make("a\nb\nc\n", "ref"))
    assert pool.ids == ("0", "1", "2")
    assert pool.texts == ["text 0", "text 1", "text 2", "text 2"]
    assert pool.references[0] == ["a", "b", "c"]


def test_ids_may_have_leading_zeros(make: Make) -> None:
    assert Pool.read(make("000 ||| a ||| f=1\n0 ||| b ||| f=2\n001 ||| c ||| f=3\n")).ids == ("0", "1")


def test_a_missing_sentence_is_an_error_unless_it_is_allowed(make: Make) -> None:
    path, reference = make(lines(0, 2)), make("a\nb\nc\nd\n", "ref")
    with pytest.raises(InputError, match=r"lists\.nbest has 2 sentences .* sentence 1 has no candidates"):
        Pool.read(path)
    with pytest.raises(InputError, match=r"lists\.nbest has 2 sentences .*ref has 4 lines"):
        Pool.read(path, references=reference)
    pool = Pool.read(path, references=reference, allow_missing=True)
    assert pool.ids == ("0", "2")
    assert pool.references[0] == ["a", "c"]


def test_sentences_missing_at_the_end_are_seen_by_the_references(make: Make) -> None:
    path, reference = make(lines(0, 1)), make("a\nb\nc\n", "ref")
    with pytest.raises(
        InputError, match=r"2 sentences .* but .*ref has 3 lines: sentence 2 has no candidates"
    ):
        Pool.read(path, references=reference)
    assert Pool.read(path, references=reference, allow_missing=True).references[0] == ["a", "b"]


def test_more_sentences_than_reference_lines_is_an_error_even_if_missing_ones_are_allowed(make: Make) -> None:
    with pytest.raises(InputError, match=r"lists\.nbest has 3 sentences .*ref has 2 lines"):
        Pool.read(make(lines(0, 1, 2)), references=make("a\nb\n", "ref"), allow_missing=True)


def test_references_of_different_lengths_are_an_error_that_names_both(make: Make) -> None:
    with pytest.raises(InputError, match=r"one has 2 lines, but .*two has 1"):
        Pool.read(make(lines(0, 1)), references=[make("a\nb\n", "one"), make("a\n", "two")])


def test_an_id_that_comes_back_is_an_error_with_the_line(make: Make) -> None:
    with pytest.raises(InputError, match=r":3: sentence 0 comes back after sentence 1 began.*several files"):
        Pool.read(make(lines(0, 1, 0)))


@pytest.mark.parametrize("bad", ["", "x", "-1", "1.0", "0 1", "99999999999999999999"])
def test_an_id_that_is_no_whole_number_is_an_error(make: Make, bad: str) -> None:
    with pytest.raises(InputError, match=r":2: the sentence id is .*; expected a whole number from 0"):
        Pool.read(make(lines(0) + f"{bad} ||| a ||| f=1 ||| 0\n"))


def test_a_huge_id_is_a_missing_sentence_and_costs_no_memory(make: Make) -> None:
    with pytest.raises(InputError, match="sentence 1 has no candidates"):
        Pool.read(make(lines(0, 9_000_000_000_000_000_000)))


def test_several_files_are_merged(make: Make) -> None:
    first, second = make(lines(0, 1), "run1"), make(lines(1, 2) + "2 ||| new ||| g=1 ||| 5\n", "run2")
    references = make("a\nb\nc\n", "ref")
    with pytest.warns(IgnoredInputWarning, match="1 of 5 candidates equal .*: dropped"):
        pool = Pool.read([first, second], references=references, duplicates="drop")
    assert pool.ids == ("0", "1", "2")
    assert pool.texts == ["text 0", "text 1", "text 2", "new"]
    assert pool.feature_names == ("f", "g")


def test_equal_candidates_are_kept_whether_they_are_in_one_file_or_in_several(make: Make) -> None:
    one = make(lines(0, 0, 1), "one")
    first, second = make(lines(0, 1), "first"), make(lines(0), "second")
    with pytest.warns(TunesmithWarning, match="1 of 3 candidates equal .*count as often as they are there"):
        joined = Pool.read([first, second])
    assert_identical(joined, Pool.read(one))
    assert_identical(joined, Pool.read([first, second], duplicates="keep"))


def test_equal_candidates_of_one_file_are_dropped_if_asked(make: Make) -> None:
    with pytest.warns(IgnoredInputWarning, match="1 of 3 candidates equal"):
        once = Pool.read(make(lines(0, 0, 1), "a"), duplicates="drop")
    assert_identical(once, Pool.read(make(lines(0, 1), "b")))
    with pytest.raises(OptionError, match="duplicates cannot be 'merge'"):
        Pool.read(make(lines(0)), duplicates="merge")


def test_files_of_several_formats_are_merged(make: Make) -> None:
    moses = make("0 ||| a ||| f= 1 ||| 0\n", "a.moses")
    jsonl = make('{"id": 0, "hypotheses": [{"text": "b", "features": {"f": 2}}]}', "b.jsonl")
    assert Pool.read([moses, jsonl]).texts == ["a", "b"]


def test_no_file_at_all_is_an_error() -> None:
    with pytest.raises(OptionError, match="no candidate file"):
        Pool.read([])


def test_standard_input_is_read(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(lines(0, 1).encode())))
    assert Pool.read("-").ids == ("0", "1")


def test_json_ids_that_are_numbers_are_lines_of_the_references(make: Make) -> None:
    line = '{"id": %s, "hypotheses": [{"text": "b", "features": {"f": 2}}]}\n'
    path, reference = make(line % 2 + line % 0, "x.jsonl"), make("a\nb\nc\n", "ref")
    with pytest.raises(InputError, match="sentence 1 has no candidates"):
        Pool.read(path, references=reference)
    pool = Pool.read(path, references=reference, allow_missing=True)
    assert (pool.ids, list(pool.references[0])) == (("2", "0"), ["c", "a"])
    from_one = make(line % 1 + line % 2, "y.jsonl")
    with pytest.raises(InputError, match=r"ids up to 2, but .*ref2 has 2 lines; expected ids to count"):
        Pool.read(from_one, references=make("a\nb\n", "ref2"))


def test_json_ids_that_are_names_follow_the_order_of_the_references(make: Make) -> None:
    line = '{"id": "%s", "hypotheses": [{"text": "b", "features": {"f": 2}}]}\n'
    path = make(line % "x" + line % "7", "x.jsonl")
    assert Pool.read(path, references=make("a\nb\n", "ref")).references[0] == ["a", "b"]
    with pytest.raises(InputError, match=r"x\.jsonl has 2 sentences, but .*ref has 3 lines"):
        Pool.read(path, references=make("a\nb\nc\n", "ref"), allow_missing=True)


def test_references_in_the_file_and_beside_it_are_an_error(make: Make) -> None:
    path = make('{"id": 0, "references": ["r"], "hypotheses": [{"features": {"f": 2}}]}', "x.jsonl")
    with pytest.raises(InputError, match="already contains references"):
        Pool.read(path, references=make("a\n", "ref"))


def test_memory_of_a_pool_is_not_copied_from_the_parser(make: Make) -> None:
    pool = Pool.read(make(lines(0, 1)))
    for array in (pool.features.values, pool.features.columns, pool.offsets, pool.texts.blob):  # type: ignore[union-attr]
        assert not array.flags.owndata


def test_a_damaged_reference_names_its_file(make: Make) -> None:
    with pytest.raises(InputError, match=r"ref:2: not UTF-8"):
        Pool.read(make(lines(0, 1)), references=make(b"a\n\xff\n", "ref"))
    with pytest.raises(InputError, match=r"ref\.gz: truncated compressed file"):
        Pool.read(make(lines(0, 1)), references=make(gzip.compress(b"a\nb\n" * 99)[:-9], "ref.gz"))


def test_ids_that_are_written_with_a_fraction_do_not_match_lines_by_their_order(make: Make) -> None:
    lists = make("id,text,f\n1.0,b,1\n0.0,a,1\n", "lists.csv")
    with pytest.raises(InputError, match=r"lists.csv has the id '1.0': it is not clear which line"):
        Pool.read(lists, references=make("a\nb\n", "ref"))
    assert Pool.read(lists).ids == ("1.0", "0.0")
