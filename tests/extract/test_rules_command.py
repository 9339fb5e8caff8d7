"""`tunesmith extract rules`."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tunesmith.cli.main import _build
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.grammar import RuleTable
from tunesmith.generated import generate


@pytest.fixture
def corpus(tmp_path: Path) -> list[str]:
    pairs = list(generate(30, seed=3, lowercase=True))
    (tmp_path / "train.de").write_text("".join(p.source + "\n" for p in pairs), encoding="utf-8")
    (tmp_path / "train.en").write_text("".join(p.references[0] + "\n" for p in pairs), encoding="utf-8")
    links = (" ".join(f"{i}-{j}" for i, j in p.alignment) + "\n" for p in pairs)
    (tmp_path / "train.align").write_text("".join(links), encoding="utf-8")
    names = {"--source": "train.de", "--target": "train.en", "--alignment": "train.align"}
    return [word for flag, name in names.items() for word in (flag, str(tmp_path / name))]


def run(*arguments: str):
    """Run the command in this process; errors are in the result's `exception`."""
    return CliRunner().invoke(_build(), ["extract", "rules", *arguments])


def test_it_writes_a_grammar_a_table_and_glue(corpus, tmp_path) -> None:
    output, glue, table = (str(tmp_path / name) for name in ("rules.gz", "glue", "rules.bin"))
    done = run(*corpus, "-o", output, "--glue", glue, "--table-output", table)
    assert done.exit_code == 0, done.output
    lines = gzip.decompress(Path(output).read_bytes()).splitlines()
    assert len(lines) == len(RuleTable.open(table)) > 100
    assert all(line.startswith(b"[X] ||| ") for line in lines)
    assert "Glue=1" in Path(glue).read_text(encoding="utf-8")


def test_moses_settings_and_format(corpus, tmp_path) -> None:
    sizes = []
    for more in (["--settings", "moses"], ["--loose", "--max-target-span", "10", "--min-hole", "2"]):
        output = str(tmp_path / "rules")
        done = run(*corpus, "-o", output, "--format", "moses", "-q", *more)
        assert done.exit_code == 0, done.output
        sizes.append(len(Path(output).read_text(encoding="utf-8").splitlines()))
    assert sizes[0] == sizes[1] > 100


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["--format", "mose"], "did you mean 'moses'"),
        (["--settings", "hiero"], "choose from chiang, moses"),
        (["--counts", "half"], "counts cannot be 'half'"),
        (["--loose"], "need --max-target-span"),
        (["--max-gaps", "3"], "--max-gaps must be at most 2, not 3"),
        (["--memory", "much"], "memory must be an amount such as 1G"),
    ],
)
def test_a_wrong_option_is_named(corpus, tmp_path, wrong, message) -> None:
    done = run(*corpus, "-o", str(tmp_path / "rules"), *wrong)
    assert isinstance(done.exception, OptionError)
    assert message in str(done.exception)


def test_memory_is_an_amount_and_changes_nothing(corpus, tmp_path) -> None:
    outputs = []
    for memory in ("64K", "0.5G"):
        output = tmp_path / memory
        done = run(*corpus, "-o", str(output), "--memory", memory)
        assert done.exit_code == 0, done.output
        outputs.append(output.read_bytes())
    assert outputs[0] == outputs[1] != b""


def test_a_link_outside_of_its_sentence_is_blamed_on_its_line(corpus, tmp_path) -> None:
    path = tmp_path / "train.align"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines[:-1], "0-0 99-0"]) + "\n", encoding="utf-8")
    done = run(*corpus, "-o", str(tmp_path / "rules"))
    assert isinstance(done.exception, InputError)
    assert "train.align:30" in str(done.exception)
    assert not (tmp_path / "rules").exists()
