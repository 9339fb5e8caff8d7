"""Estimated models are those of the published formulas, of lmplz, and of nobody's threads or memory."""

from __future__ import annotations

import lzma
import math
import random

import kenlm
import pytest
from tests.lm.kneser_ney import log10_probability, read_arpa, reference_model

from tunesmith.corpus import Sentences
from tunesmith.generated import generate
from tunesmith.lm import LanguageModel
from tunesmith.lm.estimate import estimate

TOLERANCE = 2e-6


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return [pair.target for pair in generate(400, seed=2, lowercase=True)]


def draw(seed: int, sentences: int = 60, words: int = 12, longest: int = 9) -> list[str]:
    """Text of few words, skewed as real text is, with empty lines and repeated sentences."""
    source = random.Random(seed)
    text = []
    for _ in range(sentences):
        length = source.randrange(longest + 1)
        text.append(" ".join(f"w{int(words * source.random() ** 2)}" for _ in range(length)))
    return text + text[: sentences // 5]


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def check(found, expected):
    assert found.keys() == expected.keys()
    for ngram, (probability, backoff) in expected.items():
        assert found[ngram][0] == pytest.approx(probability, abs=TOLERANCE), ngram
        assert (found[ngram][1] is None) == (backoff is None)
        assert (found[ngram][1] or 0) == pytest.approx(backoff or 0, abs=TOLERANCE), ngram


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_order_equals_the_published_formulas(tmp_path, order, seed) -> None:
    text = draw(seed)
    estimate(Sentences.of(text), order=order, discount_fallback=True).write_arpa(tmp_path / "lm.arpa")
    check(read_arpa(tmp_path / "lm.arpa"), reference_model(text, order))


def test_estimated_discounts_equal_the_published_formulas(tmp_path, lines) -> None:
    estimate(write(tmp_path / "text", lines), order=3).write_arpa(tmp_path / "lm.arpa")
    check(read_arpa(tmp_path / "lm.arpa"), reference_model(lines, 3, fallback=False))


@pytest.mark.parametrize("prune", [(0, 0, 1), (0, 1), (0, 1, 1, 3), (0, 0, 0, 2)])
def test_pruned_models_equal_the_published_formulas(tmp_path, prune) -> None:
    text = draw(3)
    model = estimate(Sentences.of(text), order=4, prune=prune, discount_fallback=True)
    model.write_arpa(tmp_path / "lm.arpa")
    expected = reference_model(text, 4, prune=prune)
    check(read_arpa(tmp_path / "lm.arpa"), expected)
    assert len(expected) < len(reference_model(text, 4))


def test_a_list_of_words_limits_the_vocabulary(tmp_path) -> None:
    text, keep = draw(4), {"w0", "w3", "w5", "w7", "never-seen"}
    model = estimate(Sentences.of(text), order=3, vocabulary=keep, discount_fallback=True)
    model.write_arpa(tmp_path / "lm.arpa")
    check(read_arpa(tmp_path / "lm.arpa"), reference_model(text, 3, keep=keep))
    assert model.counts[0] == 4 + 3


def test_a_vocabulary_of_limited_size_keeps_the_most_frequent_words(tmp_path) -> None:
    text = ["a a a a b b b c c d", "d e e e e e"]
    model = estimate(Sentences.of(text), order=2, vocabulary_limit=3, discount_fallback=True, prune=(0, 1))
    model.write_arpa(tmp_path / "lm.arpa")
    expected = reference_model(text, 2, keep={"e", "a", "b"}, prune=(0, 1))
    check(read_arpa(tmp_path / "lm.arpa"), expected)


def test_without_interpolation_the_unknown_word_gets_what_unigrams_leave(tmp_path, lines) -> None:
    model = estimate(Sentences.of(lines), order=2, interpolate_unigrams=False)
    model.write_arpa(tmp_path / "lm.arpa")
    check(read_arpa(tmp_path / "lm.arpa"), reference_model(lines, 2, interpolate_unigrams=False))


@pytest.mark.parametrize("options", [{}, {"prune": (0, 0, 1)}, {"vocabulary_limit": 50}, {"order": 2}])
def test_the_probabilities_after_any_context_sum_to_one(tmp_path, lines, options) -> None:
    chosen = {"order": 4, "discount_fallback": True} | options
    estimate(Sentences.of(lines), **chosen).write_arpa(tmp_path / "lm.arpa")
    model = read_arpa(tmp_path / "lm.arpa")
    words = [ngram[0] for ngram in model if len(ngram) == 1 and ngram != ("<s>",)]
    contexts = [ngram for ngram in model if len(ngram) < chosen["order"] and ngram[-1] != "</s>"]
    for context in [(), *random.Random(1).sample(contexts, 60)]:
        total = sum(10 ** log10_probability(model, context, word) for word in words)
        assert total == pytest.approx(1.0, abs=1e-4), context


@pytest.mark.parametrize(("memory", "threads"), [("1G", 2), ("64K", 1), ("64K", 3), (4096, 2)])
def test_the_file_does_not_depend_on_memory_and_threads(tmp_path, lines, memory, threads) -> None:
    text = write(tmp_path / "text", lines)
    options = {"order": 5, "prune": (0, 0, 0, 1), "discount_fallback": True}
    estimate(text, **options, threads=1).write_arpa(tmp_path / "expected")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    model = estimate(text, **options, memory=memory, threads=threads, temporary=scratch)
    model.write_arpa(tmp_path / "found")
    assert (tmp_path / "found").read_bytes() == (tmp_path / "expected").read_bytes()
    model.write_arpa(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "expected").read_bytes()
    assert not list(scratch.iterdir())


def test_files_and_sentences_give_the_same_model(tmp_path, lines) -> None:
    parts = [write(tmp_path / "a", lines[:150]), tmp_path / "b.xz"]
    parts[1].write_bytes(lzma.compress("".join(line + "\n" for line in lines[150:]).encode()))
    estimate(parts, order=3).write_arpa(tmp_path / "files.arpa")
    estimate(Sentences.of(lines), order=3).write_arpa(tmp_path / "sentences.arpa")
    assert (tmp_path / "files.arpa").read_bytes() == (tmp_path / "sentences.arpa").read_bytes()


def test_the_summary_is_that_of_the_text_and_the_file(tmp_path, lines) -> None:
    heard: list[str] = []
    model = estimate(Sentences.of(lines), order=3, progress=heard.append)
    model.write_arpa(tmp_path / "lm.arpa")
    found = read_arpa(tmp_path / "lm.arpa")
    assert model.counts == tuple(sum(len(ngram) == n for ngram in found) for n in (1, 2, 3))
    assert (model.sentences, model.tokens) == (len(lines), sum(len(line.split()) for line in lines))
    assert model.order == len(model.discounts) == 3
    assert len(heard) == 4


def test_kenlm_scores_with_our_file_as_backing_off_does(tmp_path, lines) -> None:
    estimate(Sentences.of(lines[:350]), order=4).write_arpa(tmp_path / "lm.arpa")
    model, peer = read_arpa(tmp_path / "lm.arpa"), kenlm.Model(str(tmp_path / "lm.arpa"))
    for line in [*lines[350:], "", "never seen words"]:
        words = ("<s>", *line.split(), "</s>")
        known = tuple(word if (word,) in model else "<unk>" for word in words)
        total = sum(
            log10_probability(model, known[max(0, i - 3) : i], known[i]) for i in range(1, len(known))
        )
        assert peer.score(line) == pytest.approx(total, abs=1e-4)


@pytest.mark.slow
def test_every_value_of_multi30k_is_that_of_lmplz(tmp_path, shared_data) -> None:
    path = tmp_path / "lm.arpa"
    estimate(shared_data / "multi30k.train.en.xz", order=5).write_arpa(path)
    fixture = tmp_path / "fixture.arpa"
    fixture.write_bytes(lzma.decompress((shared_data / "moses" / "train.5gram.arpa.xz").read_bytes()))
    with path.open("rb") as ours, fixture.open("rb") as theirs:
        ngrams = 0
        for mine, other in zip(ours, theirs, strict=True):
            found, expected = mine.split(b"\t"), other.split(b"\t")
            assert found[1:2] == expected[1:2]
            if len(expected) == 1:
                assert mine == other
                continue
            ngrams += 1
            assert len(found) == len(expected)
            assert abs(float(found[0]) - float(expected[0])) < TOLERANCE
            assert len(found) == 2 or abs(float(found[2]) - float(expected[2])) < TOLERANCE
    assert ngrams == 10213 + 80002 + 174840 + 244283 + 272048
    text = lzma.decompress((shared_data / "multi30k.val.en.xz").read_bytes()).decode().splitlines()
    tokens = sum(len(line.split()) + 1 for line in text)
    perplexities = []
    for file in (path, fixture):
        model = kenlm.Model(str(file))
        perplexities.append(10 ** (-math.fsum(model.score(line) for line in text) / tokens))
    assert perplexities[0] == pytest.approx(perplexities[1], rel=1e-6)


def test_perplexity_of_our_arpa_is_that_of_kenlm(tmp_path) -> None:
    text = [pair.target for pair in generate(600, seed=1, lowercase=True)]
    estimate(Sentences.of(text[:500]), order=4).write_arpa(tmp_path / "lm.arpa")
    peer = kenlm.Model(str(tmp_path / "lm.arpa"))
    held = text[500:]
    total = sum(peer.score(line) for line in held)
    tokens = sum(len(line.split()) + 1 for line in held)
    found = LanguageModel.open(tmp_path / "lm.arpa").perplexity(held)
    assert found.tokens == tokens
    assert found.including_unknown == pytest.approx(10 ** (-total / tokens), rel=5e-5)
