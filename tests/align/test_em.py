"""EM of the native models against models that are written down as they are defined."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from tests.align.brute_force import BruteHmm, diagonal_prior, even_prior, mixture_em

from tunesmith.align import Aligner, train_aligner
from tunesmith.corpus import Bitext, Sentences

TEXT = [
    ("das haus", "the house"),
    ("das buch", "the book"),
    ("ein buch", "a book"),
    ("das kleine haus ist alt", "the small house is old"),
    ("alt ist ein kleine buch", "a small book is old"),
    ("haus", "the the house"),
]
PLAIN = {"smoothing": "additive", "pseudo": 0.0, "agreement": False}


def bitext(pairs=TEXT) -> Bitext:
    return Bitext(Sentences.of(s for s, _ in pairs), Sentences.of(t for _, t in pairs))


def words(pairs=TEXT):
    return [(s.split(), t.split()) for s, t in pairs]


def random_text(seed: int, pairs: int) -> list[tuple[str, str]]:
    draw = random.Random(seed)
    return [
        (
            " ".join(draw.choice("abcde") for _ in range(draw.randint(1, 4))),
            " ".join(draw.choice("vwxyz") for _ in range(draw.randint(1, 4))),
        )
        for _ in range(pairs)
    ]


@pytest.mark.parametrize(
    ("model", "options", "prior", "bayes"),
    [
        ("ibm1", PLAIN, even_prior, None),
        ("ibm1", {"smoothing": "bayes", "pseudo": 0.3}, even_prior, 0.3),
        ("diagonal", PLAIN | {"gradient": "none"}, diagonal_prior(4.0, 0.08), None),
        ("diagonal", {"pseudo": 0.01, "gradient": "none", "tension": 7.0}, diagonal_prior(7.0, 0.08), 0.01),
    ],
)
def test_tables_and_likelihoods_are_those_of_the_definition(model, options, prior, bayes) -> None:
    text = TEXT + random_text(3, 12)
    aligner = train_aligner(bitext(text), model, em_iterations=4, **options)
    forward, forward_likelihoods = mixture_em(words(text), prior, 4, bayes)
    reverse, reverse_likelihoods = mixture_em([(t, s) for s, t in words(text)], prior, 4, bayes)
    assert [each.forward for each in aligner.history] == pytest.approx(forward_likelihoods, rel=1e-5)
    assert [each.reverse for each in aligner.history] == pytest.approx(reverse_likelihoods, rel=1e-5)
    for (e, f), probability in forward.items():
        if e is None:
            found = aligner.table.null_forward()[aligner.target.find(f)]
            assert found == pytest.approx(probability, rel=1e-3, abs=1e-6)
        else:
            there, back = aligner.probability(e, f)
            assert there == pytest.approx(probability, rel=1e-3, abs=1e-6)
            assert back == pytest.approx(reverse[f, e], rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("model", ["ibm1", "diagonal", "hmm"])
def test_the_likelihood_never_falls_without_smoothing(model) -> None:
    text = TEXT + random_text(5, 60)
    options = {"gradient": "none"} if model == "diagonal" else {}
    aligner = train_aligner(bitext(text), model, em_iterations=12, **PLAIN, **options)
    for side in ("forward", "reverse"):
        values = [getattr(each, side) for each in aligner.history if each.stage == model]
        assert len(values) == 12
        assert all(after >= before - 1e-4 for before, after in itertools.pairwise(values))
        assert values[-1] > values[0] + 1


def test_the_likelihood_gradient_of_the_tension_raises_the_likelihood() -> None:
    text = bitext(TEXT + random_text(6, 60))
    options = PLAIN | {"em_iterations": 8}
    free = train_aligner(text, "diagonal", gradient="likelihood", **options)
    fixed = train_aligner(text, "diagonal", gradient="none", **options)
    assert free.parameters["tension"].tolist() != fixed.parameters["tension"].tolist()
    assert free.history[-1].forward > fixed.history[-1].forward
    assert free.history[-1].reverse > fixed.history[-1].reverse


def brute(aligner: Aligner, source: list[str], target: list[str], *, reverse: bool) -> BruteHmm:
    """The HMM of one direction of a trained aligner, over all paths."""
    making, made = (target, source) if reverse else (source, target)
    vocabulary, null = (
        (aligner.source, aligner.table.null_reverse())
        if reverse
        else (aligner.target, aligner.table.null_forward())
    )
    emissions = [
        [aligner.probability(*((f, e) if reverse else (e, f)))[int(reverse)] for e in making] for f in made
    ]
    none = [float(null[vocabulary.find(f)]) for f in made]
    jumps = aligner.parameters["jumps.reverse" if reverse else "jumps.forward"]
    return BruteHmm(emissions, none, jumps, aligner.model.null)


@pytest.mark.parametrize("reverse", [False, True])
def test_hmm_posteriors_and_best_paths_are_those_of_all_paths(reverse: bool) -> None:
    text = TEXT[:3] + random_text(7, 25)
    aligner = train_aligner(bitext(text), "hmm", em_iterations=2, null=0.15, **PLAIN)
    posteriors = aligner.posteriors(bitext(text), "reverse" if reverse else "forward")
    links = aligner.directions(bitext(text))[int(reverse)]
    for row, (source, target) in enumerate(words(text)):
        hmm = brute(aligner, source, target, reverse=reverse)
        for i, j in np.ndindex(len(source), len(target)):
            expected = hmm.posterior(*((i, j) if reverse else (j, i)))
            assert posteriors[row][i, j] == pytest.approx(expected, rel=1e-3, abs=1e-5)
        path = [-1] * hmm.m
        for i, j in links[row]:
            path[i if reverse else j] = j if reverse else i
        assert hmm.paths[tuple(path)] == pytest.approx(hmm.paths[hmm.best], rel=1e-4)


def test_the_hmm_likelihood_is_the_sum_over_all_paths() -> None:
    text = TEXT[:3] + random_text(8, 25)
    before = train_aligner(bitext(text), "hmm", em_iterations=2, **PLAIN)
    after = train_aligner(bitext(text), "hmm", em_iterations=3, **PLAIN)
    for side in ("forward", "reverse"):
        expected = sum(
            math.log(brute(before, s, t, reverse=side == "reverse").likelihood) for s, t in words(text)
        )
        assert getattr(after.history[-1], side) == pytest.approx(expected, rel=1e-5)
