"""Files of derivations: what is written is read, and nothing else is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reestimate.made_derivations import MONOTONE, SHORT, SWAPPED, write_made

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.reestimate.derivation_file import DerivationFile, FoundDerivation, PhraseStep, add_derivations


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> DerivationFile:
    path = tmp_path_factory.mktemp("derivations") / "derivations.00000"
    write_made(path)
    return DerivationFile.open(path)


def test_what_is_written_is_read(file: DerivationFile) -> None:
    assert file.sentences.tolist() == [7, 3]
    assert [file.source(number) for number in range(2)] == ["Ada das Haus", "äh"]
    assert [list(file.found(number)) for number in range(2)] == [[SWAPPED, MONOTONE], [SHORT]]


def test_statistics_are_those_of_bleu(file: DerivationFile) -> None:
    assert file.statistics.tolist() == [
        [3, 3, 1, 2, 0, 1, 0, 0, 3],
        [2, 3, 1, 2, 0, 1, 0, 0, 3],
        [0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]


def test_words_and_phrases_are_listed_once(file: DerivationFile) -> None:
    assert sorted(file.words) == sorted({"Ada", "das", "Haus", "the", "house", "ada", "äh"})
    assert len(file.targets[0]) - 1 == 4  # "the house", "Ada", "ada", and that without words


@pytest.mark.parametrize(
    "step",
    [
        PhraseStep(0, 3, ("the",)),
        PhraseStep(1, 1, ("the",)),
        PhraseStep(0, 1, ("the",), ((0, 1),)),
        PhraseStep(0, 1, ("the",), ((1, 0),)),
        PhraseStep(0, 2, ("a", "b"), ((1, 0), (0, 1))),
        PhraseStep(0, 2, ("a", "b"), ((0, 0), (0, 0))),
        PhraseStep(0, 1, ("the",), (), 3),
    ],
)
def test_impossible_phrases_are_refused(step: PhraseStep) -> None:
    writer = _native.DerivationWriter()
    with pytest.raises(InputError, match="columns, target side, links or origin"):
        add_derivations(writer, 0, "a b", 1, [FoundDerivation(0, 0, 0, (0, 0, 0, 0), (step,))])
    assert len(writer) == 0


def test_no_column_is_translated_twice() -> None:
    steps = PhraseStep(0, 2, ("x",)), PhraseStep(1, 2, ("y",))
    with pytest.raises(InputError, match="translate a column twice"):
        add_derivations(
            _native.DerivationWriter(), 0, "a b", 1, [FoundDerivation(0, 0, 0, (0, 0, 0, 0), steps)]
        )


@pytest.mark.parametrize("values", [(float("nan"), 0, 0), (0, float("inf"), 0)])
def test_numbers_are_finite(values: tuple[float, float, float]) -> None:
    derivation = FoundDerivation(*values, (0, 0, 0, 0), ())
    with pytest.raises(InputError, match="a number that is not finite"):
        add_derivations(_native.DerivationWriter(), 0, "a b", 1, [derivation])


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    _native.ListWriter().write(str(tmp_path / "lists"))
    with pytest.raises(InputError, match="derivats"):
        DerivationFile.open(tmp_path / "lists")
