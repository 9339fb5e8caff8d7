"""Output and references that are tokenized or cased differently are detected."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest
from tests.commands import run

from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.errors import TunesmithWarning
from tunesmith.generated import generate
from tunesmith.metrics import compare_systems, evaluate
from tunesmith.metrics.form import FEWEST, form_differences


def raw(line: str) -> str:
    return line.replace(" ,", ",").replace(" .", ".").replace(" ?", "?").replace(" !", "!")


TOKENIZED = [pair.target for pair in generate(50, seed=1)]
RAW = [raw(line) for line in TOKENIZED]
LOWER = [line.lower() for line in TOKENIZED]


def test_raw_references_of_a_tokenized_output_are_detected() -> None:
    (found,) = form_differences(TOKENIZED, [RAW])
    assert found.startswith("the output is tokenized, but the reference is not: punctuation is attached to")
    (found,) = form_differences(RAW, [RAW, TOKENIZED], "system 2")
    assert found.startswith("reference 2 is tokenized, but system 2 is not")


def test_cased_references_of_a_lowercased_output_are_detected() -> None:
    assert form_differences(LOWER, [TOKENIZED]) == ["the output is lowercased, but the reference is not"]
    assert form_differences(TOKENIZED, [LOWER]) == ["the reference is lowercased, but the output is not"]
    assert len(form_differences(LOWER, [RAW])) == 2


def test_texts_of_one_form_and_short_ones_are_not_warned_of() -> None:
    for lines in (TOKENIZED, RAW, LOWER, ["no punctuation here"] * 20, [""] * 20, []):
        assert form_differences(lines, [lines, lines[::-1]]) == []
    assert form_differences(LOWER[: FEWEST - 1], [RAW[: FEWEST - 1]]) == []


def test_real_text_is_told_from_its_tokens_in_either_language(shared_data: Path) -> None:
    import lzma

    for language in ("fr", "de", "en"):
        pair = "de-en" if language == "de" else "fr-en"
        with lzma.open(shared_data / f"europarl-{pair}.dev.{language}.xz", "rt", encoding="utf-8") as stream:
            lines = [next(stream).rstrip("\n") for _ in range(300)]
        tokens = Tokenizer(language).tokenize(lines)
        assert len(form_differences(tokens, [lines])) == 1
        assert form_differences(tokens, [tokens]) == form_differences(lines, [lines]) == []


def test_evaluation_and_comparison_warn() -> None:
    with pytest.warns(TunesmithWarning, match=r"the output is tokenized, .* `tunesmith eval --model MODEL`"):
        evaluate("bleu", TOKENIZED, [RAW], resamples=0)
    with pytest.warns(TunesmithWarning, match="is lowercased"):
        compare_systems("bleu", [TOKENIZED], {"a": [TOKENIZED], "b": [LOWER]}, resamples=10, trials=10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate("bleu", TOKENIZED, [TOKENIZED], resamples=0)


def test_tuning_on_lists_warns(tmp_path: Path) -> None:
    lists = [
        f"{i} ||| {text} ||| A= {j} B= {(3 * i + j) % 5} ||| 0\n"
        for i, line in enumerate(LOWER)
        for j, text in enumerate((line, line.replace("the", "a"), f"{line} ."))
    ]
    (tmp_path / "nbest").write_text("".join(lists))
    (tmp_path / "ref").write_text("".join(f"{line}\n" for line in RAW))
    done = run(
        *(
            "tune",
            "nbest",
            "--candidates",
            "nbest",
            "--references",
            "ref",
            "--method",
            "mira",
            "-o",
            "w.json",
        ),
        folder=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "the candidates is tokenized" not in done.stderr
    assert "candidates are tokenized, but the reference is not" in done.stderr
