"""Forced decoding against brute force, and its stages."""

from __future__ import annotations

import lzma
import time
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import pytest
from tests.decode.brute_force import BruteForce

from tunesmith.corpus import Bitext, Sentences
from tunesmith.decode.constraints import Relaxation
from tunesmith.decode.forced import STAGES, ForcedOptions, Reached, forced_decode
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.request import Request
from tunesmith.decode.settings import SearchOptions
from tunesmith.errors import InputError, OptionError

WIDE = SearchOptions(0, 1 << 20, distortion_limit=-1, early_discard=False, table_limit=0)
"""All hypotheses are kept: the search is exact."""
LIMITED = SearchOptions(0, 1 << 20, distortion_limit=2, early_discard=False, table_limit=0)


@pytest.fixture(scope="module")
def decoder(small_model: Path) -> PhraseDecoder:
    return PhraseDecoder.open(small_model)


@pytest.fixture(scope="module")
def pairs(small_corpus: Path) -> list[tuple[str, str]]:
    sides = ((small_corpus / name).read_text(encoding="utf-8").splitlines() for name in ("de", "en"))
    return list(zip(*sides, strict=True))


def short(pairs: list[tuple[str, str]], words: int, number: int) -> list[tuple[str, str]]:
    """Short pairs, and pairs whose target is another's: some of them cannot be reached."""
    chosen = list(islice((pair for pair in pairs if len(pair[0].split()) <= words), number))
    return chosen + [(a[0], b[1]) for a, b in pairwise(chosen)]


@pytest.mark.parametrize(("options", "limit"), [(WIDE, None), (LIMITED, 2)])
def test_the_best_derivation_of_the_target_is_found_and_all_others_are_in_the_forest(
    decoder, pairs, options, limit
):
    chosen = short(pairs, 6, 12)
    brute, reached = BruteForce(decoder), 0
    results = forced_decode(decoder, chosen, ForcedOptions((options,)), forest=True, threads=1)
    for (source, target), result in zip(chosen, results, strict=True):
        expected = brute.best(source, target, limit=limit)
        assert result.found == (expected is not None)
        if expected is None:
            continue
        reached += 1
        score, count = expected
        assert result.score == pytest.approx(score, abs=1e-4)
        assert result.translation.text == target
        steps = [
            (*phrase.source, " ".join(target.split()[slice(*phrase.target)])) for phrase in result.phrases
        ]
        assert brute.score(source, tuple(steps)) == pytest.approx(score, abs=1e-4)
        weights = decoder.weights
        assert sum(weights[n] * v for n, v in result.features.items()) == pytest.approx(score, abs=1e-3)
        assert derivation_count(result.forest) == count
    assert 0 < reached < len(chosen)


def derivation_count(forest) -> int:
    counts: list[int] = []
    for node in range(forest.node_count):
        total = 0
        for edge in map(forest.edge, forest.edges(node)):
            product = 1
            for tail in edge.tails:
                product *= counts[tail]
            total += product
        counts.append(total)
    return counts[-1]


def test_a_prefix_is_continued_by_the_best_derivation(decoder, pairs):
    brute = BruteForce(decoder)
    free = PhraseDecoder(decoder.model, options=WIDE)
    seen = 0
    for source, target in short(pairs, 4, 4):
        prefix = " ".join(target.split()[:2])
        expected = brute.best(source, prefix, is_prefix=True)
        found = free.translate(Request(source, prefix, is_prefix=True))
        assert found.found == (expected is not None)
        if expected:
            seen += 1
            assert found.text.split()[:2] == prefix.split()
            assert found.score == pytest.approx(expected[0], abs=1e-4)
    assert seen


def test_an_empty_prefix_asks_for_nothing(decoder, pairs):
    for source, _ in pairs[:20]:
        free, empty = decoder.translate(source), decoder.translate(Request(source, "", is_prefix=True))
        assert (empty.text, empty.score) == (free.text, free.score)


def test_other_sentences_of_a_batch_are_translated_as_ever(decoder, pairs):
    sources = [source for source, _ in pairs[:40]]
    alone = [found.text for found in decoder.translate_all(sources)]
    mixed: list[str | Request] = list(sources)
    mixed[7] = Request(sources[7], "nothing of the kind")
    together = list(decoder.translate_all(mixed))
    assert not together[7].found and together[7].text == ""
    assert [found.text for found in together[:7]] + [found.text for found in together[8:]] == (
        alone[:7] + alone[8:]
    )


