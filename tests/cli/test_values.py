"""Numbers on the command line: those that no option can have are refused where they are read."""

from __future__ import annotations

import pytest
import typer
from tests.commands import run

from tunesmith.cli.values import _Plain
from tunesmith.errors import OptionError
from tunesmith.tuning.tune_options import TuneOptions


class Parameter:
    """What parsing needs of a parameter."""

    multiple, nargs = False, 1


def parsed(kind: type, text: str) -> object:
    return _Plain(kind).coerce(text, Parameter(), None)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *((float, text) for text in ("nan", "inf", "-inf", "1e400", "9" * 400, "x", "")),
        *((int, text) for text in ("9" * 20, "-" + "9" * 400, "9" * 5000, "1e3", "nan", "")),
    ],
)
def test_a_number_that_no_option_can_have_is_refused(kind: type, text: str) -> None:
    with pytest.raises(typer.BadParameter) as error:
        parsed(kind, text)
    assert len(str(error.value)) < 300


def test_more_replicas_than_anyone_waits_for_are_refused() -> None:
    with pytest.raises(OptionError, match="replicas must be at most 10000"):
        TuneOptions(replicas=2**32)


def test_other_numbers_are_read() -> None:
    assert (parsed(float, "1e308"), parsed(int, "-9223372036854775808")) == (1e308, -(2**63))


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["tune", "nbest", "--candidates", "c", "--l1", "9" * 400], 2, "is not a finite number"),
        (["tune", "nbest", "--candidates", "c", "--seed", "9" * 30], 2, "at most 64 bits"),
        (
            ["tune", "nbest", "--candidates", "c", "--epochs", "9" * 24],
            2,
            "a whole number of at most 64 bits",
        ),
        (["weights", "show", "w", "--top", "9" * 30], 2, "at most 64 bits"),
        (["eval", "c", "--references", "c", "--resamples", "1" + 24 * "0"], 2, "at most 64 bits"),
        (
            ["eval", "c", "--references", "c", "--resamples", "1000001"],
            2,
            "--resamples must be at most 1000000",
        ),
        (["eval", "c", "--references", "c", "--resamples", "-1"], 2, "--resamples must be at least 0"),
        (
            ["compare", "c", "w", "--references", "c", "--trials", "1000001"],
            2,
            "--trials must be at most 1000000",
        ),
        (["lm", "train", "c", "-o", "a", "--memory", "9" * 400], 2, "--memory must be an amount such as 1G"),
        (["decode", "m", "-o", "x" * 5000], 1, "File name too long"),
        (["eval", "c", "--references", "c", "--metrics", "bleu(order={[]})"], 2, "not a literal"),
        (["weights", "convert", "w", "a\udcff"], 1, "'a\\udcff' is not UTF-8"),
    ],
)
def test_commands_refuse_in_one_line(tmp_path, words, code: int, message: str) -> None:
    (tmp_path / "c").write_text("a b\n")
    (tmp_path / "w").write_text("LM0 1\n")
    (tmp_path / "m").mkdir()
    done = run(*words, folder=tmp_path)
    assert done.returncode == code, done.stderr
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
