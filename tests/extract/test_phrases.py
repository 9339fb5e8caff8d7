from __future__ import annotations

import os
import resource
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.damaged_containers import sealed, section_mutations
from tests.extract.collected import bitext_of, table_of
from tests.extract.reference import Pair, aligned_pairs, joint_counts

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.extract import Lexicon, PhraseCounts, build_table, count_phrases, score_phrases
from tunesmith.generated import generate

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)


def generated(count: int) -> tuple[Bitext, Alignments]:
    pairs = list(generate(count, seed=1, lowercase=True))
    sides = Sentences.of(p.source for p in pairs), Sentences.of(p.references[0] for p in pairs)
    return Bitext(*sides), Alignments.of(p.alignment for p in pairs)


@in_one_folder
@given(st.lists(aligned_pairs(5), min_size=1, max_size=5), st.integers(1, 8))
def test_counts_are_those_of_the_definition(tmp_path: Path, pairs: list[Pair], max_length: int) -> None:
    expected = joint_counts(pairs, max_length)
    table = table_of(pairs, tmp_path, max_length=max_length)
    assert {phrases: row.counts[2] for phrases, row in table.items()} == expected
    for (source, target), (target_count, source_count, _) in ((k, row.counts) for k, row in table.items()):
        assert source_count == sum(count for (f, _), count in expected.items() if f == source)
        assert target_count == sum(count for (_, e), count in expected.items() if e == target)


def test_totals_tell_what_was_counted(tmp_path: Path) -> None:
    pairs = [Pair(("a", "b"), ("x",), frozenset({(0, 0)}))] * 3
    counts = count_phrases(*bitext_of(pairs), path=tmp_path / "counts", max_length=2)
    assert (counts.sources, counts.targets, counts.pairs, counts.instances) == (2, 1, 2, 6)
    assert (counts.sentences, counts.folds, counts.max_length) == (3, 1, 2)
    assert PhraseCounts.open(counts.path, verify=True).pairs == 2


def test_the_file_is_the_same_for_any_memory_and_threads(tmp_path: Path) -> None:
    bitext, alignments = generated(300)
    folds = np.arange(300) % 7
    spill = tmp_path / "spill"
    spill.mkdir()
    files = []
    for number, (memory, threads) in enumerate([(1 << 30, 1), (1, 1), ("1B", 3), ("64K", 2)]):
        path = tmp_path / f"counts.{number}"
        count_phrases(
            bitext, alignments, path=path, folds=folds, memory=memory, temporary=spill, threads=threads
        )
        files.append(path.read_bytes())
    assert files[1:] == files[:1] * 3
    assert not list(spill.iterdir()), "temporary files were left"


def test_progress_is_told_in_lines(tmp_path: Path) -> None:
    lines: list[str] = []
    count_phrases(*generated(20), path=tmp_path / "counts", progress=lines.append)
    assert any("extracted" in line for line in lines)


def test_a_failing_progress_ends_the_count_and_leaves_nothing(tmp_path: Path) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        count_phrases(*generated(20), path=tmp_path / "counts", progress=fail)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "lines",
    [
        [("", ""), ("", "x"), ("a", "")],
        [("一 二 三", "ا ب")],
        [("||| a", "x |||"), ("\x01 \x7f", "&#124; \u2028")],
        [("a a a a", "a a a a")],
    ],
    ids=["empty lines", "other scripts", "odd tokens", "one word"],
)
def test_odd_text_is_counted_as_it_is(tmp_path: Path, lines: list[tuple[str, str]]) -> None:
    pairs = []
    for source, target in lines:
        f, e = source.split(" ") if source else [], target.split(" ") if target else []
        pairs.append(Pair(tuple(f), tuple(e), frozenset((i, i) for i in range(min(len(f), len(e))))))
    table = table_of(pairs, tmp_path)
    assert {key: row.counts[2] for key, row in table.items()} == joint_counts(pairs, 7)


def test_no_text_at_all_gives_an_empty_table(tmp_path: Path) -> None:
    assert table_of([], tmp_path) == {}


@pytest.mark.slow
def test_a_line_of_ten_thousand_words_is_counted(tmp_path: Path) -> None:
    words = tuple("ab"[i % 3 == 0] for i in range(10_000))
    pair = Pair(words, words, frozenset((i, i) for i in range(0, 10_000, 2)))
    counts = count_phrases(*bitext_of([pair]), path=tmp_path / "counts", max_length=2)
    # A link each 2 words: spans of 1 word (source grows to 2 beside it) and of 2 words on the target.
    assert counts.instances > 10_000


