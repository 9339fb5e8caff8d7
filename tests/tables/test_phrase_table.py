"""Mapped phrase tables: look-ups, order, and files that are not what they should be."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import pytest
from tests.damaged_containers import section_mutations
from tests.tables.toy_tables import as_float32, as_rows, build, random_rows

from tunesmith.corpus import Vocabulary
from tunesmith.errors import InputError, OptionError
from tunesmith.tables import PhraseTable, PhraseTableBuilder


@pytest.mark.parametrize("seed", range(4))
def test_look_ups_give_what_a_dictionary_gives(seed: int, tmp_path: Path) -> None:
    rows = random_rows(seed, reordering=6)
    table = build(tmp_path, rows)
    assert len(table) == len(rows)
    assert as_rows(table) == {key: as_float32(row) for key, row in rows.items()}
    for source in {source for source, _ in rows}:
        found = {pair.target for pair in table.lookup(source)}
        assert found == {target for other, target in rows if other == source}
        assert source in table
    known = {source for source, _ in rows}
    assert set(table.source_phrases()) == known
    rng = random.Random(seed)
    words = sorted({word for source in known for word in source.split()} | {"unknown"})
    for _ in range(300):
        phrase = " ".join(rng.choice(words) for _ in range(rng.randint(0, 6)))
        assert bool(table.lookup(phrase)) == (phrase in known)


def test_a_table_in_memory_holds_what_a_mapped_one_does(tmp_path: Path) -> None:
    mapped = build(tmp_path, random_rows(4, reordering=6))
    read = PhraseTable.open(mapped.path, in_memory=True)
    mapped.path.unlink()
    assert as_rows(read) == as_rows(mapped)


def test_pairs_come_by_falling_probability_of_the_target(tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(5, sources=30))
    for source in table.source_phrases():
        probabilities = [pair.scores["p(e|f)"] for pair in table.lookup(source)]
        assert probabilities == sorted(probabilities, reverse=True)


def test_the_spans_of_a_sentence_are_those_that_are_source_phrases(tmp_path: Path) -> None:
    rows = random_rows(6, sources=200)
    table = build(tmp_path, rows)
    words = [random.Random(7).choice(["ein", "mann", "bar", "a", "ab", "z", "nie"]) for _ in range(40)]
    expected = [
        (begin, end, len(pairs))
        for begin in range(40)
        for end in range(begin + 1, 41)
        if (pairs := [target for source, target in rows if source == " ".join(words[begin:end])])
    ]
    assert expected
    assert table.spans(" ".join(words)) == expected


def test_the_same_pairs_give_the_same_bytes(tmp_path: Path) -> None:
    rows = random_rows(8, reordering=4)
    first = build(tmp_path, rows, "first").path.read_bytes()
    (tmp_path / "again").mkdir()
    assert build(tmp_path / "again", rows, "first").path.read_bytes() == first


def test_a_table_goes_to_another_process_by_its_name(tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(8))
    again = pickle.loads(pickle.dumps(table))
    assert as_rows(again) == as_rows(table)
    again.write_moses(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "table.txt").read_bytes()


def test_a_builder_takes_pairs_in_the_numbers_of_its_vocabularies(tmp_path: Path) -> None:
    source, target = Vocabulary(["nie", "ein", "mann"]), Vocabulary(["man", "never", "a"])
    with PhraseTableBuilder(tmp_path / "t", scores=["p(e|f)"], reordering=[("x-fe", 2)]) as builder:
        builder.native.begin_source([1, 2])
        builder.native.add([2, 0], [(0, 0), (1, 1)], [0.25], [0.5, 0.5], [4, 4, 1])
        builder.native.add([0], [(1, 0)], [0.75], [1, 0], [4, 4, 3])
        table = builder.finish(source, target, corpus="toy")
    assert [pair.target for pair in table.lookup("ein mann")] == ["man", "a man"]
    assert table.lookup("ein") == table.lookup("nie") == table.lookup("") == []
    assert table.reordering_models == (("x-fe", 2),)
    assert table.meta["corpus"] == "toy"
    with pytest.raises(InputError, match="has finished"):
        builder.native.begin_source([1])


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (([0], [], [0.5], [], [1, 1, 1]), "found 1 scores; expected 4"),
        (([0], [], [0.5] * 4, [0.5], [1, 1, 1]), "found 1 reordering probabilities; expected 0"),
        (([0], [], [0.5, 0.5, -0.5, 0.5], [], [1, 1, 1]), "of 0 or more"),
        (([0], [], [0.5, 0.5, float("nan"), 0.5], [], [1, 1, 1]), "finite"),
        (([0], [], [0.5] * 4, [], [1, 1, float("inf")]), "finite"),
        (([0], [(0, 1)], [0.5] * 4, [], [1, 1, 1]), "link 0-1 for 1 source and 1 target words"),
        (([0], [(-1, 0)], [0.5] * 4, [], [1, 1, 1]), "link -1-0"),
        (([0, 0], [(0, 1), (0, 0)], [0.5] * 4, [], [1, 1, 1]), "not sorted"),
        (([], [], [0.5] * 4, [], [1, 1, 1]), "no words"),
        (([-1], [], [0.5] * 4, [], [1, 1, 1]), "not in the vocabulary"),
    ],
)
def test_a_builder_refuses_pairs_that_cannot_be(pair, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message), PhraseTableBuilder(tmp_path / "t") as builder:
        builder.native.begin_source([0])
        builder.native.add(*pair)
    assert list(tmp_path.iterdir()) == []


def test_a_builder_refuses_repeated_phrases_and_unknown_words(tmp_path: Path) -> None:
    pair = ([0], [], [0.5] * 4, [], [1, 1, 1])
    with PhraseTableBuilder(tmp_path / "t") as builder:
        with pytest.raises(InputError, match="before its source"):
            builder.native.add(*pair)
        with pytest.raises(InputError, match="no words"):
            builder.native.begin_source([])
        builder.native.begin_source([0, 1])
        builder.native.add(*pair)
        with pytest.raises(InputError, match="duplicate phrase pair"):
            builder.native.add(*pair)
        builder.native.begin_source([0])
        builder.native.add(*pair)
        with pytest.raises(InputError, match="occur twice"):
            builder.native.begin_source([0, 1])
        with pytest.raises(InputError, match="word 1 of a vocabulary of 1"):
            builder.finish(Vocabulary(["x"]), Vocabulary(["y"]))


def test_an_output_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder does not exist"):
        PhraseTableBuilder(tmp_path / "none" / "t")
    with pytest.raises(InputError, match="is a directory"):
        PhraseTableBuilder(tmp_path)


def test_files_that_are_not_tables_are_refused(tmp_path: Path) -> None:
    table = build(tmp_path, random_rows(1))
    whole = table.path.read_bytes()
    broken = tmp_path / "broken"
    with pytest.raises(InputError, match="no such file"):
        PhraseTable.open(broken)
    for content in (b"", b"a ||| b ||| 1\n" * 20, whole[:-1], whole[: len(whole) // 2], whole + b"x"):
        broken.write_bytes(content)
        with pytest.raises(InputError, match="broken"):
            PhraseTable.open(broken)


@pytest.mark.slow
def test_a_table_of_wrong_values_gives_an_error_or_other_values_but_never_a_crash(tmp_path: Path) -> None:
    rows = random_rows(2, sources=25, reordering=2)
    table = build(tmp_path, rows)
    whole, broken = table.path.read_bytes(), tmp_path / "broken"
    refused = 0
    for _, content in section_mutations(whole, 400):
        broken.write_bytes(content)
        try:
            damaged = PhraseTable.open(broken)
            for pair in damaged:
                damaged.spans(pair.source)
            damaged.lookup("ein mann")
        except InputError:
            refused += 1
    assert 50 < refused < 400


def test_a_table_without_scores_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="at least one score"):
        PhraseTableBuilder(tmp_path / "table", scores=[])
    assert not list(tmp_path.iterdir())
