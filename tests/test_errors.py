from __future__ import annotations

from tunesmith.errors import InputError, suggest


def test_the_nearest_choice_is_suggested() -> None:
    assert suggest("blue", ["ter", "bleu"]) == "; did you mean 'bleu'?"


def test_few_choices_are_all_listed() -> None:
    names = [f"name{index}" for index in range(10)]
    assert suggest("?", reversed(names)) == f"; choose from {', '.join(names)}"
    assert suggest("?", []) == ""


def test_of_many_choices_ten_are_listed_and_the_others_counted() -> None:
    names = [f"name{index:02}" for index in range(11)]
    assert suggest("?", names) == f"; choose from {', '.join(names[:10])}, ... (11 in all)"


def test_an_error_tells_what_is_known_of_its_place() -> None:
    assert str(InputError("bad")) == "bad"
    assert str(InputError("bad", line=3)) == "line 3: bad"
    assert str(InputError("bad", path="x")) == "x: bad"
    assert str(InputError("bad", path="x", line=3)) == "x:3: bad"