def test_a_pair_too_long_for_its_matrix_is_told_with_its_line(tmp_path: Path) -> None:
    words = ("a",) * 20_000
    pairs = [Pair(("a",), ("x",), frozenset({(0, 0)})), Pair(words, words, frozenset({(0, 0)}))]
    with pytest.raises(InputError, match="too long") as caught:
        count_phrases(*bitext_of(pairs), path=tmp_path / "counts")
    assert caught.value.line == 2


def test_links_of_another_tokenization_are_refused_with_their_line(tmp_path: Path) -> None:
    bitext, _ = bitext_of([Pair(("a",), ("x",), frozenset()), Pair(("a",), ("x",), frozenset())])
    alignments = Alignments.of([[(0, 0)], [(1, 0)]])
    with pytest.raises(InputError) as caught:
        count_phrases(bitext, alignments, path=tmp_path / "counts")
    assert caught.value.line == 2
    with pytest.raises(InputError):
        count_phrases(bitext, Alignments.of([[(0, 0)]]), path=tmp_path / "counts")
    assert not (tmp_path / "counts").exists()


@pytest.mark.parametrize(
    ("folds", "message", "line"),
    [
        ([0], "each of 2", 2),
        ([0, 0, 0], "each of 2", 3),
        ([0, -1], "from 0", 2),
        ([0.5, 1], "whole", None),
        ([0, 1 << 14], "16383", 2),
        ([[0, 1]], "shape", None),
    ],
)
def test_fold_numbers_that_are_none_are_refused(
    tmp_path: Path, folds: list[int], message: str, line: int | None
) -> None:
    bitext, alignments = bitext_of([Pair(("a",), ("x",), frozenset({(0, 0)}))] * 2)
    with pytest.raises(InputError, match=message) as caught:
        count_phrases(bitext, alignments, path=tmp_path / "counts", folds=folds)
    assert caught.value.line == line


@pytest.mark.parametrize(("memory", "threads"), [("1G", 1), ("1K", 3)])
@pytest.mark.parametrize("weighted", [False, True])
def test_several_alignments_count_as_the_text_with_each(
    tmp_path: Path, memory: str, threads: int, weighted: bool
) -> None:
    bitext, one = generated(80)
    rows = [[tuple(link) for link in row] for row in map(np.ndarray.tolist, one)]
    other = Alignments.of(row[: len(row) - k % 3] for k, row in enumerate(rows))
    folds = np.arange(80) % 3
    weights = 1 + np.arange(80) % 4 if weighted else None
    repeated = bitext.take(np.tile(np.arange(80), 3)), Alignments.concatenate([one, other, one])
    tiled = np.tile(folds, 3)
    lexicon = Lexicon.estimate(*repeated, tiled)
    tables = []
    for text, alignments, fold, times in (
        (*repeated, tiled, 3),
        (bitext, [one, other, one], folds, 1),
    ):
        each = None if weights is None else np.tile(weights, times)
        options = {"folds": fold, "weights": each, "memory": memory, "threads": threads}
        counts = count_phrases(text, alignments, path=tmp_path / "counts", **options)
        instances = [counts.native.instances_without(number) for number in range(3)]
        build_table(counts, lexicon, tmp_path / "table", exclude_fold=1)
        tables.append((instances, counts.events, (tmp_path / "table").read_bytes()))
    assert tables[0] == tables[1]
    assert counts.sentences == 80


def test_alignments_of_other_text_are_refused(tmp_path: Path) -> None:
    bitext, alignments = generated(4)
    for wrong in ([], [alignments, Alignments.of([[(0, 0)]])]):
        with pytest.raises(InputError, match="alignments for 4 sentence pairs"):
            count_phrases(bitext, wrong, path=tmp_path / "counts")


def test_words_that_are_no_utf8_are_damage_and_told_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "counts"
    bitext, alignments = bitext_of([Pair(("größe",), ("size",), frozenset({(0, 0)}))])
    count_phrases(bitext, alignments, path=path)
    Lexicon.estimate(bitext, alignments).save(tmp_path / "lexicon")
    for damaged, opened in ((path, PhraseCounts.open), (tmp_path / "lexicon", Lexicon.open)):
        whole = damaged.read_bytes()
        assert whole.count("größe".encode()) == 1
        damaged.write_bytes(sealed(whole.replace("größe".encode(), b"gr\xff\xfe\xc3\x9fe"), whole))
        with pytest.raises(InputError, match="UTF-8") as caught:
            opened(damaged)
        assert str(damaged) in str(caught.value)


