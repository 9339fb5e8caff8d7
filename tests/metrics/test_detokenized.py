"""Scores of detokenized text equal sacrebleu's."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest
import sacrebleu
from tests.commands import run

from tunesmith.errors import OptionError
from tunesmith.generated import generate
from tunesmith.metrics import Bleu, evaluate, get_metrics
from tunesmith.metrics.ter import Ter

TRICKY = [
    "He said: \"It's 3.5%, isn't it?\" (Yes.)",
    "Prices rose by $1,234.56 - that's 10-15% &quot;more&quot;...",
    "L’été, c’est fini; 北京 is not Tokyo!",
    "",
]


def outputs(references: list[str]) -> list[str]:
    """Texts with errors in words and in punctuation."""
    return [
        line.replace("the ", "a ", 1).replace(",", "").replace(".", "!" if number % 3 == 0 else ".")
        for number, line in enumerate(references)
    ]


@pytest.mark.parametrize("tokenize", ["13a", "intl", "char", "none"])
def test_bleu_of_raw_text_is_that_of_sacrebleu(tokenize: str) -> None:
    references = [
        *TRICKY,
        *(pair.target.replace(" .", ".").replace(" ,", ",") for pair in generate(40, seed=2)),
    ]
    hypotheses = outputs(references)
    (result,) = evaluate("bleu", hypotheses, [references], tokenize=tokenize, resamples=0)
    theirs = sacrebleu.corpus_bleu(hypotheses, [references], tokenize=tokenize, force=True)
    assert 100 * result.score == pytest.approx(theirs.score, abs=1e-9)
    assert f"tokenize:{tokenize}" in result.signature


def test_the_command_gives_what_sacrebleu_gives_on_real_text(shared_data: Path, tmp_path: Path) -> None:
    with lzma.open(shared_data / "europarl-fr-en.dev.en.xz", "rt", encoding="utf-8") as stream:
        references = [next(stream).rstrip("\n") for _ in range(300)]
    hypotheses = outputs(references)
    for name, lines in (("out", hypotheses), ("ref", references)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    done = run(
        "eval", "out", "--references", "ref", "--tokenize", "13a", "--resamples", 0, "--json", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    scores = {result["metric"].partition("(")[0]: 100 * result["score"] for result in json.loads(done.stdout)}
    assert scores["bleu"] == pytest.approx(sacrebleu.corpus_bleu(hypotheses, [references]).score)
    assert scores["chrf"] == pytest.approx(sacrebleu.corpus_chrf(hypotheses, [references]).score)
    assert scores["ter"] == pytest.approx(sacrebleu.corpus_ter(hypotheses, [references]).score)
    compared = run(
        *("compare", "--references", "ref", "out", "ref", "--tokenize", "13a", "--metrics", "bleu", "--json"),
        *("--resamples", 10, "--trials", 10),
        folder=tmp_path,
    )
    assert json.loads(compared.stdout)["rows"][0]["mean"] == pytest.approx(scores["bleu"] / 100)


def test_the_tokenizer_is_for_metrics_that_name_none() -> None:
    text = 'bleu, bleu(order=2), bleu(tokenize="intl"), ter, chrf++'
    assert get_metrics(text, tokenize="13a") == [
        Bleu(tokenize="13a"),
        Bleu(order=2, tokenize="13a"),
        Bleu(tokenize="intl"),
        Ter(),
        *get_metrics("chrf++"),
    ]
    mixed = get_metrics("0.5*bleu + 0.5*(1-ter)", tokenize="13a")
    assert mixed == get_metrics('0.5*bleu(tokenize="13a") + 0.5*(1-ter)')


def test_a_tokenizer_that_no_metric_takes_is_refused() -> None:
    with pytest.raises(OptionError, match="no metric takes the tokenize"):
        get_metrics("ter", tokenize="13a")
    with pytest.raises(OptionError, match="unknown tokenizer '13b'; did you mean '13a'"):
        get_metrics("bleu", tokenize="13b")
