"""Scores equal sacrebleu's, corpus by corpus and sentence by sentence."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tunesmith.files import read_lines
from tunesmith.metrics import Bleu, Chrf, Metric, Segments, Ter

# Ours, theirs for corpora, theirs for sentences.
Pair = tuple[Metric, Any, Any]


def bleu(**options: Any) -> Pair:
    ours = {"max_ngram_order": "order", "smooth_method": "smooth"}
    options.setdefault("tokenize", "none")
    renamed = {ours.get(name, name): value for name, value in options.items()}
    theirs = [sacrebleu.BLEU(**options, force=True, effective_order=effective) for effective in (False, True)]
    return Bleu(**renamed, sentence=renamed.get("smooth", "exp")), *theirs


def chrf(**options: Any) -> Pair:
    theirs = sacrebleu.CHRF(**options)
    return Chrf(**options), theirs, theirs


def ter(**options: Any) -> Pair:
    theirs = sacrebleu.TER(**options)
    return Ter(**options), theirs, theirs


PAIRS = {
    "bleu": bleu(),
    "bleu, 13a": bleu(tokenize="13a"),
    "bleu, lowercased intl": bleu(tokenize="intl", lowercase=True),
    "bleu, lowercased": bleu(lowercase=True),
    "bleu, characters": bleu(tokenize="char"),
    "bleu, zh": bleu(tokenize="zh"),
    "bleu, order 2, floor": bleu(max_ngram_order=2, smooth_method="floor"),
    "bleu, order 7": bleu(max_ngram_order=7),
    "chrf": chrf(),
    "chrf++": chrf(word_order=2),
    "chrf, lowercased": chrf(lowercase=True, beta=1, char_order=4),
    "chrf with spaces": chrf(whitespace=True),
    "chrf++, eps": chrf(word_order=2, eps_smoothing=True),
    "ter": ter(),
    "ter, cased": ter(case_sensitive=True),
    "ter, normalized": ter(normalized=True),
    "ter, no punctuation": ter(no_punct=True, asian_support=True),
    "ter, asian": ter(normalized=True, asian_support=True, no_punct=True),
}
BASIC = ("bleu", "chrf", "chrf++", "ter")


def check(pair: Pair, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    ours, for_corpora, for_sentences = pair
    stats = ours.measure(Segments.of(hypotheses, references))
    corpus = for_corpora.corpus_score(hypotheses, references).score / 100
    assert float(ours.score(stats.sum(axis=0))) == pytest.approx(corpus, abs=1e-9)
    sentences = [
        for_sentences.sentence_score(hypothesis, list(texts)).score / 100
        for hypothesis, *texts in zip(hypotheses, *references, strict=True)
    ]
    np.testing.assert_allclose(ours.sentence_score(stats), sentences, rtol=0, atol=1e-9)


def check_many(pair: Pair, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """Do as `check`, but let sacrebleu collect its statistics once for the corpus and all sentences.

    `corpus_score` and `sentence_score` are these two calls, and most of their time is the first.
    """
    ours, for_corpora, for_sentences = pair
    stats = ours.measure(Segments.of(hypotheses, references))
    theirs = for_corpora._extract_corpus_statistics(hypotheses, references)
    corpus = for_corpora._aggregate_and_compute(theirs).score / 100
    assert float(ours.score(stats.sum(axis=0))) == pytest.approx(corpus, abs=1e-9)
    sentences = [for_sentences._aggregate_and_compute([each]).score / 100 for each in theirs]
    np.testing.assert_allclose(ours.sentence_score(stats), sentences, rtol=0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("references", [1, 3])
def test_generated_texts_score_as_in_sacrebleu(name: str, references: int, generated: Any) -> None:
    corpus = generated(40, references, longest=20)
    check(PAIRS[name], corpus.hypotheses, corpus.references)


@pytest.mark.slow
@pytest.mark.parametrize("name", BASIC)
def test_a_thousand_real_sentences_score_as_in_sacrebleu(
    name: str, multi30k: Callable[[str], list[str]]
) -> None:
    check_many(PAIRS[name], multi30k("mert"), [multi30k("reference")])


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BASIC, "chrf++, eps"])
def test_several_real_references_score_as_in_sacrebleu(
    name: str, multi30k: Callable[[str], list[str]]
) -> None:
    references = [multi30k(system)[:400] for system in ("pro", "reference", "default")]
    check_many(PAIRS[name], multi30k("mira")[:400], references)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bleu, 13a", "bleu, lowercased intl", "chrf++", "chrf with spaces", "ter"])
def test_raw_cased_parliament_text_scores_as_in_sacrebleu(name: str, shared_data: Path) -> None:
    lines = read_lines(shared_data / "europarl-fr-en.test.en.xz")[:120]
    # No system output in raw case exists: the neighbor sentence, spliced into each, stands for one.
    made = [
        " ".join([*a.split()[3:9], *b.split()[:4], *a.split()[:3], *a.split()[9:]])
        for a, b in zip(lines, lines[1:] + lines[:1], strict=True)
    ]
    check_many(PAIRS[name], made, [lines])


@pytest.mark.slow
def test_real_long_sentences_have_the_ter_of_sacrebleu(shared_data: Path) -> None:
    folder = shared_data / "moses-europarl"
    hypotheses = read_lines(folder / "out.default.test.en.xz")
    references = read_lines(folder / "test.tok.lc.en.xz")
    chosen = [i for i, text in enumerate(references) if 20 <= len(text.split()) <= 70][:25]
    check_many(PAIRS["ter"], [hypotheses[i] for i in chosen], [[references[i] for i in chosen]])


# Few words, so that blocks repeat and shifts abound; odd white space; letters whose case is special.
words = st.sampled_from(["a", "b", "c", "B", "x.", "(y", "İ", "ß", "Σ", "..", "9,5"])
spaces = st.sampled_from([" ", " ", "  ", "\t", "\u00a0", "\u3000", "\u2028", "\x1f", "\x85"])
texts = st.lists(st.tuples(spaces, words), max_size=14).map(
    lambda pieces: "".join(space + word for space, word in pieces)
)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bleu", "bleu, 13a", "chrf++", "chrf++, eps", "chrf with spaces", "ter"])
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=3))
@example([("", "", "")])
@example([("", "a b", "a"), ("a", "", "b")])
@example([(" ", "\u3000", "\t")])
def test_any_small_text_scores_as_in_sacrebleu(name: str, rows: list[tuple[str, str, str]]) -> None:
    hypotheses, first, second = (list(column) for column in zip(*rows, strict=True))
    check(PAIRS[name], hypotheses, [first])
    check(PAIRS[name], hypotheses, [first, second])


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_shuffled_sentences_have_the_ter_of_sacrebleu(reference: list[str], rng: Any) -> None:
    hypothesis = reference[:]
    rng.shuffle(hypothesis)
    check_ter(hypothesis, reference)


def numbered(count: int, prefix: str = "w") -> list[str]:
    return [f"{prefix}{i}" for i in range(count)]


def check_ter(hypothesis: list[str], reference: list[str]) -> None:
    check_many(PAIRS["ter"], [" ".join(hypothesis)], [[" ".join(reference)]])


@pytest.mark.slow
@pytest.mark.parametrize("length", [9, 10, 11, 12, 21])
def test_the_longest_shift_is_that_of_sacrebleu(length: int) -> None:
    words = numbered(2 * length)
    check_ter(words[length:] + words[:length], words)


@pytest.mark.parametrize("distance", [49, 50, 51, 52])
def test_the_farthest_shift_is_that_of_sacrebleu(distance: int) -> None:
    words = numbered(60)
    check_ter(["x", "y", *words], [*words[:distance], "x", "y", *words[distance:]])


# Seeds with which a limit that is ten candidates higher or lower gives another number of edits.
@pytest.mark.slow
@pytest.mark.parametrize("seed", [103, 106, 191, 196])
def test_shifts_are_no_longer_tried_when_sacrebleu_gives_up(seed: int) -> None:
    rng = random.Random(seed)
    reference = [rng.choice("abc") for _ in range(32)]
    check_ter(rng.sample(reference, 30), reference)


@pytest.mark.parametrize("junk", [40, 48, 49, 50, 51, 52, 53, 54, 60])
def test_paths_leave_the_band_where_they_do_in_sacrebleu(junk: int) -> None:
    check_ter(numbered(junk, "junk") + numbered(junk), numbered(junk))


@pytest.mark.parametrize("lengths", [(1, 80), (80, 1), (70, 66), (0, 130), (130, 0), (2, 150), (3, 250)])
def test_lengths_that_differ_widely_have_the_ter_of_sacrebleu(lengths: tuple[int, int]) -> None:
    hypothesis, reference = ([str(i * i % 17) for i in range(length)] for length in lengths)
    check_ter(hypothesis, reference)


@pytest.mark.parametrize("smooth", ["none", "floor", "exp", "add-k"])
@pytest.mark.parametrize("order", [1, 2, 4, 6])
def test_tiny_corpora_are_smoothed_as_in_sacrebleu(smooth: str, order: int) -> None:
    ours = Bleu(smooth=smooth, order=order)  # type: ignore[arg-type]
    theirs = sacrebleu.BLEU(tokenize="none", smooth_method=smooth, max_ngram_order=order, force=True)
    for hypothesis in ("a b c d e f", "a b x", "x y z", "a", "", "a b c d e f g h i"):
        score = ours.score(ours.stats(hypothesis, ["a b c d e f g", "x b a"]))
        expected = theirs.corpus_score([hypothesis], [["a b c d e f g"], ["x b a"]]).score
        assert float(score) == pytest.approx(expected / 100, abs=1e-12)


HYPOTHESES = ["a b c d e f", "a b x", "x y z", "a", "", "a b c d e f g h i", "b a", "a b", "g f a b c q"]
REFERENCES = [["a b c d e f g"] * len(HYPOTHESES), ["x b a"] * len(HYPOTHESES)]


@pytest.mark.parametrize("order", [1, 4])
@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize(
    ("smooth", "value"),
    [("none", None), ("exp", None)]
    + [(method, value) for method in ("floor", "add-k") for value in (None, 0.0, 0.01, 0.5, 1.0, 2.0)],
)
def test_every_smoothing_and_value_scores_as_in_sacrebleu(
    smooth: Any, value: float | None, effective: bool, order: int
) -> None:
    chosen: Any = {"smooth_method": smooth, "smooth_value": value, "max_ngram_order": order}
    theirs = sacrebleu.BLEU(**chosen, tokenize="none", force=True, effective_order=effective)
    ours = [Bleu(smooth=smooth, smooth_value=value, order=order, sentence="none", effective_order=effective)]
    if effective and smooth != "none":
        ours.append(Bleu(sentence=smooth, smooth_value=value, order=order))
    rows = list(zip(HYPOTHESES, *REFERENCES, strict=True))
    sentences = [theirs.sentence_score(text, list(references)).score / 100 for text, *references in rows]
    for metric in ours:
        stats = metric.measure(Segments.of(HYPOTHESES, REFERENCES))
        np.testing.assert_allclose(metric.sentence_score(stats), sentences, rtol=0, atol=1e-12)
    for begin in range(len(rows)):
        for end in range(begin + 1, len(rows) + 1):
            streams = [stream[begin:end] for stream in REFERENCES]
            expected = theirs.corpus_score(HYPOTHESES[begin:end], streams).score / 100
            stats = ours[0].measure(Segments.of(HYPOTHESES[begin:end], streams)).sum(axis=0)
            assert float(ours[0].score(stats)) == pytest.approx(expected, abs=1e-12)
            assert ours[0].scorer().gain(stats[None])[0] == pytest.approx(expected, abs=1e-12)


def test_functions_of_sacrebleu_agree_with_their_options() -> None:
    """`sentence_bleu` and `corpus_bleu` themselves, with the options as users spell them."""
    reference, text = "the cat sat on the mat", "the cat mat"
    ours = Bleu(sentence="add-k", smooth_value=0.5)
    theirs = sacrebleu.sentence_bleu(
        text, [reference], smooth_method="add-k", smooth_value=0.5, tokenize="none", use_effective_order=True
    )
    assert float(ours.sentence_score(ours.stats(text, [reference]))) == pytest.approx(theirs.score / 100)
    whole = Bleu(smooth="add-k", smooth_value=0.5, effective_order=True)
    of_corpus = sacrebleu.corpus_bleu(
        [text], [[reference]], smooth_method="add-k", smooth_value=0.5, tokenize="none",
        use_effective_order=True, force=True,
    )  # fmt: skip
    assert float(whole.score(whole.stats(text, [reference]))) == pytest.approx(of_corpus.score / 100)
