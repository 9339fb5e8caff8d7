"""Forests of events against all derivations of short sentences, one by one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.decode import tiny
from tests.xbleu.made_forests import derivations_of, made_forests
from tests.xbleu.made_lists import expected_events, made_lists

from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.settings import MOST, SearchOptions
from tunesmith.errors import InputError
from tunesmith.metrics import Bleu
from tunesmith.model import Model

WIDE = SearchOptions(pop_limit=0, stack_size=MOST, distortion_limit=-1)
SENTENCES = ["a b c d", "d d", "a W b", "b"]
REFERENCE = "W X Y X W X Y"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return Model.open(tiny.write_model(tmp_path_factory.mktemp("forests") / "moses", seed=5))


@pytest.fixture(scope="module")
def decoder(model: Model) -> PhraseDecoder:
    return PhraseDecoder(model, None, WIDE)


def matches_in(words: list[str], reference: str) -> tuple[int, ...]:
    """Count the n-grams that a reference has, as often as they occur."""
    known, found = reference.split(), []
    for n in range(1, 5):
        ngrams = {tuple(known[i : i + n]) for i in range(len(known) - n + 1)}
        found.append(sum(tuple(words[i : i + n]) in ngrams for i in range(len(words) - n + 1)))
    return tuple(found)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_forest_has_every_derivation_with_its_events_matches_and_score(
    sentence: str, decoder: PhraseDecoder, tmp_path: Path
) -> None:
    every = list(tiny.derivations(decoder, sentence))
    file, counts = made_forests(decoder, [sentence], [REFERENCE], tmp_path / "forests")
    found = derivations_of(file, 0)
    assert counts == (0, 0, int(len(every) == 1))
    assert len(found) == len(every)
    assert file.log_derivations()[0] == pytest.approx(np.log(len(every)), abs=1e-9)
    wanted = {expected_events(decoder, sentence, phrases): phrases for phrases in every}
    assert {tuple(sorted(each.events)) for each in found} == set(wanted)
    for each in found:
        phrases = wanted[tuple(sorted(each.events))]
        assert each.score == pytest.approx(tiny.score(decoder, sentence, phrases), abs=1e-4)
        assert each.words == " ".join(target for *_, target in phrases).split()
        assert each.matches == matches_in(each.words, REFERENCE)


def test_forests_without_blocks_are_smaller_and_have_the_same_orientations(
    decoder: PhraseDecoder, tmp_path: Path
) -> None:
    files = [
        made_forests(decoder, SENTENCES, [REFERENCE] * 4, tmp_path / str(blocks), blocks=blocks)[0]
        for blocks in (True, False)
    ]
    for number in range(len(SENTENCES)):
        with_blocks, without = (derivations_of(file, number) for file in files)
        wanted, found = (
            Counter(
                (*((e.begin, e.end, e.target, e.orientation) for e in each.events), *each.matches)
                for each in of
            )
            for of in (with_blocks, without)
        )
        assert found == wanted
        assert all(
            e.block == (0, 0) and e.block_first is e.block_last is None
            for each in without
            for e in each.events
        )
    assert files[1].node_count < files[0].node_count
    assert files[1].event_count < files[0].event_count


def test_a_pruned_forest_keeps_the_derivations_with_the_best_edges(
    decoder: PhraseDecoder, tmp_path: Path
) -> None:
    (whole, _), (pruned, _) = (
        made_forests(decoder, SENTENCES, [REFERENCE] * 4, tmp_path / str(density), density=density)
        for density in (10_000, 6)
    )
    for number, sentence in enumerate(SENTENCES):
        every, kept = (
            {each.events: each.score for each in derivations_of(file, number)} for file in (whole, pruned)
        )
        best = max(every, key=every.__getitem__)
        assert best in kept
        assert kept.items() <= every.items()
        edges = len(pruned.forest(number)[1])
        assert edges <= max(6 * len(sentence.split()), len(best) + 2)
    assert len(derivations_of(pruned, 0)) < len(derivations_of(whole, 0))


def test_best_statistics_are_those_of_the_first_translation(decoder: PhraseDecoder, tmp_path: Path) -> None:
    references = [REFERENCE, "Z Z", "W W", "none of these"]
    file, _ = made_forests(decoder, SENTENCES, references, tmp_path / "forests", density=20)
    lists, _ = made_lists(decoder, SENTENCES, references, tmp_path / "lists", nbest=2)
    firsts = lists.statistics[lists.scores[0][:-1].astype(np.int64)]
    np.testing.assert_array_equal(file.best_statistics(), firsts)
    texts = [each.text for each in decoder.translate_all(SENTENCES)]
    stats = [Bleu().stats(text, [reference]) for text, reference in zip(texts, references, strict=True)]
    np.testing.assert_array_equal(file.best_statistics(), stats)


def test_threads_do_not_change_a_file(model: Model, tmp_path: Path) -> None:
    decoder = PhraseDecoder(model, None, SearchOptions(pop_limit=20))
    for threads in (1, 3):
        path = tmp_path / str(threads)
        made_forests(decoder, SENTENCES * 4, [REFERENCE] * 16, path, density=9, threads=threads)
    assert (tmp_path / "1").read_bytes() == (tmp_path / "3").read_bytes()


def test_sides_of_different_lengths_are_refused(decoder: PhraseDecoder, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="2 sentences have 1 references"):
        made_forests(decoder, ["a", "b"], ["W"], tmp_path / "forests")
