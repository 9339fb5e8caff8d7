from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.extract.collected import Row, bitext_of, collect, table_of
from tests.extract.reference import Pair, aligned_pairs, consistent, is_short

from tunesmith.corpus import Vocabulary
from tunesmith.errors import OptionError
from tunesmith.extract import Lexicon, count_phrases

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
corpora = st.lists(aligned_pairs(4), min_size=1, max_size=8)
Key = tuple[str, str]


def word_counts(pairs: list[Pair]) -> Counter[tuple[str, str]]:
    """Links, and words without links beside NULL."""
    counts: Counter[tuple[str, str]] = Counter()
    for source, target, links in pairs:
        counts.update((source[i], target[j]) for i, j in links)
        counts.update((word, "NULL") for i, word in enumerate(source) if all(i != a for a, _ in links))
        counts.update(("NULL", word) for j, word in enumerate(target) if all(j != b for _, b in links))
    return counts


def inner_links(pairs: list[Pair]) -> dict[Key, Counter[frozenset[tuple[int, int]]]]:
    found: dict[Key, Counter[frozenset[tuple[int, int]]]] = defaultdict(Counter)
    for pair in pairs:
        for span in consistent(pair):
            if is_short(span, 7):
                key = " ".join(pair.source[span.sb : span.se]), " ".join(pair.target[span.tb : span.te])
                inside = ((i, j) for i, j in pair.links if span.sb <= i < span.se)
                found[key][frozenset((i - span.sb, j - span.tb) for i, j in inside)] += 1
    return found


def best(links: Counter[frozenset[tuple[int, int]]], words: int, side: int) -> frozenset[tuple[int, int]]:
    """The most frequent; among equals the largest list of each word's sorted links."""

    def rows(points: frozenset[tuple[int, int]]) -> list[list[int]]:
        return [sorted(p[1 - side] for p in points if p[side] == word) for word in range(words)]

    return max(links, key=lambda points: (links[points], rows(points)))


def lexical_weight(key: Key, links: frozenset[tuple[int, int]], side: int, counts: Counter[Key]) -> float:
    """Explain the words of a side by the words of the other."""
    words = [phrase.split() for phrase in key]
    weight = 1.0
    for position, word in enumerate(words[side]):
        partners = [words[1 - side][p[1 - side]] for p in links if p[side] == position] or ["NULL"]
        total = 0.0
        for partner in partners:
            joint = counts[(word, partner) if side == 0 else (partner, word)]
            given_partner = sum(c for k, c in counts.items() if k[1 - side] == partner)
            total += round(joint / given_partner, 7)
        weight *= total / len(partners)
    return weight


def assert_close(got: dict[Key, Row], expected: dict[Key, Row]) -> None:
    assert got.keys() == expected.keys()
    for key, row in expected.items():
        assert got[key].links == row.links
        assert got[key].counts == row.counts
        assert got[key].scores == pytest.approx(row.scores, rel=1e-6)
        assert got[key].reordering == pytest.approx(row.reordering, rel=1e-6)


@pytest.mark.slow
@in_one_folder
@given(corpora)
def test_scores_are_those_of_the_formulas(tmp_path: Path, pairs: list[Pair]) -> None:
    words, links = word_counts(pairs), inner_links(pairs)
    joint = {key: sum(variants.values()) for key, variants in links.items()}
    for key, row in table_of(pairs, tmp_path).items():
        c_f = sum(count for (f, _), count in joint.items() if f == key[0])
        c_e = sum(count for (_, e), count in joint.items() if e == key[1])
        by_source = best(links[key], len(key[0].split()), 0)
        by_target = best(links[key], len(key[1].split()), 1)
        assert row.links == tuple(sorted(by_target))
        assert row.scores == pytest.approx(
            (
                joint[key] / c_e,
                lexical_weight(key, by_source, 0, words),
                joint[key] / c_f,
                lexical_weight(key, by_target, 1, words),
            ),
            rel=1e-6,
        )


@pytest.mark.slow
@in_one_folder
@given(corpora, st.data())
def test_leaving_a_fold_out_is_recounting_without_its_sentences(
    tmp_path: Path, pairs: list[Pair], data: st.DataObject
) -> None:
    folds = data.draw(st.lists(st.integers(0, 2), min_size=len(pairs), max_size=len(pairs)))
    models = ("hier-mslrg-bidirectional-fe", "wbe-msd-bidirectional-f")
    smoothing = data.draw(st.sampled_from([None, "good-turing", "kneser-ney"]))
    excluded = data.draw(st.integers(0, max(folds)))
    options = {"smoothing": smoothing, "reordering": models}
    without = table_of(pairs, tmp_path, folds=folds, exclude_fold=excluded, **options)
    rest = [pair for pair, fold in zip(pairs, folds, strict=True) if fold != excluded]
    assert_close(without, table_of(rest, tmp_path, **options))


