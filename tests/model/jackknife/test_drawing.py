"""Pairs drawn from a training text, and the folds that sentences are found in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.commands import run
from tests.model.jackknife.folded import Folded, fold_corpus

from tunesmith.corpus.folds import read_folds
from tunesmith.errors import InputError, OptionError
from tunesmith.model.jackknife import FoldModels
from tunesmith.model.jackknife.drawing import draw_pairs
from tunesmith.model.jackknife.sentence_folds import OTHER, read_sentence_folds, sentence_folds
from tunesmith.model.jackknife.usable_pairs import PairCounts, UsablePairs


@pytest.fixture(scope="module")
def folded(tmp_path_factory: pytest.TempPathFactory) -> Folded:
    """The pair of line 2 is also in another fold, that of line 4 in the same; line 6's source is in two."""
    corpus = fold_corpus(tmp_path_factory.mktemp("folded"), 60, folds=3)
    for side in ("de", "en", "align"):
        lines = corpus.lines(side)
        lines[50], lines[4] = lines[2], lines[3]
        if side == "de":
            lines[0] = lines[6]
        if side == "align":
            lines[0] = "0-0"
        (corpus.folder / side).write_text("".join(f"{line}\n" for line in lines))
    return corpus


@pytest.fixture(scope="module")
def model(folded: Folded) -> Path:
    return folded.train("phrase", max_phrase_length=2, source_language="de", target_language="en")


def test_drawn_pairs_are_of_the_text_and_in_one_fold_only(
    folded: Folded, model: Path, tmp_path: Path
) -> None:
    folds = folded.fold_of()
    assert folds[2] != folds[50] and folds[3] == folds[4] and folds[6] != folds[0]
    drawn = draw_pairs(model, tmp_path / "all", 57, seed=5)
    assert drawn.candidates == 57
    assert drawn.counts == PairCounts(lines=60, empty=0, several_folds=2, repeated=1, long=0)
    assert sorted(drawn.rows.tolist()) == [row for row in range(60) if row not in (2, 4, 50)]
    own = folds[drawn.rows]
    assert (np.diff(own) >= 0).all()
    assert np.array_equal(read_folds(drawn.folds), own)
    for side, path in (("de", drawn.source), ("en", drawn.target)):
        assert path.name == f"all.{side}"
        lines = folded.lines(side)
        assert path.read_text().splitlines() == [lines[row] for row in drawn.rows]
    assert drawn.lines.read_text().split() == [str(row + 1) for row in drawn.rows]
    part = draw_pairs(model, tmp_path / "part", 9, max_length=8)
    texts = part.source.read_text().splitlines() + part.target.read_text().splitlines()
    assert max(len(line.split()) for line in texts) <= 8
    with pytest.raises(OptionError, match="has only 57 different pairs to draw from"):
        draw_pairs(model, tmp_path / "more", 58)


def test_pairs_are_drawn_again_to_the_same_files(model: Path, tmp_path: Path) -> None:
    for count in (5, 6):
        done = run("corpus", "draw", model, "-n", count, "-o", "drawn", folder=tmp_path)
        assert done.returncode == 0, done.stderr
        assert len((tmp_path / "drawn.lines").read_text().split()) == count
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".de", ".en", ".folds", ".lines"]


def test_every_line_is_used_or_counted_once(tmp_path: Path) -> None:
    pairs = [
        ("a", "b", 0),
        ("A", "b", 0),  # as the first
        ("c", "d", 0),
        ("c", "d", 1),  # in another fold
        ("c", "d", 1),
        ("", "e", 0),
        ("f", " ", 0),
        ("f", "", 0),
        ("g g g", "h", 1),
        ("i", "j j", 1),
    ]
    text = [tmp_path / "de", tmp_path / "en"]
    for path, side in zip(text, list(zip(*pairs, strict=True))[:2], strict=True):
        path.write_text("".join(f"{line}\n" for line in side))
    folds = np.array([fold for _, _, fold in pairs])
    usable = UsablePairs.of(text, folds, max_length=2)
    assert usable.rows.tolist() == [0, 9]
    assert usable.counts == PairCounts(lines=10, empty=3, several_folds=3, repeated=1, long=1)
    for path in text:
        path.write_text("\n\n")
    none = UsablePairs.of(text, folds[:2])
    assert not len(none.rows)
    assert none.counts == PairCounts(lines=2, empty=2, several_folds=0, repeated=0, long=0)


def test_a_line_by_line_copy_of_the_text_has_its_folds(folded: Folded, model: Path) -> None:
    found = sentence_folds(FoldModels(model), folded.lines("de"))
    assert np.array_equal(found.fold_of, folded.fold_of())
    assert not found.messages


def test_a_source_in_several_folds_is_ambiguous_without_its_target(folded: Folded, model: Path) -> None:
    models, de, en, folds = FoldModels(model), folded.lines("de"), folded.lines("en"), folded.fold_of()
    with pytest.raises(InputError, match=r"line 2: .* is in the folds \d, \d of the training text"):
        sentence_folds(models, [de[8], de[6]])
    rows = [8, 6, 0]
    found = sentence_folds(models, [de[row] for row in rows], [en[row] for row in rows])
    assert found.fold_of.tolist() == folds[rows].tolist()
    assert found.repeated == 0
    assert sentence_folds(models, [de[50]], [en[50]]).fold_of.tolist() == [folds[2]]
    assert (
        "1 of 1 sentence pairs are in several folds" in sentence_folds(models, [de[2]], [en[2]]).messages[0]
    )


def test_given_folds_must_be_those_of_the_text(folded: Folded, model: Path, tmp_path: Path) -> None:
    models, de, folds = FoldModels(model), folded.lines("de"), folded.fold_of()
    given = np.array([folds[8], folds[0], OTHER])
    assert sentence_folds(models, [de[8], de[6], "other text"], given=given).fold_of is given
    wrong = np.array([(folds[8] + 1) % 3])
    with pytest.raises(InputError, match=r"line 1: the sentence is in fold \d of the training text, not in"):
        sentence_folds(models, [de[8]], given=wrong)
    with pytest.raises(InputError, match="there are 1 folds for 2 sentences"):
        sentence_folds(models, de[:2], given=wrong)
    (tmp_path / "folds").write_text("0\n-\n2\n")
    assert read_sentence_folds(tmp_path / "folds", models).tolist() == [0, OTHER, 2]
    (tmp_path / "folds").write_text("0\n3\n")
    with pytest.raises(InputError, match="folds:2: found '3'; expected a fold from 0 to 2, or -"):
        read_sentence_folds(tmp_path / "folds", models)


def test_commands_draw_and_name_the_flags_that_need_each_other(model: Path, tmp_path: Path) -> None:
    done = run("corpus", "draw", model, "-n", "5", "-o", "drawn", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (
        "5 of 57 pairs; of 60 lines, 1 are repeated, 2 are in several folds, 0 have an empty side and 0 are"
        " too long" in done.stderr
    )
    assert len((tmp_path / "drawn.en").read_text().splitlines()) == 5
    done = run("decode", model, "-i", "drawn.de", "--fold-file", "drawn.folds", folder=tmp_path)
    assert done.returncode == 2
    assert "--fold-file needs --jackknife" in done.stderr
