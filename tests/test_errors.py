from __future__ import annotations

import pickle

from tunesmith.errors import InputError, OptionError, suggest


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


def test_options_are_named_as_data() -> None:
    error = OptionError("{} must be at least {least}, not {value!r}", "stack_size", least=1, value="{0}")
    assert str(error) == "stack_size must be at least 1, not '{0}'"
    assert error.message.options == ("stack_size",)
    error.respell(lambda name: "--" + name.replace("_", "-"))
    assert str(error) == "--stack-size must be at least 1, not '{0}'"
    assert str(OptionError("no {} and {name} here")) == "no {} and {name} here"


def test_messages_keep_their_options_when_an_error_is_raised_again_elsewhere() -> None:
    inner = InputError("{} or {found}", "allow_missing", found="{}")
    outer = pickle.loads(pickle.dumps(InputError(inner.message + " {more}", path="x", line=3)))
    assert str(outer) == "x:3: allow_missing or {} {more}"
    outer.respell(lambda name: f"<{name}>")
    assert str(outer) == "x:3: <allow_missing> or {} {more}"