def test_weights_may_change_between_forced_sentences(small_model, pairs):
    decoder = PhraseDecoder.open(small_model)
    source, target = pairs[0]
    first = decoder.translate(Request(source, target))
    decoder.weights = {name: 2 * value for name, value in decoder.weights.items()}
    assert decoder.translate(Request(source, target)).score == pytest.approx(2 * first.score, rel=1e-4)


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [("", "", True), ("", "a", False), ("der hund", "", False), (" ", "", True)],
)
def test_empty_sides(decoder, source, target, found):
    assert decoder.translate(Request(source, target)).found is found


@pytest.mark.parametrize("source", ["der hund schläft .", " der   hund  schläft  . "])
def test_sentences_with_more_words_are_not_searched_without_a_limit_of_distortion(decoder, source):
    pair = source, decoder.translate(source).text
    for longest, found in ((4, True), (3, False)):
        (result,) = forced_decode(decoder, [pair], ForcedOptions((WIDE,), longest_free=longest))
        assert result.found == found


def test_unknown_words_are_copied_or_dropped_and_unknown_target_words_are_out_of_reach(decoder, pairs):
    source, target = pairs[0]
    (copied,) = forced_decode(decoder, [(f"{source} Xyzzy", f"{target} Xyzzy")])
    assert copied.found and copied.features["UnknownWordPenalty0"] == -100
    (other,) = forced_decode(decoder, [(f"{source} Xyzzy", f"{target} Plugh")])
    assert not other.found and other.stage is None and other.score is None and other.phrases == ()
    (dropped,) = forced_decode(decoder, [(f"{source} Xyzzy", target)], ForcedOptions(pass_unknown=False))
    assert dropped.found
    # The same unknown word twice is the same target word.
    (twice,) = forced_decode(decoder, [("Xyzzy Plugh Xyzzy", "Xyzzy Xyzzy Plugh")])
    assert twice.found


def test_a_target_out_of_reach_has_an_empty_forest_however_that_is_found_out(decoder, pairs):
    source, target = pairs[0]
    words = target.split()
    turned = " ".join([*words[1:], words[0]])  # of known words: only a search can tell
    for other in (f"{target} Plugh", f"{turned} {turned} {turned}"):
        found = decoder.translate(Request(f"{source} Xyzzy", other), forest=True)
        assert not found.found and found.forest is not None
        assert (found.forest.node_count, found.forest.edge_count) == (0, 0)
        assert found.forest.feature_names == decoder.translate(source, forest=True).forest.feature_names


def test_source_words_are_dropped_only_in_the_last_stage_and_as_few_as_possible(decoder, pairs):
    source, target = pairs[0]
    more = f"{source} {source.split()[0]} {source.split()[1]}"
    assert not next(forced_decode(decoder, [(more, target)])).found
    whole, dropped = forced_decode(
        decoder, [(source, target), (more, target)], ForcedOptions(drop_words=True)
    )
    assert 1 <= whole.stage <= len(STAGES)
    assert dropped.stage == len(STAGES) + 1
    empty = [phrase for phrase in dropped.phrases if phrase.target[0] == phrase.target[1]]
    assert 1 <= len(empty) <= 2
    assert all(phrase.rule == -1 for phrase in empty)
    assert dropped.features["UnknownWordPenalty0"] == -100 * len(empty)
    assert dropped.translation.text == target
    (nothing,) = forced_decode(decoder, [(source, "")], ForcedOptions(drop_words=True), forest=True)
    assert nothing.found and nothing.translation.text == "" and nothing.forest is not None


@pytest.mark.parametrize("unknown", ["pass", "drop"])
def test_a_word_is_dropped_in_one_way(small_model, pairs, unknown):
    decoder = PhraseDecoder.open(small_model, options=replace(WIDE, unknown_words=unknown))
    request = Request(f"{pairs[0][0].split()[0]} Xyzzy", relaxation=Relaxation(drop_words=True))
    forest = decoder.translate(request, forest=True).forest
    edges = [forest.edge(number) for number in range(forest.edge_count)]
    ways = Counter((edge.tails, edge.span) for edge in edges if edge.rule == -1 and len(edge.target) == 1)
    assert {span for _, span in ways} == {(0, 1), (1, 2)}
    assert set(ways.values()) == {1}


