"""`tunesmith lm interpolate` as a shell runs it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from tests.commands import Done, run

from tunesmith.corpus import Sentences
from tunesmith.generated import generate
from tunesmith.lm import LanguageModel, estimate, mixture_weights
from tunesmith.lm.interpolate import InterpolatedModel


def mix(folder: Path, *words: object) -> Done:
    return run("lm", "interpolate", *words, folder=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mixing")
    for name, seed, size in (("first", 1, 200), ("second", 2, 60), ("dev", 3, 40)):
        lines = [pair.target for pair in generate(size, seed=seed, lowercase=True)]
        (made / f"{name}.en").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        if name != "dev":
            model = estimate(Sentences.of(lines), order=3, discount_fallback=True)
            model.write_binary(made / f"{name}.bin")
            model.write_arpa(made / f"{name}.arpa.gz")
    return made


def test_weights_are_fitted_to_a_text_and_perplexities_reported(folder: Path) -> None:
    done = mix(folder, "first.bin", "second.arpa.gz", "--text", "dev.en", "-o", "mixed.bin", "--json")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "writing"), done.stderr
    record = json.loads(done.stdout)
    assert record["weights"][0] > record["weights"][1] > 0
    assert record["iterations"] > 3
    alone = [row["perplexity"] for row in record["alone"]]
    assert record["written"]["of_common_words"] < min(row["of_common_words"] for row in record["alone"])
    mixed = LanguageModel.open(folder / "mixed.bin")
    assert mixed.counts == record["ngrams"]
    text = (folder / "dev.en").read_text(encoding="utf-8").splitlines()
    assert mixed.perplexity(text).including_unknown == pytest.approx(record["written"]["perplexity"])
    assert LanguageModel.open(folder / "second.bin").perplexity(text).including_unknown == pytest.approx(
        alone[1]
    )

    shown = mix(folder, "first.bin", "second.bin", "--text", "dev.en", "-o", "mixed.arpa")
    assert shown.stdout == ""
    for word in ("exact mixture", "mixture as written", f"{record['weights'][0]:.4f}", "iterations of EM"):
        assert word in shown.stderr
    assert LanguageModel.open(folder / "mixed.arpa").counts == mixed.counts


def test_the_perplexity_of_a_text_model_needs_room_only_beside_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "full"))  # not there: nothing can be written
    (folder / "beside").mkdir()
    words = ("first.bin", "second.bin", "--text", "dev.en", "-o", "beside/mixed.arpa")
    done = mix(folder, *words)
    assert done.returncode == 0, done.stderr
    assert "mixture as written" in done.stderr
    assert [path.name for path in (folder / "beside").iterdir()] == ["mixed.arpa"]

    def fail(*given: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(InterpolatedModel, "write_binary", fail)
    assert mix(folder, *words).returncode == 1
    assert [path.name for path in (folder / "beside").iterdir()] == ["mixed.arpa"]


def test_weights_that_have_not_converged_are_reported_as_such(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("first.bin", "second.bin", "--text", "dev.en", "-o", "few.bin")
    assert "not converged" not in mix(folder, *words).stderr
    monkeypatch.setattr(mixture_weights, "_MOST_ITERATIONS", 2)
    assert "weights after 2 iterations of EM, not converged" in mix(folder, *words).stderr
    assert json.loads(mix(folder, *words, "--json").stdout)["converged"] is False


def test_given_weights_need_no_text(folder: Path) -> None:
    done = mix(folder, "first.bin", "second.bin", "--mixture-weights", "0.25,0.75", "-o", "given.bin")
    assert done.returncode == 0, done.stderr
    assert "weights: 0.2500 first.bin, 0.7500 second.bin" in done.stderr
    quiet = mix(folder, "first.bin", "second.bin", "--mixture-weights", "0.25 0.75", "-o", "-", "--quiet")
    assert (quiet.returncode, quiet.stderr) == (0, "")
    (folder / "piped.arpa").write_text(quiet.stdout, encoding="utf-8")
    piped, given = (LanguageModel.open(folder / name) for name in ("piped.arpa", "given.bin"))
    assert piped.full_scores("the dog") == given.full_scores("the dog")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["first.bin", "second.bin"], 2, "--text to fit the weights to, or --mixture-weights"),
        (["first.bin", "--text", "dev.en"], 2, "at least two language models"),
        (
            ["first.bin", "second.bin", "--mixture-weights", "1"],
            2,
            "--mixture-weights must be two or more numbers",
        ),
        (
            ["first.bin", "second.bin", "--mixture-weights", "0.5,0.3,0.2"],
            2,
            "3 --mixture-weights for 2 language models",
        ),
        (["first.bin", "second.bin", "--mixture-weights", "0.6,0.6"], 2, "sum to 1, not 0.6,0.6"),
        (
            [
                "first.bin",
                "second.bin",
                "--mixture-weights",
                "0.5,0.5",
                "--tolerance",
                "0.1",
                "--text",
                "dev.en",
            ],
            2,
            "--tolerance is for weights that are fitted, not given by --mixture-weights",
        ),
        (["first.bin", "dev.en", "--mixture-weights", "0.5,0.5"], 1, "not an ARPA file"),
        (["first.bin", "mixed.arpa.gz", "--mixture-weights", "0.5,0.5"], 1, "mixed.arpa.gz"),
    ],
)
def test_what_cannot_be_mixed_is_refused_with_the_reason(
    folder: Path, words: list[str], code: int, message: str
) -> None:
    done = mix(folder, *words, "-o", "none.bin")
    assert done.returncode == code
    assert message in " ".join(done.stderr.split())
    assert not (folder / "none.bin").exists()
