"""Raw text and a model: both sides prepared as in training, and made readable again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run

from tunesmith import decode_file
from tunesmith.candidates import Pool
from tunesmith.decode import model_side, open_decoder, readable_side
from tunesmith.decode.output import DecodeOutputs
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.files import read_lines
from tunesmith.generated import generate
from tunesmith.model import train
from tunesmith.model.itg import itg_over
from tunesmith.systems.model import ModelSystem
from tunesmith.texts import Texts

LANGUAGES = {"source_language": "de", "target_language": "en", "tokenize": "moses"}


def raw(line: str) -> str:
    """A generated line as people write it."""
    return line.replace(" ,", ",").replace(" .", ".").replace(" ?", "?").replace(" !", "!")


def write_raw(folder: Path, name: str, count: int, seed: int) -> None:
    pairs = list(generate(count, seed=seed))
    for suffix, lines in (("de", [p.source for p in pairs]), ("en", [p.target for p in pairs])):
        (folder / f"{name}.{suffix}").write_text("".join(f"{raw(line)}\n" for line in lines))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw text, and models of it in lower and in true case."""
    folder = tmp_path_factory.mktemp("raw")
    write_raw(folder, "train", 300, 1)
    write_raw(folder, "dev", 20, 2)
    for case in ("lower", "true"):
        train(folder / "train.de", folder / "train.en", folder / case, case=case, lm_order=3, **LANGUAGES)
    return folder


@pytest.mark.parametrize("case", ["lower", "true"])
@pytest.mark.parametrize("side", ["source", "target"])
def test_a_side_prepares_raw_text_as_training_did(folder: Path, case: str, side: str) -> None:
    raw_file = folder / f"train.{'de' if side == 'source' else 'en'}"
    prepared = model_side(folder / case, side).prepare(Texts.of(raw_file.read_text().splitlines()))
    assert list(prepared) == (folder / case / f"{side}.txt").read_text().splitlines()


def test_a_side_is_the_source_or_the_target(folder: Path) -> None:
    with pytest.raises(OptionError, match="side cannot be 'both'"):
        model_side(folder / "lower", "both")


@pytest.mark.slow
def test_references_are_prepared_with_the_source(folder: Path, tmp_path: Path) -> None:
    for suffix in ("de", "en"):
        lines = (folder / f"dev.{suffix}").read_text().splitlines()
        side = model_side(folder / "lower", "source" if suffix == "de" else "target")
        prepared = side.prepare(Texts.of(lines))
        (tmp_path / f"prepared.{suffix}").write_text("".join(f"{line}\n" for line in prepared))
    tuning = ("--method", "mira", "--iterations", 1, "--nbest", 10, "--json", "--quiet")
    scores = []
    for output, source, flags in (
        ("raw", folder / "dev.de", ["--prepare"]),
        ("prepared", tmp_path / "prepared.de", []),
    ):
        references = source.with_suffix(".en")
        names = ("--source", source, "--references", references)
        dev = ("--select-source", source, "--select-references", references)
        done = run("tune", "model", folder / "lower", *names, *dev, *tuning, *flags, "-o", tmp_path / output)
        assert done.returncode == 0, done.stderr
        assert "but the reference is not" not in done.stderr
        lines = (tmp_path / output / "history.jsonl").read_text().splitlines()
        history = [json.loads(line) for line in lines]
        scores.append([(record["score"], record["dev_score"]) for record in history])
    assert scores[0] == scores[1]