@pytest.mark.parametrize(
    ("links", "options", "message"),
    [
        (frozenset(), {}, "alignments empty"),
        (frozenset({(0, 0)}), {"min_count": 3}, "seen at least 3 times"),
        (frozenset({(0, 0)}), {"exclude_fold": 1}, "in the excluded fold"),
    ],
)
def test_a_table_without_pairs_is_refused_and_says_why(
    tmp_path: Path, links: frozenset[tuple[int, int]], options: dict[str, int], message: str
) -> None:
    bitext, alignments = bitext_of([Pair(("a",), ("x",), links)] * 2)
    counts = count_phrases(bitext, alignments, path=tmp_path / "counts", folds=[1, 1])
    with pytest.raises(InputError, match=message):
        build_table(
            counts, Lexicon.estimate(bitext, alignments, [1, 1]), tmp_path / "table", reordering=(), **options
        )
    assert not (tmp_path / "table").exists()


def test_tables_note_how_many_pairs_were_extracted(tmp_path: Path) -> None:
    bitext, alignments = generated(40)
    folds = np.arange(40) % 4
    counts = count_phrases(bitext, alignments, path=tmp_path / "counts", folds=folds)
    lexicon = Lexicon.estimate(bitext, alignments, folds)
    assert build_table(counts, lexicon, tmp_path / "all", min_count=2).instances == counts.instances
    kept = [i for i in range(40) if folds[i] != 1]
    pairs = list(generate(40, seed=1, lowercase=True))
    sides = Sentences.of(pairs[i].source for i in kept), Sentences.of(pairs[i].references[0] for i in kept)
    rest = count_phrases(
        Bitext(*sides), Alignments.of(pairs[i].alignment for i in kept), path=tmp_path / "rest"
    )
    assert build_table(counts, lexicon, tmp_path / "part", exclude_fold=1).instances == rest.instances


def test_one_reordering_model_may_be_given_as_a_name(tmp_path: Path) -> None:
    bitext, alignments = generated(20)
    counts = count_phrases(bitext, alignments, path=tmp_path / "counts")
    lexicon = Lexicon.estimate(bitext, alignments)
    table = build_table(counts, lexicon, tmp_path / "table", reordering="hier-msd-backward-f")
    assert table.reordering_models == (("hier-msd-backward-f", 3),)
    for options in ({"min_count": 1.5}, {"exclude_fold": 0.5}, {"reordering_smoothing": "x"}):
        with pytest.raises(OptionError):
            build_table(counts, lexicon, tmp_path / "table", **options)


def test_options_that_are_wrong_are_refused(tmp_path: Path) -> None:
    bitext, alignments = bitext_of([Pair(("a",), ("x",), frozenset({(0, 0)}))])
    for options in (
        *({"max_length": length} for length in (0, 9, 3.0, "3")),
        *({"memory": memory} for memory in (-1, 2**70, "much", None)),
        {"threads": 0},
    ):
        with pytest.raises(OptionError):
            count_phrases(bitext, alignments, path=tmp_path / "counts", **options)
    with pytest.raises(InputError, match="folder"):
        count_phrases(bitext, alignments, path=tmp_path / "none" / "counts")
    with pytest.raises(InputError, match="folder"):
        count_phrases(bitext, alignments, path=tmp_path / "counts", temporary=tmp_path / "none")


@pytest.mark.parametrize("memory", [1, 1 << 30], ids=["temporary files", "result"])
def test_a_disk_without_room_is_told_and_nothing_stays(tmp_path: Path, memory: int) -> None:
    bitext, alignments = generated(300)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # Python ignores the signal of it
    try:
        with pytest.raises(InputError, match="write"):
            count_phrases(bitext, alignments, path=tmp_path / "counts", memory=memory)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not list(tmp_path.iterdir())


def test_a_device_is_not_replaced_by_the_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    bitext, alignments = bitext_of([Pair(("a",), ("x",), frozenset({(0, 0)}))])
    with pytest.raises(InputError, match="regular file"):
        count_phrases(bitext, alignments, path=tmp_path / "pipe")


def test_damaged_files_are_refused_and_never_crash(tmp_path: Path) -> None:
    bitext, alignments = generated(30)
    path = tmp_path / "counts"
    count_phrases(bitext, alignments, path=path)
    lexicon = Lexicon.estimate(bitext, alignments)
    whole = path.read_bytes()
    with pytest.raises(InputError, match="no such file"):
        PhraseCounts.open(tmp_path / "none")
    for size in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError):
            PhraseCounts.open(path)
    for _, damaged in section_mutations(whole, 150):
        path.write_bytes(damaged)
        try:
            counts = PhraseCounts.open(path)
            score_phrases(counts, lexicon, _native.PhraseCollector())
        except InputError as error:
            assert str(path) in str(error)
    path.write_bytes(whole[:-100] + bytes(100))
    with pytest.raises(InputError):
        PhraseCounts.open(path, verify=True)
