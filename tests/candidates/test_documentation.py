"""What docs/candidates.md claims."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tunesmith.candidates.readers.base import READERS

TESTS = Path(__file__).parent
PAGE = (TESTS.parents[1] / "docs" / "candidates.md").read_text(encoding="utf-8")

ROWS = {
    "a missing file": "test_a_missing_file",
    "a directory instead of a file": "test_a_directory",
    "an empty file": "test_an_empty_file",
    "truncated or damaged compression": "test_a_truncated_or_damaged_compressed_file",
    "bytes that are not UTF-8": "test_bad_utf8",
    "a line without its fields, an empty line": "test_a_line_without_its_fields",
    r"`\|\|\|` in a text": "test_bars_in_a_text_move_the_features_and_are_seen",
    "an id that is not a whole number from 0 (formats with numbers)": (
        "test_an_id_that_is_no_whole_number_is_an_error"
    ),
    "candidates of one id that are not contiguous": "test_an_id_that_comes_back_is_an_error_with_the_line",
    "a sentence without candidates between others or at the end": (
        "test_sentences_missing_at_the_end_are_seen_by_the_references"
    ),
    "more sentences than reference lines": (
        "test_more_sentences_than_reference_lines_is_an_error_even_if_missing_ones_are_allowed"
    ),
    "references of different lengths": "test_references_of_different_lengths_are_an_error_that_names_both",
    "an empty list of hypotheses (JSON lines)": "test_what_is_not_right_is_an_error_with_the_line",
    "one candidate in a list": "test_one_candidate_is_legal",
    "an empty hypothesis": "test_an_empty_hypothesis_is_legal",
    "a feature in some lists only": "test_a_sparse_feature_is_absent_where_a_list_does_not_have_it",
    "a missing value of a feature: an empty cell, null, None, NaN in arrays": (
        "test_a_missing_value_is_an_error_that_names_feature_and_place"
    ),
    "no features at all": "test_no_features_at_all_are_legal",
    "the same feature twice in one candidate": "test_a_repeated_feature",
    "a label whose number of values changes": "test_a_label_whose_number_of_values_changes_is_an_error",
    "infinite or too large values, NaN in text formats other than CSV and TSV": (
        "test_values_that_are_not_finite"
    ),
    "values too small for a double": "test_a_number_too_small_for_a_double_is_zero",
    "a value that is not a number": "test_bad_pairs_are_errors_with_the_line",
    "a repeated or unknown key (JSON lines)": "test_what_is_not_right_is_an_error_with_the_line",
    "half a surrogate pair (JSON lines)": "test_what_is_not_right_is_an_error_with_the_line",
    "Windows line ends, no line end at the end, a byte order mark": (
        "test_windows_line_ends_a_missing_last_one_and_a_byte_order_mark_are_legal"
    ),
    "a NUL byte in a text": "test_a_null_byte_is_a_character_like_others",
    "lines of many megabytes": "test_a_line_of_tens_of_megabytes",
    "a text of more than 4 MiB (4,194,304 bytes)": "test_a_flat_text_that_is_too_long_is_an_error",
    "two columns of the same name": "test_what_is_not_right_is_an_error_in_delimited_files",
    "a compressed file without its suffix": "test_a_compressed_file_without_its_suffix_is_told",
    "a format that cannot be detected": "test_what_fits_no_format_is_an_error_that_lists_them",
    "a misspelt format or option": "test_a_misspelt_format_or_option_is_an_error_with_a_suggestion",
}


def table(heading: str) -> list[str]:
    """Return the first cells of the table under a heading."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    return [
        line.split(" | ")[0].removeprefix("| ") for line in section.splitlines() if line.startswith("| ")
    ][1:]


def test_every_row_of_bad_input_has_a_test() -> None:
    assert table("Bad input") == list(ROWS)
    sources = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    for name in ROWS.values():
        assert f"def {name}(" in sources


def test_every_format_has_a_row() -> None:
    assert {re.match("`(.*?)`", row)[1] for row in table("Formats")} == set(READERS)  # type: ignore[index]


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    assert len(blocks) > 3
    exec(compile("\n".join(blocks), "docs/candidates.md", "exec"), {})
