"""Significance against scipy's hypergeometric distribution, sentence counts against counting in Python."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
import scipy.stats
from tests.tables.toy_tables import as_rows, build, random_rows

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.extract import Lexicon, build_table, count_phrases
from tunesmith.generated import generate
from tunesmith.tables import (
    Pruning,
    filter_table,
    interpolate_tables,
    log_significance,
    merge_tables,
    prune_significance,
    prune_table,
)


@pytest.mark.parametrize("seed", range(100))
def test_significance_is_fishers_exact_test(seed: int) -> None:
    rng = random.Random(seed)
    total = rng.choice([10, 300, 29_000, 5_000_000])
    source, target = (min(total, int(10 ** rng.uniform(0, math.log10(total)))) for _ in range(2))
    joint = rng.randint(max(0, source + target - total), min(source, target))
    found = log_significance(source=source, target=target, joint=joint, total=total)
    tail = scipy.stats.hypergeom.logsf(joint - 1, total, source, target)
    if tail > -500:  # scipy's own tail loses digits further out
        assert found == pytest.approx(-tail, rel=1e-6, abs=1e-7)
    if total <= 29_000:
        cells = [[joint, source - joint], [target - joint, total - source - target + joint]]
        p = scipy.stats.fisher_exact(cells, alternative="greater").pvalue
        if p > 1e-290:
            assert found == pytest.approx(-math.log(p), rel=1e-6, abs=1e-7)


def test_a_pair_of_single_phrases_has_the_value_alpha() -> None:
    assert log_significance(source=1, target=1, joint=1, total=29_000) == pytest.approx(math.log(29_000))


@pytest.mark.parametrize("counts", [(2, 3, 3, 10), (11, 3, 3, 10), (2, 3, -1, 10)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int, int, int]) -> None:
    source, target, joint, total = counts
    with pytest.raises(InputError, match="is impossible"):
        log_significance(source=source, target=target, joint=joint, total=total)


def contains(sentence: str, phrase: str) -> bool:
    return f" {phrase} " in f" {sentence} "


@pytest.mark.parametrize("threshold", ["alpha+epsilon", "alpha-epsilon", 1.5])
def test_pruning_counts_the_sentences_that_hold_both_phrases(threshold, tmp_path: Path) -> None:
    rng = random.Random(11)
    words = ["ein", "mann", "a", "ab", "z", "bar", "pipe", "neu"]
    sides = [[" ".join(rng.choices(words, k=rng.randint(1, 9))) for _ in range(80)] for _ in range(2)]
    # Many pairs of one source phrase, so that they are found by target too.
    rows = random_rows(12, sources=250) | random_rows(13, sources=250)
    common = {("ein", " ".join(rng.choices(words, k=rng.randint(1, 3)))) for _ in range(150)}
    rows |= dict.fromkeys(common, next(iter(random_rows(1).values())).__class__((0.5,) * 4))
    table = build(tmp_path, rows)
    bitext = Bitext(Sentences.of(sides[0]), Sentences.of(sides[1]))
    alpha = math.log(80)
    least = {"alpha+epsilon": alpha + 1e-3, "alpha-epsilon": alpha - 1e-3}.get(threshold, threshold)
    expected = set()
    for source, target in rows:
        having = [contains(sentence, source) for sentence in sides[0]]
        others = [contains(sentence, target) for sentence in sides[1]]
        joint = sum(a and b for a, b in zip(having, others, strict=True))
        tail = scipy.stats.hypergeom.logsf(joint - 1, 80, sum(having), sum(others))
        if joint and -tail >= least:
            expected.add((source, target))
    pruned = prune_significance(table, tmp_path / "pruned", bitext=bitext, threshold=threshold)
    assert set(as_rows(pruned)) == expected
    assert threshold == "alpha+epsilon" or expected


def test_pruning_by_the_tables_own_counts(tmp_path: Path) -> None:
    rows = random_rows(14, sources=100)
    table = build(tmp_path, rows)
    pruned = prune_significance(table, tmp_path / "pruned", total=50, threshold=5.0)
    expected = {
        key
        for key, row in rows.items()
        if -scipy.stats.hypergeom.logsf(row.counts[2] - 1, 50, row.counts[1], row.counts[0]) >= 5
    }
    assert set(as_rows(pruned)) == expected
    assert 0 < len(expected) < len(rows)
    instances = sum(row.counts[2] for row in rows.values())
    own = prune_significance(table, tmp_path / "own").path.read_bytes()
    assert own == prune_significance(table, tmp_path / "given", total=instances).path.read_bytes()
    with pytest.raises(InputError, match=r"table\.bin: .* \|\|\| .*: .*give the bitext"):
        prune_significance(table, tmp_path / "pruned", total=2)


def test_the_total_stays_that_of_the_text_when_pairs_are_dropped(tmp_path: Path) -> None:
    pairs = list(generate(60, seed=1, lowercase=True))
    bitext = Bitext(Sentences.of(p.source for p in pairs), Sentences.of(p.references[0] for p in pairs))
    alignments = Alignments.of(p.alignment for p in pairs)
    counts = count_phrases(bitext, alignments, path=tmp_path / "counts")
    table = build_table(counts, Lexicon.estimate(bitext, alignments), tmp_path / "table")
    assert table.instances == counts.instances
    small = filter_table(table, [pair.source for pair in pairs[:20]], tmp_path / "small")
    rare = prune_table(small, tmp_path / "rare", Pruning(top=1))
    significant = prune_significance(rare, tmp_path / "significant", threshold="alpha-epsilon")
    assert 0 < len(significant) < len(rare) < len(small) < len(table)
    assert {each.instances for each in (small, rare, significant)} == {counts.instances}
    expected = prune_significance(table, tmp_path / "all", threshold="alpha-epsilon")
    kept = {(p.source, p.target) for p in expected}
    assert set(as_rows(significant)) == kept & set(as_rows(rare))
    joined = interpolate_tables([table, rare, small], [0.5, 0.5, 0.0], tmp_path / "joined")
    assert joined.instances == 2 * counts.instances
    assert merge_tables([rare, table], tmp_path / "filled").instances == counts.instances


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(15))
    bitext = Bitext(Sentences.of(["a"]), Sentences.of(["a"]))
    with pytest.raises(OptionError, match="not both"):
        prune_significance(table, tmp_path / "pruned", total=5, bitext=bitext)
    for options in ({"total": 0}, {"total": 5, "threshold": "alpha"}, {"total": 5, "threshold": math.nan}):
        with pytest.raises(OptionError, match="significance"):
            prune_significance(table, tmp_path / "pruned", **options)