@pytest.mark.slow
@in_one_folder
@given(corpora)
def test_good_turing_discounts_by_counts_of_counts(tmp_path: Path, pairs: list[Pair]) -> None:
    plain = table_of(pairs, tmp_path)
    n = Counter(row.counts[2] for row in plain.values())
    factors = [0.01]
    for c in range(1, 9):
        factors.append(max(factors[-1], min(1.0, (c + 1) / c * (n[c + 1] + 0.1) / (n[c] + 0.1))))
    for key, row in table_of(pairs, tmp_path, smoothing="good-turing").items():
        target_count, source_count, joint = row.counts
        adjusted = joint * (factors[int(joint)] if joint < 9 else 1)
        assert row.scores[0] == pytest.approx(adjusted / target_count, rel=1e-6)
        assert row.scores[2] == pytest.approx(adjusted / source_count, rel=1e-6)
        assert row.scores[1::2] == plain[key].scores[1::2]


@pytest.mark.slow
@in_one_folder
@given(corpora)
def test_kneser_ney_gives_what_it_takes_to_frequent_partners(tmp_path: Path, pairs: list[Pair]) -> None:
    plain = table_of(pairs, tmp_path)
    n = Counter(row.counts[2] for row in plain.values())
    partners = [Counter(key[side] for key in plain) for side in (0, 1)]
    y = n[1] / (n[1] + 2 * n[2]) if n[1] else 0
    for key, row in table_of(pairs, tmp_path, smoothing="kneser-ney").items():
        target_count, source_count, joint = row.counts
        c = min(int(joint), 3)
        discount = min(max(c - (c + 1) * y * n[c + 1] / n[c], 0), c - 0.1) if n[c] else c / 2
        adjusted = joint - discount + discount * partners[0][key[0]] * partners[1][key[1]] / len(plain)
        assert row.scores[0] == pytest.approx(adjusted / target_count, rel=1e-6)
        assert row.scores[2] == pytest.approx(adjusted / source_count, rel=1e-6)


def test_rare_pairs_are_left_out_but_count_in_denominators(tmp_path: Path) -> None:
    once, twice = (Pair(("a",), (word,), frozenset({(0, 0)})) for word in "xy")
    table = table_of([once, twice, twice], tmp_path, min_count=2)
    assert list(table) == [("a", "y")]
    assert table["a", "y"].scores[2] == pytest.approx(2 / 3)


def test_the_number_of_threads_changes_nothing(tmp_path: Path) -> None:
    pairs = [Pair(("a", "b"), ("x", "y"), frozenset({(0, i % 2), (1, 1)})) for i in range(9)]
    one, three = (table_of(pairs, tmp_path, threads=threads) for threads in (1, 3))
    assert list(one.items()) == list(three.items())


def test_a_lexicon_with_other_word_numbers_gives_the_same_scores(tmp_path: Path) -> None:
    pairs = [
        Pair(("a", "b"), ("x", "y"), frozenset({(0, 1), (1, 0)})),
        Pair(("b", "c"), ("x",), frozenset({(0, 0)})),
    ]
    bitext, alignments = bitext_of(pairs)
    lexicon = Lexicon.estimate(bitext, alignments)
    counts = count_phrases(bitext, alignments, path=tmp_path / "counts")
    shuffled = Vocabulary(["c", "zero", "b", "a"])
    numbers = [shuffled.find(lexicon.source_vocabulary[i]) if i >= 0 else -1 for i in lexicon.sources]
    sources = lexicon.sources.copy()
    sources[:] = numbers
    other = Lexicon(
        sources, lexicon.targets, lexicon.folds, lexicon.counts, shuffled, lexicon.target_vocabulary
    )
    assert collect(counts, other) == collect(counts, lexicon)


def test_a_lexicon_of_other_folds_cannot_leave_one_out(tmp_path: Path) -> None:
    bitext, alignments = bitext_of([Pair(("a",), ("x",), frozenset({(0, 0)}))] * 2)
    counts = count_phrases(bitext, alignments, path=tmp_path / "counts", folds=[0, 1])
    lexicon = Lexicon.estimate(bitext, alignments)
    assert collect(counts, lexicon)
    with pytest.raises(OptionError, match="same fold numbers"):
        collect(counts, lexicon, exclude_fold=1)


def test_options_that_are_wrong_are_refused(tmp_path: Path) -> None:
    pairs = [Pair(("a",), ("x",), frozenset({(0, 0)}))]
    for options in (
        {"smoothing": "kneser"},
        {"min_count": -1},
        {"exclude_fold": 1},
        {"exclude_fold": -1},
        {"reordering_smoothing": 0.0},
        {"reordering_smoothing": math.nan},
        {"reordering": ["hier-mslr"]},
    ):
        with pytest.raises(OptionError):
            table_of(pairs, tmp_path, **options)
