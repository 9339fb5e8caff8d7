"""The chart decoder beside Moses' on Multi30k: features, translations and search."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.decode.test_replay_moses import named

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import ChartOptions
from tunesmith.decode.translation import Translation
from tunesmith.files import read_lines
from tunesmith.forest import derivations

MOSES_200, MOSES_1000 = -40.41207, -40.41147
"""Average best scores of moses_chart at pop limits 200 and 1000, from the notes to the shared data."""
PATIENCE = 300
"""Derivations of one string that are looked at, best first, for the one that Moses had."""


@dataclass(frozen=True)
class Entry:
    """A line of an n-best list."""

    sentence: int
    text: str
    features: dict[str, float]
    total: float

    def is_of(self, features: dict[str, float]) -> bool:
        """Tell whether these are its features; Moses prints six digits."""
        return all(abs(features.get(name, 0.0) - value) < 1e-3 for name, value in self.features.items())


def nbest(shared_data: Path, pop_limit: int, first: int) -> list[Entry]:
    """Read the first entries of each sentence."""
    found: dict[int, list[Entry]] = {}
    path = shared_data / "moses-hiero" / f"test_2016.first200.cp{pop_limit}.nbest100.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            number, text, features, total, *_ = (field.strip() for field in line.split("|||"))
            entries = found.setdefault(int(number), [])
            if len(entries) < first:
                entries.append(Entry(int(number), text, named(features), float(total)))
    return [entry for entries in found.values() for entry in entries]


@pytest.fixture(scope="module")
def sources(shared_data: Path) -> list[str]:
    return read_lines(shared_data / "multi30k.test_2016.de.xz")[:200]


@pytest.fixture(scope="module")
def decoder(moses_hiero: Path) -> ChartDecoder:
    return ChartDecoder.open(moses_hiero)


@pytest.fixture(scope="module")
def translated(decoder: ChartDecoder, sources: list[str]) -> list[Translation]:
    """All sentences, at the usual pop limit of 200."""
    return list(decoder.translate_all(sources))


def check_entries(entries: list[Entry], sources: list[str], decoder: ChartDecoder) -> None:
    """Force the decoder to Moses' translations, and look for Moses' derivations among its own."""
    requests = [Request(sources[entry.sentence], target=entry.text) for entry in entries]
    found = decoder.translate_all(requests, forest=True)
    for entry, translation in zip(entries, found, strict=True):
        assert translation.text == entry.text
        assert translation.forest is not None
        stream = derivations(translation.forest, decoder.weights)
        same = next(
            (each for _, each in zip(range(PATIENCE), stream, strict=False) if entry.is_of(each.features)),
            None,
        )
        assert same is not None, f"{entry.text!r} of sentence {entry.sentence}"
        assert same.text == entry.text
        assert same.score == pytest.approx(entry.total, abs=2e-3)
        assert translation.score >= entry.total - 2e-3


@pytest.mark.slow
def test_the_best_derivations_of_moses_are_in_our_forests(
    shared_data: Path, sources: list[str], decoder: ChartDecoder
):
    entries = nbest(shared_data, 1000, 1)
    assert len(entries) == len(sources)
    check_entries(entries[::2], sources, decoder)


@pytest.mark.slow
@pytest.mark.parametrize(("pop_limit", "rest"), [(200, 0), (1000, 1)])
def test_the_five_best_derivations_of_moses_are_in_our_forests(
    shared_data: Path, sources: list[str], decoder: ChartDecoder, pop_limit: int, rest: int
):
    """Each list is checked for one half of the sentences, as all of both would take too long."""
    entries = [entry for entry in nbest(shared_data, pop_limit, 5) if entry.sentence % 2 == rest]
    assert len({entry.sentence for entry in entries}) == len(sources) // 2
    check_entries(entries, sources, decoder)


@pytest.mark.slow
def test_few_pops_find_better_translations_than_moses_with_many(
    shared_data: Path, decoder: ChartDecoder, translated: list[Translation]
):
    scores = [each.score for each in translated]
    assert sum(scores) / len(scores) >= MOSES_200
    theirs = {entry.sentence: entry.total for entry in nbest(shared_data, 200, 1)}
    worse = [number for number, score in enumerate(scores) if score < theirs[number] - 1e-3]
    assert len(worse) <= 2
    for each in translated:
        total = sum(decoder.weights[name] * value for name, value in each.features.items())
        assert each.score == pytest.approx(total, abs=1e-3)


@pytest.mark.slow
def test_more_pops_find_no_worse_ones(
    shared_data: Path, sources: list[str], moses_hiero: Path, translated: list[Translation]
):
    decoder = ChartDecoder.open(moses_hiero, options=ChartOptions(pop_limit=1000))
    few = [each.score for each in translated]
    many = [each.score for each in decoder.translate_all(sources)]
    assert sum(many) / len(many) >= max(sum(few) / len(few), MOSES_1000)
    theirs = {entry.sentence: entry.total for entry in nbest(shared_data, 1000, 1)}
    assert all(score >= theirs[number] - 2e-3 for number, score in enumerate(many))