@pytest.mark.slow
def test_references_of_another_form_are_warned_of(folder: Path, tmp_path: Path) -> None:
    side = model_side(folder / "lower", "source")
    prepared = side.prepare(Texts.of((folder / "dev.de").read_text().splitlines()))
    (tmp_path / "dev.de").write_text("".join(f"{line}\n" for line in prepared))
    names = ("--source", tmp_path / "dev.de", "--references", folder / "dev.en")
    done = run(
        *("tune", "model", folder / "lower", *names, "--method", "mira", "--iterations", 1, "--quiet"),
        *("-o", tmp_path / "tuned"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("the output is tokenized, but the reference is not") == 1
    assert "the output is lowercased, but the reference is not" in done.stderr
    assert "--prepare" in done.stderr


def test_references_are_prepared_like_a_models_output_to_be_scored(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    decode_file(folder / "lower", folder / "dev.de", DecodeOutputs(out), prepare=True)
    prepared = model_side(folder / "lower", "target").prepare(
        Texts.of((folder / "dev.en").read_text().splitlines())
    )
    (tmp_path / "prepared.en").write_text("".join(f"{line}\n" for line in prepared))
    (tmp_path / "same").write_text((folder / "dev.en").read_text())
    by_hand = run("eval", out, "--references", tmp_path / "prepared.en", "--json")
    by_model = run("eval", out, "--references", folder / "dev.en", "--model", folder / "lower", "--json")
    assert by_hand.returncode == by_model.returncode == 0, by_model.stderr
    assert json.loads(by_model.stdout) == json.loads(by_hand.stdout)
    assert "warning" not in by_model.stderr
    assert "tokenized" in run("eval", out, "--references", folder / "dev.en").stderr
    both = ("--model", folder / "lower", "--prepare-output", "--json")
    perfect = run("eval", tmp_path / "same", "--references", folder / "dev.en", *both)
    assert json.loads(perfect.stdout)[0]["score"] == pytest.approx(1)
    refused = run("eval", out, "--references", folder / "dev.en", "--prepare-output")
    assert refused.returncode == 2
    assert "--prepare-output needs --model" in refused.stderr
    plain = ("eval", folder / "dev.en", "--references", folder / "dev.en", "--tokenize", "13a", "--json")
    as_it_is = run(*plain, "--model", folder / "lower")
    assert json.loads(as_it_is.stdout) == json.loads(run(*plain).stdout)


@pytest.mark.parametrize("case", ["lower", "true"])
def test_readable_output_beside_prepared_references_has_one_remedy(
    folder: Path, tmp_path: Path, case: str
) -> None:
    out = tmp_path / "out"
    outputs = DecodeOutputs(out, detokenize=True)
    decode_file(folder / case, folder / "dev.de", outputs, prepare=True)
    names = ("eval", out, "--references", folder / "dev.en")
    told = " ".join(run(*names, "--model", folder / case).stderr.split())
    assert told.count("warning") == 1
    assert told.endswith("scores are too low: leave out --model, or add `--tokenize 13a`")
    for remedy in ((), ("--model", folder / case, "--tokenize", "13a")):
        assert "tokenized, but" not in run(*names, *remedy).stderr


@pytest.mark.slow
def test_both_sides_are_prepared_to_be_forced(folder: Path, tmp_path: Path) -> None:
    model = folder / "true"
    raw_done = run(
        "force", model, folder / "train.de", folder / "train.en", "--prepare", "-o", tmp_path / "a"
    )
    done = run("force", model, model / "source.txt", model / "target.txt", "-o", tmp_path / "b")
    assert raw_done.returncode == done.returncode == 0, raw_done.stderr
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


def test_a_model_over_another_prepares_text_like_it(folder: Path, tmp_path: Path) -> None:
    itg_over(folder / "true", tmp_path / "itg")
    lines = Texts.of((folder / "dev.de").read_text().splitlines())
    expected = model_side(folder / "true", "source").prepare(lines)
    assert list(model_side(open_decoder(tmp_path / "itg").model, "source").prepare(lines)) == list(expected)


def test_unknown_preparation_is_an_error(folder: Path) -> None:
    model = open_decoder(folder / "lower").model
    object.__setattr__(model, "text", {})
    with pytest.raises(InputError, match="does not record how its text was prepared"):
        model_side(model, "target")


@pytest.mark.parametrize("case", ["lower", "true"])
def test_preparation_of_the_target_is_undone(folder: Path, case: str) -> None:
    side = readable_side(folder / case)
    lines = (folder / "train.en").read_text().splitlines()
    restored = list(side.restore(side.prepare(Texts.of(lines))))
    same = sum(a == b for a, b in zip(lines, restored, strict=True))
    assert same > 0.9 * len(lines)


@pytest.mark.parametrize("case", ["lower", "true"])
def test_raw_text_in_gives_readable_text_out(folder: Path, tmp_path: Path, case: str) -> None:
    names = ("-i", folder / "dev.de", "--prepare", "--quiet")
    tokens = run("decode", folder / case, *names, "-o", tmp_path / "tokens")
    lists = ("--nbest", 2, "--nbest-output", tmp_path / "nbest.jsonl", "--alignment-output", tmp_path / "a")
    done = run("decode", folder / case, *names, "-o", tmp_path / "text", "--detokenize", *lists)
    assert tokens.returncode == done.returncode == 0, done.stderr
    text, words = ((tmp_path / name).read_text().splitlines() for name in ("text", "tokens"))
    assert all(line[0].isupper() for line in text)
    assert not any(" ." in line or " ," in line for line in text)
    restored = list(model_side(folder / case, "target").restore(Texts.of(words)))
    same = str.lower if case == "lower" else str  # unknown words keep the case of the input
    assert list(map(same, restored)) == list(map(same, text))
    assert Pool.read(tmp_path / "nbest.jsonl").texts[0] == words[0]
    inverse = run("prepare", folder / case, "--side", "target", "--invert", tmp_path / "tokens")
    assert inverse.stdout.splitlines() == restored
    asked = ("--nbest-output", tmp_path / "nbest.jsonl", "--detokenize-nbest")
    assert run("decode", folder / case, *names, "-o", tmp_path / "tokens", *asked).returncode == 0
    assert Pool.read(tmp_path / "nbest.jsonl").texts[0] == text[0]
    assert (tmp_path / "tokens").read_text().splitlines() == words


def test_standard_input_is_prepared_to_standard_output(folder: Path) -> None:
    done = run("prepare", folder / "lower", "--side", "source", stdin=(folder / "train.de").read_text())
    assert done.stdout == (folder / "lower" / "source.txt").read_text()
    wrong = run("prepare", folder / "lower", "--side", "both", stdin="x\n")
    assert wrong.returncode == 2
    assert "--side cannot be 'both'" in wrong.stderr


def test_text_that_cannot_be_made_readable_is_refused(
    folder: Path, small_model: Path, tmp_path: Path
) -> None:
    done = run("decode", small_model, "-i", folder / "dev.de", "--detokenize", "-o", tmp_path / "out")
    assert done.returncode == 1
    assert "was trained on text that was tokenized before" in done.stderr
    assert "tunesmith corpus tokenize --detokenize" in done.stderr
    assert not (tmp_path / "out").exists()
    both = run("decode", folder / "true", "--segments", "--detokenize", stdin="x\n")
    assert both.returncode == 2
    assert "--segments are of tokens; leave out --detokenize" in both.stderr


def test_a_lowercase_side_without_a_recaser_is_warned_of(folder: Path) -> None:
    with pytest.warns(
        TunesmithWarning, match="has no recaser of this side, so that its text stays lowercase"
    ):
        side = readable_side(folder / "lower", "source")
    assert list(side.restore(Texts.of(["das haus ist klein ."]))) == ["das haus ist klein."]


@pytest.mark.parametrize("case", ["lower", "true"])
def test_raw_text_that_is_not_to_be_prepared_is_warned_of(folder: Path, tmp_path: Path, case: str) -> None:
    with pytest.warns(TunesmithWarning, match=f"not tokenized or cased like the training text of .*{case}"):
        decode_file(folder / case, folder / "dev.de", DecodeOutputs(tmp_path / "out"))
    with pytest.warns(TunesmithWarning, match="not tokenized or cased"):
        ModelSystem.open(folder / case, folder / "dev.de")
    prepared = model_side(folder / case, "source").prepare(Texts.of(read_lines(folder / "dev.de")))
    (tmp_path / "prepared").write_text("".join(f"{line}\n" for line in prepared))
    decode_file(folder / case, tmp_path / "prepared", DecodeOutputs(tmp_path / "out"))  # without a warning
    ModelSystem.open(folder / case, folder / "dev.de", prepare=True)
