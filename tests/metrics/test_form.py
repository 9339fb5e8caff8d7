"""Output and references that are tokenized or cased differently are detected."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run

from tunesmith import tune
from tunesmith.candidates import Pool
from tunesmith.corpus.tokenize import Tokenizer
from tunesmith.errors import TunesmithWarning
from tunesmith.forest import Edge, ForestPool, build_forest
from tunesmith.forest.file import ForestWriter
from tunesmith.generated import generate
from tunesmith.metrics import compare_systems, evaluate
from tunesmith.metrics.form import FEWEST, form_differences
from tunesmith.unspaced_scripts import split_characters


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


CHINESE = ["我今天早上七点起床。", "他不喜欢喝咖啡，只喝茶。", "你明天去北京吗？"] * 5
CHARACTERS = [split_characters(line) for line in CHINESE]


def test_text_without_spaces_that_one_side_splits_is_detected() -> None:
    (found,) = form_differences(CHARACTERS, [CHINESE])
    assert found == (
        "the output is split into words or characters, but the reference is not: a token has 1.0 and 8.7"
        " Chinese letters"
    )
    (found,) = form_differences(CHINESE, [CHINESE, CHARACTERS])
    assert found.startswith("reference 2 is split into words or characters, but the output is not")
    assert form_differences(CHARACTERS, [CHARACTERS]) == form_differences(CHINESE, [CHINESE]) == []


def test_words_are_not_counted_in_text_without_spaces_unless_it_is_said() -> None:
    with pytest.warns(
        TunesmithWarning, match=r"Chinese without spaces .* \(tokenizer 13a\) .* tokenize zh or char"
    ):
        evaluate("bleu", CHINESE, [CHINESE], tokenize="13a", resamples=0)
    with pytest.warns(TunesmithWarning, match=r"tokenizer none"):
        compare_systems("bleu", [CHINESE], {"a": [CHINESE], "b": [CHINESE]}, resamples=10, trials=10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate("bleu", CHINESE, [CHINESE], tokenize="zh", resamples=0)
        evaluate("bleu", CHARACTERS, [CHARACTERS], resamples=0)
        evaluate("chrf", CHINESE, [CHINESE], resamples=0)


def told(metrics: str, output: list[str], reference: list[str], tokenize: str | None = None) -> list[str]:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        evaluate(metrics, output, [reference], tokenize=tokenize, resamples=0)
    return [str(each.message) for each in said]


@pytest.mark.parametrize("tokenize", ["zh", "char"])
def test_ter_still_counts_unsplit_words_beside_a_metric_that_splits_them(tokenize: str) -> None:
    (text,) = told("bleu,chrf,ter", CHINESE, CHINESE, tokenize)
    assert "scores of words (ter, which has no tokenizer) say little" in text
    assert text.endswith("`ter(normalized=true, asian_support=true)` splits it")
    assert told("bleu,ter(normalized=true, asian_support=true)", CHINESE, CHINESE, tokenize) == []
    (both,) = told("bleu,ter", CHINESE, CHINESE)
    assert "(tokenizer none; ter, which has no tokenizer)" in both and "tokenize zh or char; `ter(" in both
    thai = ["ฉันชอบกินข้าวกับปลา"] * 20
    for metric in ("ter", "ter(normalized=true, asian_support=true)"):
        (text,) = told(metric, thai, thai)
        assert text.endswith("for ter, split both texts into words or characters before")


MIXED = ["Washington 我今 said", "government 他不 else", "你明 Beijing train"] * 5


def test_an_output_with_some_letters_of_the_script_is_not_said_to_have_none() -> None:
    script, unsplit = told("bleu", MIXED * 4, CHINESE * 4)
    assert script.startswith("the reference is Chinese, but only 13% of the letters of the output are: words")
    assert "different languages" not in script
    assert unsplit.startswith("the reference is Chinese without spaces between words")
    latin = ["Washington newspaper said nothing"] * 15
    (alone,) = told("bleu", latin, CHINESE)
    assert alone.startswith("the reference is Chinese, but the output is not: words")


def lists(texts: list[str], references: list[str]) -> Pool:
    """Return lists of three candidates each, which differ in a word."""
    rows = [text for line in texts for text in (line, line.replace("the", "a"), f"{line} .")]
    features = [[[float(j), (3.0 * i + j) % 5] for j in range(3)] for i in range(len(texts))]
    return Pool.from_arrays(features, texts=rows, references=references, names=["A", "B"])


def forests(texts: list[str], references: list[str]) -> ForestPool:
    """Return the candidates of `lists` as forests."""
    pool = lists(texts, references)
    assert pool.texts is not None
    dense = pool.features.to_dense().tolist()
    edges = [
        Edge((), tuple(text.split()), dict(zip(pool.feature_names, row, strict=True)))
        for text, row in zip(pool.texts, dense, strict=True)
    ]
    made = [build_forest([edges[i : i + 3]], pool.feature_names) for i in range(0, len(edges), 3)]
    return ForestPool.of(made, [references])


@pytest.mark.parametrize(
    ("make", "method", "noun"),
    [(lists, "mira", "the candidates"), (forests, "forest-mira", "the forests' translations")],
)
def test_tuning_in_python_warns(make: Any, method: str, noun: str) -> None:
    with pytest.warns(TunesmithWarning, match=f"^{noun} are tokenized, but the reference is not"):
        tune(make(TOKENIZED, RAW), method, epochs=1)
    fine = make(TOKENIZED, TOKENIZED)
    held_out = noun.replace("the", "the held-out", 1)
    with pytest.warns(TunesmithWarning, match=f"^the reference is lowercased, but {held_out} are not"):
        tune(fine, method, epochs=1, held_out=make(TOKENIZED, LOWER))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tune(fine, method, epochs=1, held_out=fine)


@pytest.mark.parametrize("kind", ["nbest", "forests"])
def test_commands_that_tune_warn(kind: str, tmp_path: Path) -> None:
    if kind == "nbest":
        lists(LOWER, RAW).write(tmp_path / "data", "moses")
        data = ("--candidates", "data", "--method", "mira")
    else:
        with ForestWriter(tmp_path / "data") as writer:
            for forest in forests(LOWER, RAW).forests:
                writer.add(forest)
        data = ("--forests", "data", "--method", "forest-mira")
    (tmp_path / "ref").write_text("".join(f"{line}\n" for line in RAW))
    done = run("tune", kind, *data, "--epochs", 1, "--references", "ref", "-o", "w.json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("are tokenized, but the reference is not") == 1
    assert "are lowercased, but the reference is not" in done.stderr
