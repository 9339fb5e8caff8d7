"""Sentence pairs that preparation drops are counted, and reported wherever a model is."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from tests.commands import run
from tests.small_models import write_small_corpus

from tunesmith.corpus.pair_counts import PairCounts
from tunesmith.corpus.prepare import PrepareOptions, prepare
from tunesmith.errors import IgnoredInputWarning, InputError
from tunesmith.model import train
from tunesmith.model.inspection import inspect_model

AS_GIVEN = PrepareOptions(tokenize="none", case="keep", ratio=3)


def write(folder: Path, pairs: list[tuple[str, str]]) -> tuple[Path, Path]:
    for side, name in enumerate(("de", "en")):
        (folder / name).write_text("".join(f"{pair[side]}\n" for pair in pairs))
    return folder / "de", folder / "en"


def uneven(folder: Path, good: int) -> tuple[Path, Path]:
    """Write that many good pairs, then four of far too different lengths, and one without a source."""
    folder.mkdir(exist_ok=True)
    return write(folder, [("a b", "c d")] * good + [("a", "b c d e")] * 4 + [("", "x")])


def test_each_reason_is_counted_with_its_first_lines(tmp_path: Path) -> None:
    found = prepare(*uneven(tmp_path, 3), tmp_path / "out", AS_GIVEN).pairs
    assert (found.pairs, found.kept) == (8, 3)
    assert {reason: count for reason, count in found.counts.items() if count} == {
        "kept": 3,
        "ratio": 4,
        "empty": 1,
    }
    assert found.lines == {"empty": (8,), "ratio": (4, 5, 6)}
    assert found.report == (
        "kept 3 of 8 sentence pairs; dropped: 1 with an empty side (line 8); 4 with over 3 times as many"
        " tokens on one side as on the other (ratio) (line 4, 5, 6, ...)"
    )


def test_counts_are_read_back_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    found = prepare(*uneven(tmp_path, 3), tmp_path / "out", AS_GIVEN).pairs
    found.write(tmp_path / "pairs.json")
    assert PairCounts.read(tmp_path / "pairs.json") == found
    record = json.loads((tmp_path / "pairs.json").read_text())
    for damage in (
        {"counts": {}},
        {"counts": {"kept": "3"}},
        {"version": 9},
        {"lines": []},
        {"counts": {"kept": 1, "odd": 2}},
    ):
        (tmp_path / "damaged.json").write_text(json.dumps(record | damage))
        with pytest.raises(InputError, match=r"damaged\.json: "):
            PairCounts.read(tmp_path / "damaged.json")


def test_a_large_share_of_dropped_pairs_is_a_warning_and_a_small_one_is_not(tmp_path: Path) -> None:
    with pytest.warns(IgnoredInputWarning, match=r"4 with over 3 times as many tokens"):
        train(*uneven(tmp_path / "few", 20), tmp_path / "warned", lm_order=2, ratio=3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trained = train(*uneven(tmp_path / "many", 120), tmp_path / "quiet", lm_order=2, ratio=3)
    assert trained.pairs is not None
    assert trained.pairs.kept == 120


def test_repeated_pairs_that_were_to_be_dropped_are_no_warning(tmp_path: Path) -> None:
    sides = write(tmp_path, [("a b", "c d")] * 9 + [("b a", "d c")])
    trained = train(*sides, tmp_path / "model", lm_order=2, deduplicate="pair")
    assert trained.pairs is not None
    assert trained.pairs.counts["duplicate"] == 8


def test_the_command_line_reports_dropped_pairs_and_inspect_repeats_it(tmp_path: Path) -> None:
    write_small_corpus(tmp_path)
    for name, line in (("de", "wort\n"), ("en", "a b c d e f g h i j k l\n")):
        with (tmp_path / name).open("a") as stream:
            stream.write(line)
    given = ("train", "--source", "de", "--target", "en", "--lm-order", 2, "-o", "model")
    expected = (
        "kept 300 of 301 sentence pairs; dropped: 1 with over 9 times as many tokens on one side as on the"
        " other (--ratio) (line 301)"
    )
    for _ in range(2):  # the second finds all steps done
        assert expected in run(*given, folder=tmp_path).stdout
    shown = run("inspect", "model", folder=tmp_path)
    assert "cleaning: kept 300 of 301 sentence pairs; dropped: 1 with over 9 times" in shown.stdout
    found = inspect_model(tmp_path / "model").cleaned
    assert found is not None
    assert found.lines == {"ratio": (301,)}
    record = json.loads(run("inspect", "model", "--json", folder=tmp_path).stdout)
    assert record["cleaned"]["counts"]["ratio"] == 1
