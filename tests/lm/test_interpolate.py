"""Mixtures of language models: their n-grams by brute force, their sums, their text, and KenLM's reading."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import kenlm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.damaged_containers import section_mutations
from tests.lm.backoff_models import LN10, BackoffModel, Ngram, backoff_models
from tests.lm.kneser_ney import read_arpa

from tunesmith.corpus import Sentences
from tunesmith.errors import InputError, OptionError
from tunesmith.generated import generate
from tunesmith.lm import LanguageModel, MixtureText, compile_lm, estimate, interpolate

WEIGHTS = (0.5, 0.3, 0.2)


def probability(models: list[BackoffModel], weights: tuple[float, ...], words: Ngram) -> float:
    """The mixture by its definition: nothing from models without the word; contexts in each one's words."""
    *context, word = words
    return sum(
        weight * 10 ** model.probability(tuple(c if (c,) in model.ngrams else "<unk>" for c in context), word)
        for model, weight in zip(models, weights, strict=True)
        if (word,) in model.ngrams
    )


def backoff(stored: dict[Ngram, float], context: Ngram) -> float:
    """log10 of the mass that the words after a context leave, over what they leave in a shorter one."""
    after = [ngram for ngram in stored if ngram[:-1] == context and ngram[-1] != "<s>"]
    left, shorter = (1 - sum(stored[ngram[skip:]] for ngram in after) for skip in (0, 1))
    return 0.0 if not after or (left > 0 >= shorter) else -99.0 if left <= 0 else math.log10(left / shorter)


def mixed_ngrams(models: list[BackoffModel], weights: tuple[float, ...]) -> dict:
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(number) for number in range(len(models))]
        for folder in folders:
            folder.mkdir()
        opened = [model.compile(folder) for model, folder in zip(models, folders, strict=True)]
        interpolate(opened, weights).write_arpa(Path(name) / "mixed.arpa")
        return read_arpa(Path(name) / "mixed.arpa")


@settings(max_examples=25)
@given(st.lists(backoff_models(), min_size=2, max_size=3), st.data())
def test_every_ngram_has_the_mixed_probability_and_the_backoff_that_normalizes(
    models: list[BackoffModel], data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, 9)) / 10
    weights = (first, *[(1 - first) / (len(models) - 1)] * (len(models) - 1))
    found = mixed_ngrams(models, weights)
    assert found.keys() == set.union(*(model.closed() for model in models))
    stored = {ngram: probability(models, weights, ngram) for ngram in found}
    for ngram, (log10, log10_backoff) in found.items():
        assert log10 == pytest.approx(math.log10(stored[ngram]), abs=1e-5), ngram
        left = 1 - sum(p for other, p in stored.items() if other[:-1] == ngram and other[-1] != "<s>")
        if log10_backoff is not None and abs(left) > 1e-5:
            assert log10_backoff == pytest.approx(backoff(stored, ngram), abs=1e-3), ngram


def test_a_model_sees_unknown_words_of_a_context_as_its_own_unknown_word() -> None:
    marks = {("<s>",): (-9.0, 0.0), ("</s>",): (-1.0, 0.0), ("<unk>",): (-2.0, -0.5)}
    models = [
        BackoffModel(2, {**marks, ("a",): (-1.5, 0.0), ("<unk>", "a"): (-0.25, 0.0)}),
        BackoffModel(2, {**marks, ("a",): (-1.0, 0.0), ("b",): (-1.0, -0.125), ("b", "a"): (-0.75, 0.0)}),
    ]
    found = mixed_ngrams(models, (0.5, 0.5))
    assert 10 ** found["b", "a"][0] == pytest.approx((10**-0.25 + 10**-0.75) / 2, rel=1e-5)
    assert 10 ** found["<unk>", "a"][0] == pytest.approx((10**-0.25 + 10 ** (-0.5 - 1.0)) / 2, rel=1e-5)
    assert 10 ** found["b",][0] == pytest.approx(10**-1.0 / 2, rel=1e-5)  # nothing from the first


