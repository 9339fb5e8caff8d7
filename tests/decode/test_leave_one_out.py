"""Scores without the sentence itself, against tables that were built without it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.tables.toy_tables import ARPA

from tunesmith.corpus import Alignments, Bitext
from tunesmith.decode.forced import ForcedOptions, forced_decode
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError
from tunesmith.extract import Lexicon, build_table, count_phrases
from tunesmith.generated import generate
from tunesmith.model.importing import import_model

LENGTH = 4  # the longest phrases of the small model
PAIRS = 40
INI = """[feature]
UnknownWordPenalty
PhraseDictionaryMemory name=TM0 num-features=4 path=phrases
KENLM name=LM0 path=lm.arpa order=1
[weight]
TM0= 1 1 1 1
LM0= 1
"""


@pytest.fixture(scope="module")
def bitext(small_corpus: Path) -> Bitext:
    return Bitext.read(small_corpus / "de", small_corpus / "en")


@pytest.fixture(scope="module")
def alignments(small_corpus: Path) -> Alignments:
    return Alignments.read(small_corpus / "align")


@pytest.fixture(scope="module")
def decoder(small_model: Path) -> PhraseDecoder:
    return PhraseDecoder.open(small_model)


def steps(result) -> list[tuple[str, str, dict[str, float]]]:
    source, target = result.source.split(), result.target.split()
    return [
        (" ".join(source[slice(*phrase.source)]), " ".join(target[slice(*phrase.target)]), dict(values))
        for phrase, values in zip(result.phrases, result.translation.steps, strict=False)
    ]


@pytest.mark.parametrize("by_length", [True, False])
def test_probabilities_are_those_of_a_table_of_all_other_sentences(
    decoder, bitext, alignments, tmp_path, by_length
):
    options = ForcedOptions(leave_one_out=True, singleton=-3.0, by_length=by_length)
    results = list(forced_decode(decoder, bitext, options, alignments=alignments, threads=1))
    counts = count_phrases(
        bitext, alignments, path=tmp_path / "counts", max_length=LENGTH, folds=range(len(bitext))
    )
    lexicon = Lexicon.estimate(bitext, alignments, range(len(bitext)))
    whole = decoder.model.phrase_table(0)
    kept = single = 0
    for number, result in enumerate(results[:PAIRS]):
        if not result.found:
            continue
        without = build_table(counts, lexicon, tmp_path / "table", exclude_fold=number)
        for source, target, values in steps(result):
            found = [math.exp(values.get(f"TranslationModel0_{column}", 0.0)) for column in range(4)]
            (all_in,) = (pair for pair in whole.lookup(source) if pair.target == target)
            expected = dict(all_in.scores)  # lexical weights stay
            others = [pair for pair in without.lookup(source) if pair.target == target]
            if others:
                expected |= {name: others[0].scores[name] for name in ("p(f|e)", "p(e|f)")}
                kept += 1
            else:
                words = len(source.split()) + len(target.split()) if by_length else 1
                expected |= dict.fromkeys(("p(f|e)", "p(e|f)"), math.exp(-3.0 * words))
                single += 1
            assert found == pytest.approx([expected[name] for name in whole.score_names], rel=1e-5)
    assert kept > 20 and single > 5


def test_a_sentence_is_no_longer_one_phrase_of_its_own(decoder, bitext, alignments):
    def phrases(options: ForcedOptions, given: Alignments | None) -> int:
        results = forced_decode(decoder, bitext, options, alignments=given)
        return sum(len(result.phrases) for result in results)

    assert phrases(ForcedOptions(leave_one_out=True), alignments) > 1.1 * phrases(ForcedOptions(), None)


def test_the_features_of_a_derivation_sum_to_its_score_and_those_of_the_forest(decoder, bitext, alignments):
    options = ForcedOptions(leave_one_out=True)
    weights = decoder.weights
    seen = 0
    for result in forced_decode(decoder, bitext, options, alignments=alignments, forest=True):
        if result.found and seen < 30:
            seen += 1
            total = sum(weights[name] * value for name, value in result.features.items())
            assert total == pytest.approx(result.score, abs=1e-3)
            scores, best = result.forest.scores(weights), []
            for node in range(result.forest.node_count):
                edges = [(scores[e], result.forest.edge(e).tails) for e in result.forest.edges(node)]
                best.append(max(score + sum(best[tail] for tail in tails) for score, tails in edges))
            assert best[-1] == pytest.approx(result.score, abs=1e-3)
    assert seen == 30


def test_threads_do_not_change_results(decoder, bitext, alignments):
    options = ForcedOptions(leave_one_out=True)
    one, two = (
        [
            (r.score, r.phrases)
            for r in forced_decode(decoder, bitext, options, alignments=alignments, threads=n)
        ]
        for n in (1, 2)
    )
    assert one == two


def test_alignments_must_be_those_of_the_bitext(decoder, bitext, alignments):
    options = ForcedOptions(leave_one_out=True)
    with pytest.raises(InputError, match=r"299 alignments; expected one per sentence pair"):
        list(forced_decode(decoder, bitext, options, alignments=alignments.take(range(299))))
    with pytest.raises(InputError, match="300 alignments for 2 pairs"):
        list(forced_decode(decoder, bitext.take([0, 1]), options, alignments=alignments))
    with pytest.raises(InputError, match="found the link 9-0; the sentence pair has 1 and 1 words"):
        list(forced_decode(decoder, [("der", "the")], options, alignments=Alignments.of([[(9, 0)]])))
    with pytest.raises(OptionError, match="alignments need leave_one_out"):
        forced_decode(decoder, bitext, alignments=alignments)


def test_words_of_one_sentence_only_stay_within_reach(decoder, bitext, alignments):
    words: dict[str, int] = {}
    for i in range(len(bitext)):
        for word in set(bitext.source.text(i).split()):
            words[word] = words.get(word, 0) + 1
    free = list(forced_decode(decoder, bitext))
    left = list(forced_decode(decoder, bitext, ForcedOptions(leave_one_out=True), alignments=alignments))
    rare = [any(words[word] == 1 for word in result.source.split()) for result in free]
    assert any(found.found for found, is_rare in zip(left, rare, strict=True) if is_rare)
    assert sum(result.found for result in left) == sum(result.found for result in free)


def test_a_table_without_counts_is_refused(tmp_path):
    (tmp_path / "phrases").write_text("der ||| the ||| 1 1 1 1\n")
    (tmp_path / "lm.arpa").write_text(ARPA)
    (tmp_path / "moses.ini").write_text(INI)
    import_model(tmp_path / "moses.ini", tmp_path / "model")
    links = Alignments.of([[(0, 0)]])
    with pytest.raises(InputError, match="the phrase table has no counts"):
        list(
            forced_decode(
                tmp_path / "model", [("der", "the")], ForcedOptions(leave_one_out=True), alignments=links
            )
        )


def test_text_that_the_table_was_not_counted_from_is_refused_by_its_line(decoder, bitext, alignments):
    # The second pair is a known one said nine times: the table has not counted its phrases as often.
    source, target = bitext.source.text(0), bitext.target.text(0)
    links = [tuple(link) for link in alignments[0].tolist()]
    width, height = len(source.split()), len(target.split())
    ninefold = [(f + n * width, e + n * height) for n in range(9) for f, e in links]
    pairs = [(source, target), (" ".join([source] * 9), " ".join([target] * 9))]
    options = ForcedOptions(leave_one_out=True)
    with pytest.raises(InputError, match="line 2: the sentence pair is not in the text"):
        list(forced_decode(decoder, pairs, options, alignments=Alignments.of([links, ninefold])))


def test_other_text_of_the_same_kind_is_refused(decoder):
    others = list(generate(50, seed=9, lowercase=True))
    links = Alignments.of(pair.alignment for pair in others)
    pairs = [(pair.source, pair.target) for pair in others]
    with pytest.raises(InputError, match="is not in the text that the table was counted from"):
        list(forced_decode(decoder, pairs, ForcedOptions(leave_one_out=True), alignments=links))
