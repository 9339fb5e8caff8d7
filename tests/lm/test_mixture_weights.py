"""Weights of mixtures: the optimum of the likelihood, and which words count."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from tunesmith.corpus import Sentences
from tunesmith.errors import InputError
from tunesmith.generated import generate
from tunesmith.lm import (
    LanguageModel,
    MixtureText,
    estimate,
    interpolate,
    mixture_perplexities,
    mixture_weights,
)
from tunesmith.lm.interpolate import InterpolateOptions


def trained(lines: list[str], order: int) -> LanguageModel:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lm.bin"
        estimate(Sentences.of(lines), order=order, discount_fallback=True).write_binary(path)
        return LanguageModel.open(path)


def words(text: MixtureText) -> list[str]:
    return [word for i in range(len(text.text)) for word in text.text.text(i).split()]


@pytest.fixture(scope="module")
def models() -> list[LanguageModel]:
    parts = ((1, 3, 300), (2, 2, 100), (3, 1, 30))
    return [
        trained([pair.target for pair in generate(size, seed=seed, lowercase=True)], order)
        for seed, order, size in parts
    ]


@pytest.fixture(scope="module")
def text(models: list[LanguageModel]) -> MixtureText:
    lines = [pair.target for pair in generate(80, seed=9, lowercase=True)]
    return MixtureText.score(models, [*lines, "zzz the zzz", ""])


def test_fitted_weights_are_the_optimum_that_scipy_finds(text: MixtureText) -> None:
    logs = text.contributions[~text.unknown.all(axis=1)]

    def loss(free: np.ndarray) -> float:
        weights = np.exp(free - np.logaddexp.reduce(free))
        return -float(np.logaddexp.reduce(logs + np.log(weights), axis=1).mean())

    best = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9})
    expected = np.exp(best.x - np.logaddexp.reduce(best.x))
    fit = text.fit(1e-13)
    assert fit.tokens == len(logs)
    assert sum(fit.weights) == pytest.approx(1, abs=1e-12)
    assert loss(np.log(fit.weights)) == pytest.approx(best.fun, abs=1e-9)
    assert fit.weights == pytest.approx(expected, abs=1e-4)
    assert loss(np.log(text.fit().weights)) < loss(np.zeros(3)) - 1e-3


def test_an_iteration_replaces_weights_by_mean_posteriors(text: MixtureText) -> None:
    shares = np.exp(text.contributions[~text.unknown_to_all])
    posteriors = shares / shares.sum(axis=1)[:, None]
    fit = text.fit(1e9)  # any gain but the first, which is infinite, is below this
    assert fit.iterations == 1
    assert fit.weights == pytest.approx(posteriors.mean(axis=0), rel=1e-12)


def test_words_that_a_model_lacks_get_nothing_from_it(text: MixtureText) -> None:
    some = text.unknown.any(axis=1) & ~text.unknown.all(axis=1)
    assert some.sum() > 3
    weights = (0.2, 0.3, 0.5)
    expected = np.where(text.unknown[some], 0, np.exp(text.scores[some])) @ weights
    assert np.exp(text.mixed(weights)[some]) == pytest.approx(expected, rel=1e-12)
    lost = text.unknown_to_all
    assert lost.sum() > 1
    assert np.exp(text.mixed(weights)[lost]) == pytest.approx(np.exp(text.scores[lost]) @ weights, rel=1e-12)


def test_perplexities_are_those_of_the_models_and_of_the_mixture(
    text: MixtureText, models: list[LanguageModel]
) -> None:
    weights = text.fit().weights
    written = interpolate(models, weights).language_model()
    found = mixture_perplexities(text, weights, written)
    for row, model in zip(found.alone, models, strict=True):
        alone = model.perplexity(text.text)
        assert (row.unknown, row.perplexity) == (alone.unknown, pytest.approx(alone.including_unknown))
    assert found.written.perplexity == pytest.approx(written.perplexity(text.text).including_unknown)
    lacking = sum(all(word not in model for model in models) for word in words(text))
    assert found.written.unknown == found.exact.unknown == found.unknown_to_all == lacking > 1
    assert found.common + found.unknown_to_some + found.unknown_to_all == found.tokens
    common = ~text.unknown.any(axis=1)
    mean = float(text.mixed(weights)[common].mean())
    assert found.exact.of_common_words == pytest.approx(math.exp(-mean))
    assert found.exact.of_common_words < min(row.of_common_words for row in found.alone)


def test_a_text_without_known_words_is_refused() -> None:
    scores = MixtureText(Sentences.of(["zzz"]), np.zeros((1, 2)), np.ones((1, 2), dtype=bool))
    with pytest.raises(InputError, match="no word that one of the models knows"):
        scores.fit()


def scored(probabilities: list[list[float]]) -> MixtureText:
    """Tokens that all models know, with the given probabilities: rows are tokens."""
    logs = np.log(probabilities)
    return MixtureText(Sentences.of(["a"]), logs, np.zeros(logs.shape, dtype=bool))


def test_a_useless_model_keeps_a_weight_with_which_it_can_be_mixed() -> None:
    text = scored([[0.4, 0.1, 1e-300], [0.1, 0.3, 1e-300], [0.2, 0.3, 1e-300]])
    fit = text.fit()
    assert fit.weights[2] == pytest.approx(1e-9)
    assert sum(fit.weights) == pytest.approx(1, abs=1e-15)
    assert InterpolateOptions(mixture_weights=fit.weights).mixture_weights == fit.weights
    two = scored([[0.4, 0.1], [0.1, 0.3], [0.2, 0.3]]).fit()
    assert fit.weights[:2] == pytest.approx(two.weights, rel=1e-6)


def test_a_fit_without_tolerance_ends_where_the_likelihood_stays() -> None:
    text = scored([[0.4, 0.1], [0.1, 0.3], [0.2, 0.3]])
    fit = text.fit(0)
    assert fit.converged and fit.iterations < 1000
    posteriors = np.exp(text.scores) * fit.weights / np.exp(text.mixed(fit.weights))[:, None]
    assert fit.weights == pytest.approx(posteriors.mean(axis=0), abs=1e-7)


def test_a_fit_that_reaches_the_limit_of_iterations_says_so(
    text: MixtureText, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert text.fit().converged
    monkeypatch.setattr(mixture_weights, "_MOST_ITERATIONS", 3)
    fit = text.fit()
    assert (fit.iterations, fit.converged) == (3, False)
