"""The search for the recaser's constants, on text made up here."""

from __future__ import annotations

from experiments.recaser import constants
from experiments.recaser.constants import Counts, Search, accuracy

from tunesmith.corpus import recase
from tunesmith.corpus.recase import train_recaser
from tunesmith.generated import generate

TEXT = [pair.target for pair in generate(300, seed=1)]
DEV = [pair.target for pair in generate(50, seed=2)]


def test_counts_make_the_recaser_of_training() -> None:
    counts = Counts(TEXT)
    assert counts.recaser() == train_recaser(lambda: [TEXT])
    with constants.patched({"LEAST_SHARE": 0.2, "LEAST_GAIN": 3.0}):
        assert counts.recaser() == train_recaser(lambda: [TEXT])
        assert recase.LEAST_GAIN == 3.0
    assert counts.recaser() == train_recaser(lambda: [TEXT])


def test_accuracy_counts_words_with_letters() -> None:
    assert accuracy(["The house 2 ."], ["the house 2 ."]) == 50
    assert accuracy(["the", "x"], ["the", "X"]) == 50


def test_what_the_dev_text_cannot_tell_apart_is_decided_by_size(monkeypatch) -> None:
    search = Search({}, {"en": DEV})
    table = {0.0: (98.0, 900), 0.25: (97.9999, 500), 0.5: (97.9998, 400), 1.0: (90.0, 10)}
    monkeypatch.setitem(constants.GRIDS, "LEAST_GAIN", tuple(table))
    monkeypatch.setattr(Search, "score", lambda self, given: table[given["LEAST_GAIN"]])
    search.scores = {(value,): score for value, score in table.items()}
    assert 0.001 < search.error < 1
    assert search.chosen({"LEAST_GAIN": 0.0}, "LEAST_GAIN") == 0.5
