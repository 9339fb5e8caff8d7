"""Queries against the definition of back-off, and against KenLM reading the same file."""

from __future__ import annotations

import math
import random
import tempfile
from pathlib import Path

import kenlm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lm.backoff_models import LN10, BackoffModel, Ngram, backoff_models, texts

from tunesmith.corpus import Sentences
from tunesmith.files import read_chunks
from tunesmith.lm import LanguageModel


@pytest.fixture(scope="module")
def arpa(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lm") / "train.arpa"
    path.write_bytes(b"".join(read_chunks(shared_data / "moses" / "train.5gram.arpa.xz")))
    return path


@pytest.fixture(scope="module")
def model(arpa: Path) -> LanguageModel:
    return LanguageModel.open(arpa)


@pytest.fixture(scope="module")
def peer(arpa: Path) -> kenlm.Model:
    return kenlm.Model(str(arpa))


@pytest.mark.parametrize("name", ["val", "test_2016", "test_2017", "test_2017_coco"])
def test_every_word_has_the_score_and_the_ngram_length_that_kenlm_gives_it(
    name: str, model: LanguageModel, peer: kenlm.Model, shared_data: Path
) -> None:
    sentences = Sentences.read(shared_data / f"multi30k.{name}.en.xz")
    scores = model.score_text(sentences)
    expected = [word for i in range(len(sentences)) for word in peer.full_scores(sentences.text(i))]
    assert np.abs(scores.scores / LN10 - [word[0] for word in expected]).max() < 1e-5
    assert scores.orders.tolist() == [word[1] for word in expected]
    assert scores.unknown.tolist() == [word[2] for word in expected]

    perplexity = scores.perplexity()
    total = sum(peer.score(sentences.text(i)) for i in range(len(sentences)))
    assert perplexity.including_unknown == pytest.approx(10 ** (-total / len(expected)), rel=1e-6)
    known = [word[0] for word in expected if not word[2]]
    assert perplexity.excluding_unknown == pytest.approx(10 ** (-sum(known) / len(known)), rel=1e-6)
    assert perplexity.unknown == len(expected) - len(known)


def test_sentences_without_marks_score_as_kenlm_scores_them(model: LanguageModel, peer: kenlm.Model) -> None:
    for sentence in ["a man rides a horse .", "", "zzz a", "<s> a </s> a", "two dogs"]:
        for begin in (False, True):
            for end in (False, True):
                expected = peer.score(sentence, bos=begin, eos=end)
                assert model.score(sentence, begin=begin, end=end) / LN10 == pytest.approx(expected, abs=1e-4)


def test_a_state_of_real_text_is_as_long_as_kenlms(
    model: LanguageModel, peer: kenlm.Model, shared_data: Path
) -> None:
    """KenLM's states are equal exactly where ours are: over all positions of a text, the same classes."""
    ours: dict[object, object] = {}
    theirs: dict[object, object] = {}
    sentences = Sentences.read(shared_data / "multi30k.val.en.xz").take(range(200))
    for i in range(len(sentences)):
        state, other = model.native.begin_state(), kenlm.State()
        peer.BeginSentenceWrite(other)
        for word in sentences.text(i).split():
            _, state = model.native.score(state, model.native.find(word))
            after = kenlm.State()
            peer.BaseScore(other, word, after)
            other = after
            assert ours.setdefault(state, other) == other
            assert theirs.setdefault(other, state) == state


@given(backoff_models(), texts())
def test_scores_are_those_of_the_definition(drawn: BackoffModel, words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = drawn.compile(Path(folder))
    history: Ngram = ("<s>",)
    known = [word if (word,) in drawn.ngrams else "<unk>" for word in [*words, "</s>"]]
    for word, found in zip(known, model.full_scores(" ".join(words)), strict=True):
        assert found.score == pytest.approx(drawn.probability(history, word) * LN10, abs=1e-5)
        assert found.order >= drawn.matched(history, word)  # a blank may have matched
        history = (*history, word)


@given(backoff_models(), texts(), st.booleans())
def test_a_state_keeps_a_word_only_if_some_ngram_has_that_context(
    drawn: BackoffModel, words: list[str], begin: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = drawn.compile(Path(folder))
    vocabulary = model.vocabulary
    state = model.native.begin_state() if begin else model.native.empty_state()
    history: Ngram = ("<s>",) if begin else ()
    for word in words:
        _, state = model.native.score(state, model.native.find(word))
        history = (*history, word if (word,) in drawn.ngrams else "<unk>")
        assert tuple(vocabulary[number] for number in reversed(state.words)) == drawn.state(history)


def pruned_model(draw: random.Random) -> BackoffModel:
    """A model of some hundred n-grams of order 4, a tenth of whose suffixes are pruned, contexts never."""
    inner = [f"w{i}" for i in range(12)]
    ngrams = {(word,): (-draw.random() - 0.5, -draw.random()) for word in [*inner, "<s>", "<unk>"]}
    ngrams["</s>",] = (-1.0, 0.0)
    longest = [tuple(draw.choice(inner) for _ in range(4)) for _ in range(150)]
    parts = {ngram[i:j] for ngram in longest for i in range(4) for j in range(i + 2, 5)}
    contexts = {ngram[:end] for ngram in parts for end in range(2, len(ngram))}
    for ngram in sorted(parts, key=lambda ngram: (len(ngram), ngram)):
        if len(ngram) == 4 or ngram in contexts or draw.random() < 0.9:
            ngrams[ngram] = (-draw.random() - 0.5, -draw.random() if ngram in contexts else 0.0)
    return BackoffModel(4, ngrams)


@pytest.mark.parametrize("seed", range(5))
def test_models_pruned_of_suffixes_score_as_in_kenlm(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    drawn = pruned_model(draw)
    model = drawn.compile(tmp_path)
    assert sum(model.native.blanks) > 0
    peer = kenlm.Model(str(tmp_path / "model.arpa"))
    ngrams = [ngram for ngram in drawn.ngrams if len(ngram) == 4]
    for _ in range(100):
        sentence = " ".join(word for _ in range(4) for word in draw.choice(ngrams))
        expected, found = list(peer.full_scores(sentence)), model.full_scores(sentence)
        assert [word.score / LN10 for word in found] == pytest.approx(
            [word[0] for word in expected], abs=1e-4
        )
        assert [word.order for word in found] == [word[1] for word in expected]


@given(backoff_models(), texts(1))
def test_a_phrase_is_scored_without_context(drawn: BackoffModel, words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        model = drawn.compile(Path(folder))
    known = tuple(word if (word,) in drawn.ngrams else "<unk>" for word in words)
    expected = math.fsum(drawn.probability(known[:i], word) for i, word in enumerate(known))
    assert model.phrase_score(" ".join(words)) == pytest.approx(expected * LN10, abs=1e-4)
