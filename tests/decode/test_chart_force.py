"""`tunesmith force` and `tunesmith itg` with hierarchical models and ITGs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.commands import run
from tests.decode.commands import SENTENCES, decode, lines

from tunesmith.decode import (
    ChartDecoder,
    ChartOptions,
    ForcedOptions,
    Reached,
    Request,
    forced_decode,
    open_decoder,
)
from tunesmith.decode.forced import CHART_STAGES, STAGES
from tunesmith.errors import OptionError
from tunesmith.forest import count_derivations
from tunesmith.forest.file import ForestFile
from tunesmith.forest.kbest import kbest

KINDS = ["hiero", "index", "itg"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_translated_is_reached_with_the_same_score(models, kind):
    decoder = open_decoder(models / kind)
    source = lines(models / "test.de")
    free = list(decoder.translate_all(source))
    forced = list(forced_decode(decoder, [(line, one.text) for line, one in zip(source, free, strict=True)]))
    for one, result in zip(free, forced, strict=True):
        assert result.stage == 1
        assert result.translation.text == one.text
        # The free search prunes derivations of its own translation that the forced one keeps.
        assert result.score >= one.score - 1e-4
        assert result.segments == result.translation.segments


@pytest.mark.parametrize("kind", KINDS)
def test_force_writes_derivations_of_targets(models, kind):
    done = run("force", kind, "test.de", "test.en", "-o", "out", "--forest-output", "forests", folder=models)
    assert done.returncode == 0, done.stderr
    decoder = open_decoder(models / kind)
    pairs = list(zip(lines(models / "test.de"), lines(models / "test.en"), strict=True))
    results = list(forced_decode(decoder, pairs, forest=True))
    reached = Reached.of(results)
    assert f"reached {reached.sentences} of {SENTENCES} sentence pairs" in done.stderr
    assert reached.sentences > 0
    forests = ForestFile(models / "forests")
    for number, (line, result) in enumerate(zip(lines(models / "out"), results, strict=True)):
        fields = line.split(" ||| ")
        assert fields[:2] == [str(number), result.target]
        if not result.found:
            continue
        assert float(fields[4]) == pytest.approx(result.score, abs=1e-5)
        assert fields[3] == " ".join(f"{i}-{j}" for i, j in result.alignment)
        assert len(fields[2].split()) == len(result.segments)
        index = forests.ids.index(str(number))
        texts = {each.text for each in kbest(forests[index], decoder.weights, 50)}
        assert texts == {result.target}


def test_later_stages_reach_what_needs_more_rules_or_longer_spans(models):
    options = ChartOptions(table_limit=1, span_limit=2)
    decoder = ChartDecoder.open(models / "hiero", options=options)
    pairs = _translations_of_words(models)
    pairs += list(zip(lines(models / "test.de"), lines(models / "test.en"), strict=True))
    narrow = Reached.of(forced_decode(decoder, pairs, ForcedOptions((ChartOptions(),))))
    staged = list(forced_decode(decoder, pairs))
    reached = Reached.of(staged)
    assert narrow.sentences == reached.stages.get(1, 0) < reached.sentences
    assert set(reached.stages) == {1, 2, 3}
    wide = open_decoder(models / "hiero", options=CHART_STAGES[-1])
    for result in staged:
        if result.stage == len(CHART_STAGES):
            assert wide.translate(Request(result.source, result.target)).score == result.score
    unlimited = ForcedOptions((CHART_STAGES[-1],))
    assert Reached.of(forced_decode(decoder, pairs, unlimited)).sentences == reached.sentences
    none = ForcedOptions((CHART_STAGES[-1],), longest_free=0)
    assert Reached.of(forced_decode(decoder, pairs, none)).sentences == 0


def _translations_of_words(models: Path) -> list[tuple[str, str]]:
    """All translations of some words, each alone."""
    decoder = open_decoder(models / "hiero", options={"table_limit": 0})
    words = sorted(set((models / "test.de").read_text().split()))[:30]
    return [
        (word, candidate.text)
        for word in words
        for candidate in kbest(decoder.translate(word, forest=True).forest, decoder.weights, 9, unique=True)
    ]


def test_unknown_words_are_copied_or_dropped(models):
    decoder = open_decoder(models / "hiero")
    source = "der hund"
    target = decoder.translate(source).text
    for passes in (True, False):
        options = ForcedOptions(pass_unknown=passes)
        (copied,) = forced_decode(decoder, [(source + " xyzzy", target + " xyzzy")], options)
        (dropped,) = forced_decode(decoder, [(source + " xyzzy", target)], options)
        assert (copied.found, dropped.found) == (passes, not passes)


def test_what_only_phrase_models_have_is_refused_when_rules_are_forced(models, small_corpus):
    decoder = open_decoder(models / "itg")
    with pytest.raises(OptionError, match="drop_words is for phrase-based models"):
        forced_decode(decoder, [("a", "b")], ForcedOptions(drop_words=True))
    with pytest.raises(OptionError, match="stages of a ChartDecoder must be ChartOptions"):
        forced_decode(decoder, [("a", "b")], ForcedOptions(STAGES))
    with pytest.raises(OptionError, match="stages of a PhraseDecoder must be SearchOptions"):
        forced_decode(models / "phrase", [("a", "b")], ForcedOptions(CHART_STAGES))
    (models / "align").symlink_to(small_corpus / "align")
    files = (small_corpus / "de", small_corpus / "en", "-o", "out")
    done = run("force", "hiero", *files, "--leave-one-out", "--alignment", "align", folder=models)
    assert done.returncode == 2
    assert "--leave-one-out is for phrase-based models" in done.stderr
    assert not (models / "out").exists()


@pytest.mark.slow
def test_an_itg_over_a_phrase_model_is_a_trained_one(models):
    done = run("itg", "phrase", "-o", "over", folder=models)
    assert done.returncode == 0, done.stderr
    weights = ("--weights", "itg/weights.start.json")  # those of the phrase model would stay
    over = decode("over", *weights, "-i", "test.de", "-q", folder=models)
    assert over.returncode == 0, over.stderr
    assert over.stdout == decode("itg", "-i", "test.de", "-q", folder=models).stdout


def test_the_plain_form_has_the_best_scores_of_the_normal_form_in_larger_forests(models):
    done = run("itg", "phrase", "-o", "over", "--form", "plain", folder=models)
    assert done.returncode == 0, done.stderr
    source = [" ".join(line.split()[:4]) for line in lines(models / "test.de")]
    weights = models / "itg" / "weights.start.json"
    plain, normal = (
        list(open_decoder(models / name, weights, {"pop_limit": 0}).translate_all(source, forest=True))
        for name in ("over", "itg")
    )
    assert [one.score for one in plain] == pytest.approx([one.score for one in normal], abs=1e-4)
    sizes = [[count_derivations(one.forest) for one in form] for form in (plain, normal)]
    assert all(many > few for many, few in zip(*sizes, strict=True))


def test_an_itg_needs_phrases_and_a_form_that_is_known(models):
    done = run("itg", "hiero", "-o", "over", folder=models)
    assert done.returncode == 1
    assert "has no phrase table; an ITG needs one" in done.stderr
    done = run("itg", "itg", "-o", "over", folder=models)
    assert done.returncode == 1
    assert "already has rules" in done.stderr
    done = run("itg", "phrase", "-o", "over", "--form", "norml", folder=models)
    assert done.returncode == 2
    assert "norml" in done.stderr
    assert not (models / "over").exists()
