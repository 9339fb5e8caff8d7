"""IBM model 4 against its definition: climbing, posteriors, counts, files."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.align.brute_ibm4 import BruteIbm4, estimated_distortions, estimated_fertilities
from tests.align.test_em import TEXT, bitext, random_text, words

from tunesmith.align import Aligner, train_aligner
from tunesmith.align.model import get_model
from tunesmith.errors import InputError, OptionError

CLASSES = 3
TEXTS = TEXT[:3] + random_text(7, 40)
OPTIONS = {"classes": CLASSES, "null": 0.15, "ibm1": 2, "hmm": 2}


@pytest.fixture(scope="module")
def aligner() -> Aligner:
    return train_aligner(bitext(TEXTS), "ibm4", em_iterations=1, agreement=False, pseudo=0.1, **OPTIONS)


def brute(aligner: Aligner, source: list[str], target: list[str], *, reverse: bool) -> BruteIbm4:
    making, made = (target, source) if reverse else (source, target)
    making_words, made_words = (
        (aligner.target, aligner.source) if reverse else (aligner.source, aligner.target)
    )
    nulls = aligner.table.null_reverse() if reverse else aligner.table.null_forward()
    sides = ("target", "source") if reverse else ("source", "target")
    classes = [aligner.parameters[f"classes.{side}"].astype(int) for side in sides]
    name = "reverse" if reverse else "forward"
    lexical = [
        [
            float(nulls[made_words.find(f)]),
            *(aligner.probability(*((f, e) if reverse else (e, f)))[int(reverse)] for e in making),
        ]
        for f in made
    ]
    return BruteIbm4(
        lexical,
        [making_words.find(e) for e in making],
        [classes[0][making_words.find(e)] for e in making],
        [classes[1][made_words.find(f)] for f in made],
        CLASSES,
        aligner.parameters[f"distortion.{name}"],
        aligner.parameters[f"fertility.{name}"],
        aligner.model.null,
    )


def found_alignments(aligner: Aligner, *, reverse: bool) -> list[tuple[int, ...]]:
    links = aligner.directions(bitext(TEXTS))[int(reverse)]
    found = []
    for row, (source, target) in enumerate(words(TEXTS)):
        alignment = [-1] * len(source if reverse else target)
        for i, j in links[row]:
            alignment[i if reverse else j] = j if reverse else i
        found.append(tuple(alignment))
    return found


@pytest.mark.parametrize("reverse", [False, True])
def test_climbing_ends_where_no_neighbor_is_likelier(aligner: Aligner, reverse: bool) -> None:
    for found, (source, target) in zip(found_alignments(aligner, reverse=reverse), words(TEXTS), strict=True):
        model = brute(aligner, source, target, reverse=reverse)
        best = max(map(model.probability, model.neighbors(found)), default=0.0)
        assert model.probability(found) > 0
        assert model.probability(found) >= best * (1 - 1e-4)


@pytest.mark.parametrize("reverse", [False, True])
def test_posteriors_are_those_over_the_neighborhood(aligner: Aligner, reverse: bool) -> None:
    matrices = aligner.posteriors(bitext(TEXTS), "reverse" if reverse else "forward")
    centers = found_alignments(aligner, reverse=reverse)
    for matrix, center, (source, target) in zip(matrices, centers, words(TEXTS), strict=True):
        expected = np.zeros(matrix.shape)
        posterior = brute(aligner, source, target, reverse=reverse).posterior(center)
        for alignment, share in posterior.items():
            for word, position in enumerate(alignment):
                if position >= 0:
                    expected[(word, position) if reverse else (position, word)] += share
        assert matrix == pytest.approx(expected, rel=1e-3, abs=1e-5)


@pytest.mark.parametrize("reverse", [False, True])
def test_an_iteration_estimates_from_counts_over_the_neighborhoods(aligner: Aligner, reverse: bool) -> None:
    after = train_aligner(bitext(TEXTS), "ibm4", em_iterations=2, agreement=False, pseudo=0.1, **OPTIONS)
    distortions: Counter[int] = Counter()
    fertilities: Counter[int] = Counter()
    centers = found_alignments(aligner, reverse=reverse)
    likelihood = 0.0
    for center, (source, target) in zip(centers, words(TEXTS), strict=True):
        model = brute(aligner, source, target, reverse=reverse)
        likelihood += np.log(sum(map(model.probability, {center, *model.neighbors(center)})))
        for alignment, share in model.posterior(center).items():
            for number in model.placed(alignment):
                distortions[number] += share
            for number in model.fertile(alignment):
                fertilities[number] += share
    name = "reverse" if reverse else "forward"
    making = aligner.target if reverse else aligner.source
    expected = estimated_distortions(distortions, CLASSES)
    assert after.parameters[f"distortion.{name}"] == pytest.approx(expected, rel=1e-4, abs=1e-4)
    expected = estimated_fertilities(fertilities, len(making))
    assert after.parameters[f"fertility.{name}"] == pytest.approx(expected, rel=1e-4, abs=1e-4)
    assert getattr(after.history[-1], name) == pytest.approx(likelihood, rel=1e-4)


def test_results_are_the_same_for_any_number_of_threads_and_after_saving(tmp_path) -> None:
    text = bitext(TEXTS)
    one, three = (train_aligner(text, "ibm4", threads=threads, **OPTIONS) for threads in (1, 3))
    assert one.history == three.history
    assert one.align(text).lines() == three.align(text, threads=2).lines()
    one.save(tmp_path / "aligner.bin")
    opened = Aligner.open(tmp_path / "aligner.bin")
    assert opened.align(text).lines() == one.align(text).lines()
    unseen = bitext([("haus neu", "the new house"), ("", "a"), ("x " * 300, "y z")])
    assert len(opened.align(unseen)) == 3


def test_training_goes_on_from_a_trained_hmm_to_the_same_result(tmp_path) -> None:
    text = bitext(TEXTS)
    alone = train_aligner(text, "ibm4", **OPTIONS)
    hmm = train_aligner(text, "hmm", em_iterations=OPTIONS["hmm"], null=OPTIONS["null"], ibm1=OPTIONS["ibm1"])
    hmm.save(tmp_path / "hmm.bin")
    before = hmm.align(text).lines()
    for start in (hmm, Aligner.open(tmp_path / "hmm.bin")):
        train_aligner(text, "ibm4", start=start, **OPTIONS).save(tmp_path / "joined.bin")
        alone.save(tmp_path / "alone.bin")
        assert (tmp_path / "joined.bin").read_bytes() == (tmp_path / "alone.bin").read_bytes()
    assert hmm.align(text).lines() == before  # it was not trained on


def test_the_default_hmm_is_what_the_default_model_goes_on_from() -> None:
    assert get_model("ibm4").predecessor == get_model("hmm")


def test_training_goes_on_only_from_the_predecessor_trained_on_the_same_text() -> None:
    text = bitext(TEXTS)
    hmm, diagonal = train_aligner(text, "hmm"), train_aligner(text, "diagonal")
    with pytest.raises(
        OptionError, match=r"ibm4: training cannot go on from Diagonal.*give an aligner of Hmm"
    ):
        train_aligner(text, "ibm4", start=diagonal)
    with pytest.raises(OptionError, match=r"ibm4: start must be an aligner, such as .* returns, not 'hmm'"):
        train_aligner(text, "ibm4", start="hmm")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="ibm4: training cannot go on from Hmm"):
        train_aligner(text, "ibm4", start=hmm, hmm=2)
    with pytest.raises(OptionError, match="starts from uniform probabilities; omit start"):
        train_aligner(text, "diagonal", start=hmm)
    with pytest.raises(InputError, match="trained on other text"):
        train_aligner(bitext(TEXTS[1:]), "ibm4", start=hmm)
    words = [("a b", "x y"), ("b a", "y x")]
    start = train_aligner(bitext(words), "hmm")
    with pytest.raises(InputError, match="word pairs of other text"):
        train_aligner(bitext([("a", "x"), ("b", "y")]), "ibm4", start=start)


def test_bad_options_are_refused() -> None:
    for options, message in (({"classes": 0}, "classes"), ({"null": 1.0}, "null"), ({"hmm": 0}, "hmm")):
        with pytest.raises(OptionError, match=message):
            train_aligner(bitext(), "ibm4", **options)
