"""How good the alignments are: on text whose alignment is known, and beside fast_align's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tunesmith.align import Aligner, alignment_error_rate, symmetrize, train_aligner
from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.generated import generate


@pytest.fixture(scope="module")
def generated() -> tuple[Bitext, Alignments]:
    pairs = list(generate(3000, seed=1, lowercase=True))
    sides = [Sentences.of(pair.source for pair in pairs), Sentences.of(pair.references[0] for pair in pairs)]
    return Bitext(*sides), Alignments.of(pair.alignment for pair in pairs)


@pytest.fixture(scope="module")
def aligners(generated: tuple[Bitext, Alignments]) -> dict[str, Aligner]:
    return {name: train_aligner(generated[0], name) for name in ("ibm1", "diagonal", "hmm")}


@pytest.mark.slow
def test_the_error_falls_from_ibm1_to_diagonal_to_hmm(generated, aligners) -> None:
    bitext, gold = generated
    directions = {name: aligner.directions(bitext) for name, aligner in aligners.items()}
    for side in (0, 1):
        rates = [alignment_error_rate(directions[name][side], gold).aer for name in aligners]
        assert rates[0] > rates[1] > rates[2]
    joined = [alignment_error_rate(symmetrize(*directions[name]), gold).aer for name in aligners]
    assert joined[0] > joined[1] > joined[2]
    assert joined[0] < 0.2
    assert joined[2] < joined[1] - 0.01


@pytest.mark.slow
def test_a_plain_hmm_is_likelier_than_ibm1_and_better_than_the_diagonal(generated, aligners) -> None:
    bitext, gold = generated
    options = {"smoothing": "bayes", "pseudo": 0.01, "agreement": False}
    plain = train_aligner(bitext, "hmm", **options)
    for side in ("forward", "reverse"):
        last = {each.stage: getattr(each, side) for each in plain.history}
        assert last["hmm"] > last["ibm1"]
        assert last["hmm"] > getattr(aligners["ibm1"].history[-1], side)
    better = alignment_error_rate(plain.align(bitext), gold).aer
    assert better < alignment_error_rate(aligners["diagonal"].align(bitext), gold).aer


@pytest.mark.slow
def test_the_error_of_ibm4_is_below_that_of_the_hmm(generated, aligners) -> None:
    bitext, gold = generated
    found = train_aligner(bitext, "ibm4", em_iterations=1, classes=10).directions(bitext)
    for better, worse in zip(found, aligners["hmm"].directions(bitext), strict=True):
        assert alignment_error_rate(better, gold).aer < alignment_error_rate(worse, gold).aer - 0.003


def test_agreement_lowers_the_error_of_plain_counts(generated, aligners) -> None:
    bitext, gold = generated
    apart = train_aligner(bitext, "hmm", agreement=False)
    error = alignment_error_rate(apart.align(bitext), gold).aer
    assert alignment_error_rate(aligners["hmm"].align(bitext), gold).aer < error


def test_the_hmm_agrees_with_the_diagonal_model_on_most_links(generated, aligners) -> None:
    bitext, _ = generated
    links = [aligners[name].align(bitext) for name in ("hmm", "diagonal")]
    assert 0.7 < 1 - alignment_error_rate(*links).aer < 0.99


@pytest.mark.slow
def test_the_diagonal_model_aligns_as_fast_align(shared_data: Path) -> None:
    bitext = Bitext.read(shared_data / "multi30k.train.de.xz", shared_data / "multi30k.train.en.xz")
    aligner = train_aligner(bitext, "diagonal")
    directions = aligner.directions(bitext)
    for found, name in zip(directions, ("fwd", "rev"), strict=True):
        peer = Alignments.read(shared_data / "moses" / f"fast_align.{name}.gz")
        # Without gold to speak of, one less the error rate is the F1 of agreement.
        assert 1 - alignment_error_rate(found, peer).aer > 0.99
    peer = Alignments.read(shared_data / "moses" / "aligned.grow-diag-final-and.gz")
    assert 1 - alignment_error_rate(symmetrize(*directions), peer).aer > 0.99
