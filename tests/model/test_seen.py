"""A model knows which sentences it was trained on, and commands report judged ones among them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run

from tunesmith import decode_file
from tunesmith.corpus.line_keys import line_keys
from tunesmith.decode import DecodeOutputs
from tunesmith.errors import TunesmithWarning
from tunesmith.files import read_lines
from tunesmith.model.itg import itg_over
from tunesmith.model.manifest import Manifest
from tunesmith.model.seen import SEEN, Seen, overlap_messages
from tunesmith.model.training import train


@pytest.fixture(scope="module")
def judged(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three training pairs, raw, and seven of which nobody has heard."""
    folder = tmp_path_factory.mktemp("judged")
    for side in ("de", "en"):
        known = [line.title().replace(" .", ".") for line in read_lines(small_corpus / side)[:3]]
        lines = known + [f"nobody {number} said {side}" for number in range(7)]
        (folder / side).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return folder


def test_keys_are_those_of_the_training_text(small_corpus: Path, small_model: Path) -> None:
    seen = Seen.of_model(small_model)
    assert seen is not None
    sides = {"source": "de", "target": "en"}
    for side, name in sides.items():
        different = {line.lower().replace(" ", "") for line in read_lines(small_corpus / name)}
        assert len(getattr(seen, side)) <= len(different)
        assert set(getattr(seen, side).tolist()) <= set(line_keys(different).tolist())
    kept = sum(len(getattr(seen, side)) for side in sides)
    assert (small_model / SEEN).stat().st_size <= 8 * kept + 1000
    assert SEEN in Manifest.read(small_model).files


def test_shares_are_counted_per_sentence_whatever_its_spaces_and_case(
    small_model: Path, judged: Path
) -> None:
    seen = Seen.of_model(small_model)
    sources, references = read_lines(judged / "de"), read_lines(judged / "en")
    messages = overlap_messages(seen, sources, [references[5:] + references[:5], references], "dev")
    assert messages[0].startswith("3 of 10 dev sources (30.0%) were in the model's training text")
    assert messages[1].startswith("6 of 10 dev references (60.0%)")
    assert overlap_messages(seen, sources[3:], [references[3:]]) == []
    assert overlap_messages(None, sources, [references]) == []


def test_decode_and_eval_report_overlap(small_model: Path, judged: Path, tmp_path: Path) -> None:
    with pytest.warns(TunesmithWarning, match="are unknown to the model"):
        summary = decode_file(small_model, judged / "de", DecodeOutputs(tmp_path / "out"))
    assert (summary.seen, summary.sentences) == (3, 10)
    done = run("decode", small_model, "-i", judged / "de", "-o", tmp_path / "out")
    assert "warning: 3 of 10 sources (30.0%) were in the model's training text" in done.stderr
    scored = ("eval", tmp_path / "out", "--references", judged / "en", "--resamples", 0)
    done = run(*scored, "--model", small_model)
    assert "warning: 3 of 10 references (30.0%)" in done.stderr
    without = run(*scored)
    assert without.stderr == ""
    assert without.stdout == done.stdout
    done = run(*scored, "--model", judged)
    assert (done.returncode, "is not a model" in done.stderr) == (1, True)


def test_tune_model_reports_overlap_and_tunes_as_before(
    small_model: Path, judged: Path, tmp_path: Path
) -> None:
    files = ("--source", judged / "de", "--references", judged / "en", "--method", "mira")
    options = ("--iterations", 1, "--nbest", 5, "-o", tmp_path / "run", "--json")
    done = run("tune", "model", small_model, *files, *options)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("warning: 3 of 10 tuning sources (30.0%)")
    assert "3 of 10 tuning references (30.0%)" in json.loads(done.stdout)["warnings"][1]


def test_models_made_from_others_know_it_and_further_language_model_text_counts(
    small_corpus: Path, small_model: Path, tmp_path: Path
) -> None:
    itg_over(small_model, tmp_path / "itg")
    assert (tmp_path / "itg" / SEEN).read_bytes() == (small_model / SEEN).read_bytes()
    (tmp_path / "more").write_text("a sentence of the language model .\n", encoding="utf-8")
    trained = train(
        small_corpus / "de",
        small_corpus / "en",
        tmp_path / "model",
        alignment=small_corpus / "align",
        lm_order=2,
        lm_text=[tmp_path / "more"],
    )
    seen = Seen.of_model(trained.directory)
    assert seen is not None
    assert seen.count_targets([["A sentence of the language model."]]) == 1
    assert seen.count_sources(["A sentence of the language model."]) == 0
