"""Decode, list, tune, decode again: what one command writes, the next one takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import COMMANDS
from tests.decode.commands import SENTENCES, decode
from typer.testing import CliRunner

from tunesmith.candidates import Pool
from tunesmith.decode import PhraseDecoder


def run(*words: str) -> None:
    done = CliRunner().invoke(COMMANDS, list(words))
    assert done.exit_code == 0, done.output


@pytest.fixture
def decoded(folder: Path, small_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lists and forests of a text without unknown words, so that their penalty is zero everywhere."""
    monkeypatch.chdir(folder)
    lines = (small_corpus / "en").read_text().splitlines()[:SENTENCES]
    (folder / "test.en").write_text("".join(f"{line}\n" for line in lines))
    outputs = ("--nbest", 10, "--nbest-output", "lists", "--forest-output", "forests")
    assert decode("model", "-i", "test.de", "-o", "out", *outputs, folder=folder).returncode == 0
    return folder


def test_lists_of_forests_have_the_lines_that_the_decoder_writes(decoded: Path) -> None:
    run("forest", "nbest", "forests", "--weights", "model/weights.start.json", "--nbest", "10", "-o", "again")
    written, again = ((decoded / name).read_text().splitlines() for name in ("lists", "again"))
    assert "UnknownWordPenalty0= 0 " in again[0]
    assert again == written


@pytest.mark.slow
def test_weights_tuned_on_lists_of_forests_decode(decoded: Path) -> None:
    names = PhraseDecoder.open(decoded / "model").feature_names
    start = "model/weights.start.json"
    run("forest", "nbest", "forests", "--weights", start, "--nbest", "10", "--unique", "-o", "again.gz")
    assert Pool.read("again.gz").feature_names == names
    tune = ("tune", "nbest", "--candidates", "again.gz", "--references", "test.en", "--method", "mira", "-q")
    run(*tune, "--start", start, "--freeze", "UnknownWordPenalty0", "--seed", "1", "-o", "tuned.json")
    done = decode("model", "--weights", "tuned.json", "-i", "test.de", folder=decoded)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, SENTENCES)
