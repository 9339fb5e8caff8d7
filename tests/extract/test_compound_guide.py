"""Parts of compounds are supported where their translations stand more often than by chance."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.corpus.compounds import CompoundOptions, WordCounts, WordLattices, train_splitter
from tunesmith.corpus.compounds.parts import WHOLE, PartFinder
from tunesmith.errors import InputError
from tunesmith.extract.compound_guide import LOWEST, CompoundGuide
from tunesmith.extract.lexicon import Lexicon

PAIRS = [
    ("der Garten", "the garden"),
    ("der Garten", "the garden"),
    ("der Stuhl", "the chair"),
    ("der Stuhl", "the chair"),
    ("frei", "free"),
    ("frei", "free"),
    ("der Tag", "the day"),
    ("der Tag", "the day"),
    ("Gartenstuhl", "garden chair"),
    ("Gartenstuhl", "garden chair"),
    ("Freitag", "Friday"),
    ("Freitag", "Friday"),
    ("dergarten", "the kindergarten"),
]
OPTIONS = CompoundOptions(min_length=3, min_count=2, linkers="generic")


def aligned(pairs: list[tuple[str, str]]) -> tuple[Bitext, Lexicon]:
    bitext = Bitext(Sentences.of(s for s, _ in pairs), Sentences.of(t for _, t in pairs))
    links = [[(i, min(i, len(t.split()) - 1)) for i in range(len(s.split()))] for s, t in pairs]
    return bitext, Lexicon.estimate(bitext, Alignments.of(links))


def supports(bitext: Bitext, lexicon: Lexicon, words: WordCounts) -> dict[tuple[str, str], float]:
    lattices = WordLattices.of(words.keys, PartFinder(words, OPTIONS), words.numbers)
    found = CompoundGuide(bitext, lexicon)(lattices, words)
    assert (found[lattices.linkers == WHOLE] == 1.0).all()
    rows = zip(
        lattices.owners.tolist(), lattices.parts.tolist(), lattices.linkers, found.tolist(), strict=True
    )
    return {(lattices.words[o], words.keys[p]): value for o, p, linker, value in rows if linker != WHOLE}


def test_support_is_the_share_of_translations_above_chance() -> None:
    bitext, lexicon = aligned(PAIRS)
    found = supports(bitext, lexicon, WordCounts.of(bitext.source.text(i) for i in range(len(bitext))))
    chance = 4 / 13  # "garden" is in four of the sentences; both with the compound have it
    share = (2 + chance) / 3
    assert found["gartenstuhl", "garten"] == pytest.approx((share - chance) / (1 - chance))
    assert found["freitag", "frei"] == found["freitag", "tag"] == LOWEST


def test_what_is_everywhere_supports_little() -> None:
    bitext, lexicon = aligned(PAIRS)
    found = supports(bitext, lexicon, WordCounts.of(bitext.source.text(i) for i in range(len(bitext))))
    once = found["dergarten", "der"]
    chance = 7 / 13
    assert once == pytest.approx(((1 + chance) / 2 - chance) / (1 - chance))


def test_words_that_the_bitext_does_not_have_are_not_judged() -> None:
    bitext, lexicon = aligned(PAIRS[:8])
    words = WordCounts.of([s for s, _ in PAIRS])
    assert supports(bitext, lexicon, words)["gartenstuhl", "garten"] == 1.0


def test_guidance_keeps_words_whole_whose_parts_are_not_translated() -> None:
    bitext, lexicon = aligned(PAIRS * 3 + PAIRS[:8] * 5)
    words = WordCounts.of(bitext.source.text(i) for i in range(len(bitext)))
    guided = train_splitter(words, OPTIONS, guide=CompoundGuide(bitext, lexicon))
    assert guided.split("Gartenstuhl") == ("Garten", "Stuhl")
    assert guided.split("Freitag") == ("Freitag",)
    assert guided.weights["Support"] > 0


def test_a_lexicon_of_another_text_is_refused() -> None:
    bitext, _ = aligned(PAIRS)
    _, other = aligned(PAIRS[:1])
    with pytest.raises(InputError, match="estimate it from this bitext"):
        CompoundGuide(bitext, other)


@pytest.mark.slow
def test_multi30k_keeps_baseball_whole_and_splits_what_is_translated_in_parts(shared_data: Path) -> None:
    bitext = Bitext.read(shared_data / "multi30k.train.de.xz", shared_data / "multi30k.train.en.xz")
    links = Alignments.read(shared_data / "moses" / "aligned.grow-diag-final-and.gz", bitext)
    guide = CompoundGuide(bitext, Lexicon.estimate(bitext, links))
    words = WordCounts.of(bitext.source)
    guided = train_splitter(words, guide=guide)
    assert np.isfinite(guided.supports).all()
    assert train_splitter(words).split("baseball") == ("base", "ball")
    assert guided.split("baseball") == ("baseball",)
    assert guided.split("holztisch") == ("holz", "tisch")