def test_a_mixture_of_a_model_with_itself_is_the_model(folder: Path) -> None:
    interpolate([LanguageModel.open(folder / "a.bin")] * 2, (0.5, 0.5)).write_arpa(folder / "same.arpa")
    expected = read_arpa(folder / "a.arpa")
    found = read_arpa(folder / "same.arpa")
    assert found.keys() == expected.keys()
    for ngram, (log10, log10_backoff) in expected.items():
        assert found[ngram][0] == pytest.approx(log10, abs=2e-6), ngram
        if log10_backoff:
            assert found[ngram][1] == pytest.approx(log10_backoff, abs=1e-3), ngram


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three models of different orders and vocabularies, as text and mapped, and their mixture."""
    made = tmp_path_factory.mktemp("mixture")
    for name, seed, order, size in (("a", 1, 4, 400), ("b", 2, 3, 150), ("c", 3, 2, 40)):
        lines = [pair.target for pair in generate(size, seed=seed, lowercase=True)]
        model = estimate(Sentences.of(lines), order=order, discount_fallback=True)
        model.write_arpa(made / f"{name}.arpa")
        model.write_binary(made / f"{name}.bin")
    mixture = interpolate(opened(made), WEIGHTS)
    mixture.write_arpa(made / "mixed.arpa")
    mixture.write_binary(made / "mixed.bin")
    return made


def opened(folder: Path, suffix: str = "bin") -> list[LanguageModel]:
    return [LanguageModel.open(folder / f"{name}.{suffix}") for name in "abc"]


@pytest.fixture(scope="module")
def text() -> Sentences:
    lines = [pair.target for pair in generate(60, seed=9, lowercase=True)]
    return Sentences.of([*lines, "zzz the zzz", ""])


def test_every_context_sums_to_one(folder: Path) -> None:
    native = LanguageModel.open(folder / "mixed.bin").native
    numbers = {word: native.find(word) for word in LanguageModel.open(folder / "mixed.bin").vocabulary}
    events = [number for word, number in numbers.items() if word != "<s>"]
    contexts = {ngram for ngram in read_arpa(folder / "mixed.arpa") if len(ngram) < 4 and "</s>" not in ngram}
    chosen = [*sorted(contexts)[::40], (), ("<s>",), ("<unk>", "the"), ("the", "the", "the")]
    assert len(chosen) > 30
    for context in chosen:
        state = native.empty_state()
        for word in context:
            _, state = native.score(state, numbers[word])
        total = sum(math.exp(native.score(state, word)[0]) for word in events)
        assert total == pytest.approx(1, abs=1e-5), context


def test_kenlm_reads_the_text_and_gives_the_same_scores(folder: Path, text: Sentences) -> None:
    peer, ours = kenlm.Model(str(folder / "mixed.arpa")), LanguageModel.open(folder / "mixed.bin")
    found = ours.score_text(text)
    expected = [word for i in range(len(text)) for word in peer.full_scores(text.text(i))]
    assert np.abs(found.scores / LN10 - [word[0] for word in expected]).max() < 1e-5
    assert found.orders.tolist() == [word[1] for word in expected]
    assert found.unknown.tolist() == [word[2] for word in expected]


def test_the_binary_is_the_one_that_compiling_the_text_gives(folder: Path) -> None:
    compile_lm(folder / "mixed.arpa", folder / "compiled.bin")
    assert (folder / "compiled.bin").read_bytes() == (folder / "mixed.bin").read_bytes()


def test_a_mapped_model_is_written_as_the_text_it_was_compiled_from(folder: Path) -> None:
    LanguageModel.open(folder / "mixed.bin").write_arpa(folder / "unhashed.arpa")
    found, expected = (read_arpa(folder / name) for name in ("unhashed.arpa", "mixed.arpa"))
    assert found.keys() == expected.keys()
    for ngram, (log10, log10_backoff) in expected.items():
        assert found[ngram][0] == pytest.approx(log10, abs=2e-6), ngram
        assert found[ngram][1] == pytest.approx(log10_backoff, abs=2e-6), ngram


def test_neither_threads_nor_the_form_of_the_models_change_the_mixture(folder: Path) -> None:
    expected = (folder / "mixed.bin").read_bytes()
    for models, threads in ((opened(folder), 1), (opened(folder, "arpa"), 3)):
        interpolate(models, WEIGHTS, threads=threads).write_binary(folder / "again.bin")
        assert (folder / "again.bin").read_bytes() == expected


def test_stored_ngrams_score_as_the_exact_mixture(folder: Path, text: Sentences) -> None:
    written = LanguageModel.open(folder / "mixed.bin").score_text(text)
    exact = MixtureText.score(opened(folder), text).mixed(WEIGHTS)
    before = np.concatenate([np.arange(1, size + 1) for size in np.diff(written.offsets)])  # with <s>
    whole = written.orders == np.minimum(before + 1, 4)
    assert 0.1 < whole.mean() < 1
    assert np.abs(written.scores - exact)[whole].max() < 1e-5
    assert np.abs(written.scores - exact)[~whole].max() > 1e-3


def test_damaged_models_are_refused_or_mixed_but_never_crash(folder: Path) -> None:
    whole = (folder / "c.bin").read_bytes()
    intact = LanguageModel.open(folder / "b.bin")
    refused = 0
    for number, (_, content) in enumerate(section_mutations(whole, 150)):
        (folder / f"damaged.{number}").write_bytes(content)
        try:
            damaged = LanguageModel.open(folder / f"damaged.{number}")
            interpolate([intact, damaged], (0.5, 0.5)).write_arpa(folder / "damaged.arpa")
        except InputError:
            refused += 1
    assert 20 < refused < 150


@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.5, 0.5, 0.5), (1.0, 0.0, 0.0), (0.7, 0.5, -0.2)])
def test_weights_that_do_not_sum_to_one_or_leave_out_a_model_are_refused(
    folder: Path, weights: tuple[float, ...]
) -> None:
    with pytest.raises(OptionError, match="weights"):
        interpolate(opened(folder), weights)


def test_class_based_models_are_refused_with_what_to_do(folder: Path) -> None:
    (folder / "classes").write_text("dog\tthe\n")
    by_class = LanguageModel.open(folder / "b.bin", class_file=folder / "classes")
    with pytest.raises(InputError, match="language model 2 is class-based: interpolate ARPA files"):
        interpolate([LanguageModel.open(folder / "a.bin"), by_class], (0.5, 0.5))
