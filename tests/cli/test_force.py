"""The command `tunesmith force`."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tunesmith.cli.main import _build
from tunesmith.corpus import Alignments
from tunesmith.decode.forced import forced_decode
from tunesmith.forest.file import ForestFile
from tunesmith.generated import generate
from tunesmith.model import train


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("force")
    pairs = list(generate(60, seed=4, lowercase=True))
    (folder / "de").write_text("".join(f"{pair.source}\n" for pair in pairs), encoding="utf-8")
    (folder / "en").write_text("".join(f"{pair.target}\n" for pair in pairs), encoding="utf-8")
    Alignments.of(pair.alignment for pair in pairs).write(folder / "align")
    train(folder / "de", folder / "en", folder / "model", alignment=folder / "align", lm_order=2)
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(_build(), ["force", *(str(word) for word in arguments)])


def test_segmentations_are_written_and_the_share_is_told(folder, tmp_path):
    source, target = tmp_path / "de", tmp_path / "en"
    lines = [(folder / name).read_text(encoding="utf-8").splitlines()[:5] for name in ("de", "en")]
    source.write_text("\n".join([*lines[0], "", "ja ||| x"]) + "\n", encoding="utf-8")
    target.write_text("\n".join([*lines[1], "", "nothing ||| y"]) + "\n", encoding="utf-8")
    done = run(folder / "model", source, target, "-o", tmp_path / "out.gz")
    assert done.exit_code == 0, done.output
    rows = [
        [field.strip() for field in line.split("|||")]
        for line in gzip.decompress((tmp_path / "out.gz").read_bytes()).decode().splitlines()
    ]
    pairs = list(zip([*lines[0], "", "ja ||| x"], [*lines[1], "", "nothing ||| y"], strict=True))
    results = list(forced_decode(folder / "model", pairs))
    for number, (row, result) in enumerate(zip(rows, results, strict=True)):
        assert row[0] == str(number)
        assert row[1] == result.target.replace("|||", "&#124;" * 3)
        expected = [] if result.score is None else [result.score]
        assert [float(score) for score in row[4:] if score] == pytest.approx(expected, abs=1e-6)
        spans = [side.partition("=")[::2] for side in row[2].split()]
        assert [words(source) for source, _ in spans] == [phrase.source for phrase in result.phrases]
        assert [words(target) for _, target in spans] == [phrase.target for phrase in result.phrases]
    reached = sum(result.found for result in results)
    assert f"reached {reached} of 7 sentence pairs" in done.stderr


def words(span: str) -> tuple[int, int]:
    first, _, last = span.partition("-")
    return int(first), int(last or first) + 1


def test_a_single_weight_replaces_that_of_the_model(folder, tmp_path):
    given = folder / "model", folder / "de", folder / "en", "-o", "-", "--quiet"
    scores = [run(*given, *more).stdout for more in ((), ("--weight", "LM0=0"), ("--weight", "LM0=0"))]
    assert scores[0] != scores[1] == scores[2]
    refused = run(*given, "--weight", "LM0")
    assert "expected NAME=VALUE" in str(refused.exception)


def test_leave_one_out_and_forests(folder, tmp_path):
    done = run(
        *(folder / "model", folder / "de", folder / "en", "-o", tmp_path / "out", "--quiet"),
        *("--leave-one-out", "--alignment", folder / "align", "--forest-output", tmp_path / "forests"),
    )
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    lines = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    scores = {int(line.split(" ||| ")[0]): line.split(" ||| ")[-1] for line in lines if line.count("=")}
    assert len(ForestFile.open(tmp_path / "forests")) == len(scores) > 30
    free = run(folder / "model", folder / "de", folder / "en", "-o", "-", "--drop-words")
    assert free.exit_code == 0 and free.stdout.splitlines() != lines


def test_wrong_command_lines_are_refused(folder, tmp_path):
    given = folder / "model", folder / "de", folder / "en", "-o", tmp_path / "out"
    for more, message in (
        (("--leave-one-out",), "need each other"),
        (("--alignment", folder / "align"), "need each other"),
        (("--leave-one-out", "--alignment", folder / "align", "--singleton", "1"), "at most 0"),
        (("--singleton", "-5"), "need --leave-one-out"),
        (("--max-phrase-length", "4"), "need --leave-one-out"),
        (("--forest-output", tmp_path / "f.gz"), "choose a name without .gz"),
        (("--forest-output", tmp_path / "out"), "another output"),
    ):
        done = run(*given, *more)
        assert done.exit_code != 0
        assert message in str(done.exception)
    assert not (tmp_path / "out").exists()
    (tmp_path / "short").write_text("a\n")
    done = run(folder / "model", tmp_path / "short", folder / "en", "-o", tmp_path / "out")
    assert "has no partner" in str(done.exception)
