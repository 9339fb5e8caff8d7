"""Which sentences are held out of several rounds of training, on toy lists."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.xbleu.test_rounds import FIRST, distinct, held, home, make_store, options
from tests.xbleu.toy_lists import toy_lists

from tunesmith.errors import TunesmithWarning
from tunesmith.xbleu.chosen_lists import ChosenLists
from tunesmith.xbleu.compiled import held_out_lists
from tunesmith.xbleu.seen_sentences import SeenSentences, source_digests
from tunesmith.xbleu.store import ListStore

__all__ = ["home"]  # a fixture


def test_lists_of_new_sentences_have_a_draw_of_their_own(home: Path, tmp_path: Path) -> None:
    known = {each.source for each in FIRST}
    new = [each for each in distinct(toy_lists(60, seed=8)) if each.source not in known]
    store = ListStore.open(make_store(tmp_path / "new", new))
    one = SeenSentences.read(home / "one")
    chosen = ChosenLists.of(store, [ListStore.open(home / "first")], one, options())
    assert (chosen.stores[0][1] == 1).sum() == len(new) // 10
    assert (chosen.stores[1][1] == 2).sum() == len(FIRST) // 10  # no round trains on what the first held out
    second = ChosenLists.of(store, [], chosen.seen, options())
    assert (second.stores[0][1] == chosen.stores[0][1]).all()  # the same in a later round


def test_a_held_out_sentence_that_is_there_twice_is_trained_on_nowhere(home: Path, tmp_path: Path) -> None:
    twice = ListStore.open(make_store(tmp_path / "twice", [*FIRST, *FIRST[:40]]))
    chosen = ChosenLists.of(twice, [ListStore.open(home / "second")], None, options())
    marks = chosen.stores[0][1]
    assert (marks[:40] == marks[len(FIRST) :]).all() and (marks[:40] == 1).any()
    first = ChosenLists.of(twice, [], None, options())  # some that it holds out, it trains on
    marks = ChosenLists.of(twice, [], first.seen, options()).stores[0][1]
    trained = np.flatnonzero(~held_out_lists(len(marks), 5000, 1))
    assert (marks == 1).any() and not (marks[trained] == 1).any()


def test_no_later_round_holds_out_what_an_added_store_trained_on(home: Path, tmp_path: Path) -> None:
    """The second round has lists of the added store, and none of what the first round held out."""
    first, known = ListStore.open(home / "first"), {each.source for each in FIRST}
    added = [each for each in distinct(toy_lists(40, seed=9)) if each.source not in known]
    one = ChosenLists.of(first, [ListStore.open(make_store(tmp_path / "added", added))], None, options()).seen
    assert one is not None
    lists = distinct([*added, *toy_lists(30, seed=11)])
    third = ListStore.open(
        make_store(tmp_path / "third", [each for each in lists if each.source not in held(FIRST)])
    )
    marks = ChosenLists.of(third, [], one, options()).stores[0][1]
    chosen = source_digests(third)[marks == 1]
    assert len(chosen) == third.sentences // 10 and not np.isin(chosen, one.trained).any()


def test_new_sentences_fill_up_what_is_held_out(home: Path) -> None:
    """Few of the held-out sentences occur again: as many are held out as without a start model."""
    second = ListStore.open(home / "second")
    own, wanted = source_digests(second), second.sentences // 10
    few = SeenSentences(own[: second.sentences // 2], own[-1:])
    chosen = ChosenLists.of(second, [ListStore.open(home / "first")], few, options())
    marks = chosen.stores[0][1]
    assert marks[-1] == 1 and (marks == 1).sum() == wanted > 2
    assert not marks[: second.sentences // 2].any()
    assert chosen.seen is not None and not np.isin(own[marks == 1], chosen.seen.trained).any()


def test_few_held_out_lists_are_warned_of(tmp_path: Path) -> None:
    lists = distinct(toy_lists(140, seed=2, candidates=2))
    store = ListStore.open(make_store(tmp_path / "store", lists))
    own = source_digests(store)
    with pytest.warns(TunesmithWarning, match=f"only 1 of {len(lists) // 10} wanted lists can be"):
        ChosenLists.of(store, [], SeenSentences(own[1:]), options())
