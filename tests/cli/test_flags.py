"""Options in messages as the command line spells them."""

from __future__ import annotations

import pytest
from tests.decode.commands import decode_process
from typer.main import get_command

from tunesmith.cli.flags import all_flags, with_flags
from tunesmith.cli.main import _build
from tunesmith.model import train


@pytest.fixture(scope="module")
def flags() -> set[str]:
    return set(all_flags(get_command(_build())))


def test_the_flags_of_all_commands_are_known(flags):
    assert {"--stack-size", "--loose", "-o", "--leave-one-out", "--max-target-span"} <= flags


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("search: stack_size must be at least 1, not 0", "search: --stack-size must be at least 1, not 0"),
        ("early_discard is for models of phrases", "--no-early-discard is for models of phrases"),
        ("search: arc_features, span_limit.", "search: --arc-feature, --span-limit."),
        ("need max_target_span, such as 15", "need --max-target-span, such as 15"),
        ("no feature 'stack_size'; --max-span_x", "no feature 'stack_size'; --max-span_x"),
        ("the option stack_size=(1,), parse_bytes(x)", "the option stack_size=(1,), parse_bytes(x)"),
        ("my_stack_size and no_such_name", "my_stack_size and no_such_name"),
    ],
)
def test_names_of_options_are_spelled_as_flags(flags, message, expected):
    assert with_flags(message, flags) == expected


def test_a_name_of_one_word_is_a_flag_only_where_the_error_says_so(flags):
    message = "search: memory is for models of rules; without memory-mapping"
    assert with_flags(message, flags) == message
    named = with_flags("search: memory is for models of rules", flags, ["memory", "parts"])
    assert named == "search: --memory is for models of rules"


@pytest.mark.process
def test_the_command_line_speaks_of_its_own_options(tmp_path):
    (tmp_path / "de").write_text("das haus\n")
    (tmp_path / "en").write_text("the house\n")
    (tmp_path / "align").write_text("0-0 1-1\n")
    sides = tmp_path / "de", tmp_path / "en", tmp_path / "model"
    train(*sides, kind="hiero", alignment=tmp_path / "align", lm_order=2)
    done = decode_process("model", "--stack-size", 5, folder=tmp_path, stdin="das\n")
    assert done.returncode == 2
    assert "search: --stack-size is for models of phrases" in done.stderr
    assert "--cell-size, --span-limit, --rule-feature, --memory" in done.stderr
    assert "_" not in done.stderr
