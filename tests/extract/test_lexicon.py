from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.extract.collected import bitext_of
from tests.extract.reference import Pair, aligned_pairs
from tests.extract.test_scoring import word_counts

from tunesmith.corpus import Alignments
from tunesmith.errors import InputError, OptionError
from tunesmith.extract import Lexicon
from tunesmith.files import read_lines

TWO = [
    Pair(("das", "haus"), ("the", "house"), frozenset({(0, 0), (1, 1)})),
    Pair(("das", "ja"), ("house",), frozenset({(0, 0)})),
]


@given(st.lists(aligned_pairs(5), min_size=1, max_size=5))
def test_probabilities_are_relative_frequencies_of_links(pairs: list[Pair]) -> None:
    lexicon = Lexicon.estimate(*bitext_of(pairs), threads=1)
    counts = word_counts(pairs)
    assert len(lexicon.probabilities()) == len(counts)
    for (f, e), count in counts.items():
        c_f = sum(c for key, c in counts.items() if key[0] == f)
        c_e = sum(c for key, c in counts.items() if key[1] == e)
        assert lexicon.probability(f, e) == pytest.approx((count / c_e, count / c_f))


def test_words_without_links_are_explained_by_null() -> None:
    lexicon = Lexicon.estimate(*bitext_of(TWO))
    assert lexicon.probability("ja", "NULL") == (1.0, 1.0)
    assert lexicon.probability("das", "house") == (0.5, 0.5)
    assert lexicon.probability("das", "unseen") == (0.0, 0.0)
    assert lexicon.probability("ja", "the") == (0.0, 0.0)


def test_counts_of_several_alignments_are_those_of_the_text_with_each() -> None:
    bitext, one = bitext_of(TWO)
    other = Alignments.of([[(0, 1), (1, 0)], [(1, 0)]])
    joined = Lexicon.joined([Lexicon.estimate(bitext, each, [0, 1]) for each in (one, other, one)])
    whole = Lexicon.estimate(
        bitext.take(np.tile([0, 1], 3)), Alignments.concatenate([one, other, one]), [0, 1] * 3
    )
    for name in ("sources", "targets", "folds", "counts"):
        column = getattr(joined, name)
        assert column.dtype == getattr(whole, name).dtype
        assert column.tolist() == getattr(whole, name).tolist()
    assert joined.fold_count == whole.fold_count


def test_a_fold_can_be_left_out() -> None:
    lexicon = Lexicon.estimate(*bitext_of(TWO), [0, 1])
    assert lexicon.probability("das", "house", exclude_fold=0) == (1.0, 1.0)
    assert lexicon.probability("das", "the", exclude_fold=0) == (0.0, 0.0)


def test_a_fold_that_is_not_there_is_refused(tmp_path: Path) -> None:
    lexicon = Lexicon.estimate(*bitext_of(TWO), [0, 1])
    for fold in (-1, 2, 99, 0.5):
        with pytest.raises(OptionError, match="fold"):
            lexicon.probability("das", "house", exclude_fold=fold)
        with pytest.raises(OptionError, match="fold"):
            lexicon.write_moses(tmp_path / "lex", exclude_fold=fold)


def test_moses_text_form_has_both_directions(tmp_path: Path) -> None:
    Lexicon.estimate(*bitext_of(TWO)).write_moses(tmp_path / "lex")
    assert sorted(read_lines(tmp_path / "lex.e2f")) == [
        "das house 0.5000000",
        "das the 1.0000000",
        "haus house 0.5000000",
        "ja NULL 1.0000000",
    ]
    assert "the das 0.5000000" in read_lines(tmp_path / "lex.f2e")


def test_a_saved_lexicon_is_the_same_when_opened(tmp_path: Path) -> None:
    lexicon = Lexicon.estimate(*bitext_of(TWO), [0, 1])
    lexicon.save(tmp_path / "lexicon")
    opened = Lexicon.open(tmp_path / "lexicon", verify=True)
    for name in ("sources", "targets", "folds", "counts"):
        assert np.array_equal(getattr(opened, name), getattr(lexicon, name))
    assert opened.probability("das", "house") == (0.5, 0.5)
    assert opened.fold_count == 2
    data = (tmp_path / "lexicon").read_bytes()
    (tmp_path / "lexicon").write_bytes(data[:-1])
    with pytest.raises(InputError):
        Lexicon.open(tmp_path / "lexicon")


def test_links_of_another_tokenization_are_refused_with_their_line() -> None:
    bitext, _ = bitext_of(TWO)
    with pytest.raises(InputError) as caught:
        Lexicon.estimate(bitext, Alignments.of([[(0, 0)], [(0, 1)]]))
    assert caught.value.line == 2