def test_stages_are_tried_in_turn(decoder, pairs):
    tight = SearchOptions(table_limit=1, distortion_limit=0)
    results = list(forced_decode(decoder, pairs[:60], ForcedOptions((tight, *STAGES))))
    reached = Reached.of(results)
    assert reached.all_sentences == 60 and 0.5 < reached.word_share < 1
    assert sum(reached.stages.values()) == reached.sentences and len(reached.stages) > 1
    brute = BruteForce(decoder)
    for result in results:
        assert result.found == brute.reaches(result.source, result.target)
        alone = next(forced_decode(decoder, [(result.source, result.target)], ForcedOptions((tight,))))
        assert alone.found == (result.stage == 1)


def test_threads_and_batches_do_not_change_results(decoder, pairs):
    bitext = Bitext(Sentences.of(pair[0] for pair in pairs), Sentences.of(pair[1] for pair in pairs))
    one = [(r.target, r.score, r.phrases) for r in forced_decode(decoder, bitext, threads=1)]
    assert one == [(r.target, r.score, r.phrases) for r in forced_decode(decoder, pairs, threads=3)]
    assert [target for target, _, _ in one] == [target for _, target in pairs]


def test_progress_tells_the_share(decoder, pairs):
    lines: list[str] = []
    results = forced_decode(decoder, [pairs[0], ("der hund", "no")], progress=lines.append)
    assert [result.found for result in results] == [True, False]
    assert lines == ["2 pairs, 50.0% reached"]


def test_a_thousand_words_take_bounded_time(decoder, pairs):
    strict = forced_decode(decoder, pairs, ForcedOptions(STAGES[:1]))
    chosen = [pair for pair, result in zip(pairs, strict, strict=True) if result.found][:150]
    source, target = (" ".join(pair[side] for pair in chosen) for side in (0, 1))
    assert len(source.split()) > 1000
    start = time.process_time()
    (result,) = forced_decode(decoder, [(source, target)], ForcedOptions(drop_words=True), threads=1)
    assert result.found
    (other,) = forced_decode(decoder, [(source, f". {target}")], ForcedOptions(drop_words=True), threads=1)
    assert not other.found
    assert time.process_time() - start < 20


@pytest.mark.slow
@pytest.mark.parametrize("length", [50, 1000])
def test_repeated_words_do_not_fill_the_stacks_with_what_cannot_end(decoder, length):
    """Hypotheses that dropped or kept too many of the same words are worth more at first."""
    source = " ".join(["Xyzzy"] * length)
    start = time.process_time()
    for kept in (length, length - 1, length // 2):
        target = " ".join(["Xyzzy"] * kept)
        assert next(forced_decode(decoder, [(source, target)], threads=1)).found == (kept == length)
        (dropped,) = forced_decode(decoder, [(source, target)], ForcedOptions(drop_words=True), threads=1)
        assert dropped.found and len(dropped.phrases) == length
    assert time.process_time() - start < 20


def test_a_third_of_real_sentences_is_reached(shared_data: Path, moses_model: Path):
    def read(language: str) -> list[str]:
        with lzma.open(shared_data / f"multi30k.val.{language}.xz", "rt", encoding="utf-8") as stream:
            return [line.rstrip("\n") for line in islice(stream, 100)]

    pairs = list(zip(read("de"), read("en"), strict=True))
    results = list(forced_decode(moses_model, pairs, ForcedOptions(drop_words=True), threads=1))
    reached = Reached.of(results)
    strict = sum(reached.stages.get(stage, 0) for stage in range(1, len(STAGES) + 1))
    assert 0.3 < strict / 100 < 0.5
    assert reached.sentences > strict
    assert 0.2 < reached.word_share < reached.sentence_share
    assert all(result.translation.text == result.target for result in results if result.translation)


def test_wrong_options_are_refused(decoder):
    with pytest.raises(OptionError, match="stages is empty"):
        ForcedOptions(stages=())
    with pytest.raises(OptionError, match="singleton must be at most 0"):
        ForcedOptions(singleton=0.5)
    with pytest.raises(OptionError, match="max_phrase_length"):
        ForcedOptions(max_phrase_length=9)
    with pytest.raises(OptionError, match="needs the word alignments"):
        forced_decode(decoder, [], ForcedOptions(leave_one_out=True))
    with pytest.raises(InputError, match="has no target"):
        Request("a", is_prefix=True)
