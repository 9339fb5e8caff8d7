"""Words of probability 0: ARPA files with -inf score as in KenLM, and decoders get finite scores."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import kenlm
import pytest
from tests.commands import run
from tests.lm.backoff_models import LN10

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.lm import LanguageModel

MODEL = """\\data\\
ngram 1=5
ngram 2=3
ngram 3=2

\\1-grams:
-1\t<unk>\t0
-99\t<s>\t-0.3
-0.9\t</s>\t0
-0.5\ta\t-0.2
-0.6\tb\t-0.4

\\2-grams:
-0.1\t<s> a\t-0.11
-0.2\ta b\t-0.12
-0.7\tb </s>\t0

\\3-grams:
-0.05\t<s> a b
-0.06\ta b </s>

\\end\\
"""
ENTRIES = ["-99\t<s>", "-1\t<unk>", "-0.5\ta", "-0.9\t</s>", "-0.2\ta b", "-0.1\t<s> a", "-0.05\t<s> a b"]
TEXTS = ["a b", "b a", "a", "", "c", "a a b b", "a c b", "b <s> a", "</s> a b"]


def written(folder: Path, entry: str, number: str) -> Path:
    """A model file whose n-gram `entry` has another log10 probability."""
    path = folder / f"model{number}.arpa"
    ngram = entry.split("\t")[1]
    path.write_text(MODEL.replace(f"\n{entry}", f"\n{number}\t{ngram}", 1))
    assert f"\n{number}\t{ngram}" in path.read_text()
    return path


@pytest.mark.parametrize("number", ["-inf", "-1e400", "-1e39", "-99"])
@pytest.mark.parametrize("entry", ENTRIES)
def test_every_word_scores_as_in_kenlm_if_an_ngram_has_probability_zero(
    entry: str, number: str, tmp_path: Path
) -> None:
    path = written(tmp_path, entry, number)
    model, peer = LanguageModel.open(path), kenlm.Model(str(path))
    scores = model.score_text(TEXTS)
    totals = scores.sentence_scores() / LN10
    for i, text in enumerate(TEXTS):
        expected = list(peer.full_scores(text))
        assert [word.score / LN10 for word in scores.words(i)] == pytest.approx(
            [w[0] for w in expected], abs=1e-5
        )
        assert [(word.order, word.unknown) for word in scores.words(i)] == [w[1:] for w in expected]
        assert totals[i] == pytest.approx(peer.score(text), abs=1e-4)
        assert model.perplexity([text]).including_unknown == pytest.approx(peer.perplexity(text), rel=1e-5)
        state, other, after = model.native.begin_state(), kenlm.State(), kenlm.State()
        peer.BeginSentenceWrite(other)
        for word in text.split():
            score, state = model.native.score(state, model.native.find(word))
            assert score / LN10 == pytest.approx(peer.BaseScore(other, word, after), abs=1e-5)
            other, after = after, other


def test_minus_infinity_in_words_is_read_too_though_kenlm_refuses_it(tmp_path: Path) -> None:
    model = LanguageModel.open(written(tmp_path, "-0.5\ta", "-Infinity"))
    assert (
        model.score("b a")
        == -math.inf
        == LanguageModel.open(written(tmp_path, "-0.5\ta", "-inf")).score("b a")
    )
    assert model.score("a b") == pytest.approx((-0.1 - 0.05 - 0.06) * LN10, rel=1e-6)


@pytest.mark.parametrize("backoff", ["-inf", "inf", "-1e400"])
def test_an_infinite_backoff_is_refused_as_in_kenlm(backoff: str, tmp_path: Path) -> None:
    path = tmp_path / "lm.arpa"
    path.write_text(MODEL.replace("a\t-0.2", f"a\t{backoff}", 1))
    with pytest.raises(OSError, match="Bad backoff"):
        kenlm.Model(str(path))
    with pytest.raises(
        InputError, match=r"lm\.arpa:10: expected a finite log10 of a back-off, found .*; write -99"
    ):
        LanguageModel.open(path)


@pytest.mark.parametrize("entry", ENTRIES)
def test_decoders_score_probability_zero_as_a_log10_of_minus_100(entry: str, tmp_path: Path) -> None:
    """Scores of charts and of phrases are those of the file that has -100, in every bracketing."""
    zero = LanguageModel.open(written(tmp_path, entry, "-inf"))
    hundred = LanguageModel.open(written(tmp_path, entry, "-100"))
    choices = random.Random(1)
    for _ in range(100):
        words = choices.choices(["a", "b", "c", "<s>"], k=choices.randint(1, 7))
        seed = choices.random()
        score = bracketed(zero, words, random.Random(seed))
        assert math.isfinite(score)
        assert score == pytest.approx(bracketed(hundred, words, random.Random(seed)), rel=1e-5)
        assert zero.phrase_score(" ".join(words)) == hundred.phrase_score(" ".join(words))


def bracketed(model: LanguageModel, words: list[str], choices: random.Random) -> float:
    def piece(begin: int, end: int) -> tuple[float, _native.LmChartState]:
        scored, total = _native.LmPiece(model.native), 0.0
        if end - begin == 1:
            scored.word(model.native.find(words[begin]))
        else:
            middle = choices.randint(begin + 1, end - 1)
            for part in (piece(begin, middle), piece(middle, end)):
                total += part[0]
                scored.piece(part[1])
        return total + scored.score, scored.state

    total, state = piece(0, len(words))
    whole = _native.LmPiece(model.native)
    whole.begin_sentence()
    whole.piece(state)
    whole.word(model.native.sentence_end)
    return total + whole.score


def test_lm_score_prints_minus_inf_and_null_in_json(tmp_path: Path) -> None:
    path = written(tmp_path, "-0.5\ta", "-inf")
    (tmp_path / "text").write_text("b a\na b\n")
    plain = run("lm", "score", path, tmp_path / "text")
    assert plain.stdout.splitlines()[0] == "-inf\t0"
    assert plain.stdout.splitlines()[1].startswith("-0.21")
    assert "log10 probability: -inf" in plain.stderr and "perplexity including unknown: inf" in plain.stderr
    found = json.loads(run("lm", "score", path, tmp_path / "text", "--json", "--words").stdout)
    assert [sentence["log10_probability"] is None for sentence in found["sentences"]] == [True, False]
    assert [word["log10_probability"] is None for word in found["sentences"][0]["words"]] == [
        False,
        True,
        False,
    ]
    assert found["total"]["perplexity_including_unknown"] is None
