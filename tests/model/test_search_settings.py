"""Limits of the search that training chooses by its text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tunesmith.corpus.word_order import WordOrder
from tunesmith.decode import open_decoder
from tunesmith.decode.recorded import decoding_record
from tunesmith.errors import InputError, OptionError
from tunesmith.model import Model, train
from tunesmith.model.itg import itg_over
from tunesmith.model.model import FEATURES_FILE, Chosen
from tunesmith.model.options import TrainingOptions
from tunesmith.model.search_settings import (
    BREADTH,
    LIMITS,
    SPANS,
    choose_distortion_limit,
    choose_rule_settings,
)

WORDS = 14
"""Words per line of a text whose target has the words of the source in reverse order."""


def order(*, jumps: dict[int, int], spans: dict[int, int], unaligned: int = 0) -> WordOrder:
    """Return counts of 1000 words on each side."""

    def histogram(counts: dict[int, int]) -> tuple[int, ...]:
        return tuple(counts.get(value, 0) for value in range(max(counts) + 1))

    return WordOrder(histogram(jumps), (), histogram(spans), (), 100, 1000, 1000, unaligned, unaligned // 2)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Write a source, its words in reverse order as the target, and their alignment."""
    folder = tmp_path_factory.mktemp("reversed")
    lines = [[f"w{(number * 7 + place * 3) % 40}" for place in range(WORDS)] for number in range(60)]
    (folder / "source").write_text("".join(" ".join(line) + "\n" for line in lines))
    (folder / "target").write_text("".join(" ".join(line[::-1]).upper() + "\n" for line in lines))
    links = " ".join(f"{i}-{WORDS - 1 - i}" for i in range(WORDS))
    (folder / "links").write_text(f"{links}\n" * len(lines))
    return folder / "source", folder / "target", folder / "links"


@pytest.fixture
def options(texts: tuple[Path, Path, Path]) -> Any:
    return lambda **given: TrainingOptions(source=texts[0], target=texts[1], alignment=texts[2], **given)


@pytest.fixture
def trained(texts: tuple[Path, Path, Path], tmp_path: Path) -> Any:
    def of(kind: str, **given: Any) -> Any:
        source, target, links = texts
        return train(
            source, target, tmp_path / kind, kind=kind, alignment=links, lm_order=2, threads=1, **given
        )

    return of


@pytest.mark.parametrize(
    ("jumps", "limit", "reason"),
    [
        ({0: 90, 3: 10}, LIMITS[0], "100.0% of the jumps .* not longer; the least that is chosen"),
        ({0: 500, 12: 480, 14: 20}, 14, "100.0% of the jumps .* not longer, with 13 only 98.0%"),
        ({0: 90, 40: 10}, LIMITS[-1], "90.0% of the jumps .* not longer; the greatest that is chosen"),
    ],
)
def test_the_distortion_limit_is_the_least_that_allows_most_jumps(
    options: Any, jumps: dict[int, int], limit: int, reason: str
) -> None:
    chosen = choose_distortion_limit(options(), order(jumps=jumps, spans={0: 1}))
    assert chosen.value == limit
    assert re.search(reason, chosen.reason)


@pytest.mark.parametrize(
    ("spans", "unaligned", "values"),
    [
        ({0: 90, 9: 10}, 0, (SPANS[0], SPANS[0], 0)),
        ({0: 900, 12: 50}, 400, (12, 12, 1)),
        ({0: 90, 9: 10}, 200, (SPANS[0], SPANS[0], 1)),
        ({0: 90, 9: 10}, 199, (SPANS[0], SPANS[0], 0)),
        ({30: 20}, 0, (SPANS[-1], SPANS[-1], 0)),
    ],
)
def test_rules_are_as_wide_as_most_reordered_segments_and_loose_if_many_words_are_unaligned(
    options: Any, spans: dict[int, int], unaligned: int, values: tuple[int, ...]
) -> None:
    chosen = choose_rule_settings(options(), order(jumps={0: 1}, spans=spans, unaligned=unaligned))
    assert tuple(each.value for each in chosen.values()) == (*values, BREADTH)
    assert list(chosen) == ["span_limit", "max_rule_span", "loose_phrases", "rule_breadth"]


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"max_rule_span": 5}, (5, 5, 0, BREADTH)),
        ({"span_limit": 20, "loose_phrases": True}, (20, 20, 1, BREADTH)),
        ({"span_limit": 0, "rule_breadth": 0}, (0, 31, 0, 0)),
        ({"span_limit": 40, "max_rule_span": 7, "loose_phrases": False, "rule_breadth": 9}, (40, 7, 0, 9)),
        ({"max_rule_span": 5, "grammar": "global"}, (5, 5, 0)),
    ],
)
def test_given_values_are_taken_and_one_limit_follows_the_other(
    options: Any, given: dict[str, Any], values: tuple[int, ...]
) -> None:
    chosen = choose_rule_settings(options(**given), order(jumps={0: 1}, spans={30: 20}))
    assert tuple(each.value for each in chosen.values()) == values
    assert all(chosen[name].reason == "given" for name in {*given} - {"grammar"})
    assert choose_distortion_limit(options(distortion_limit=-1), order(jumps={0: 1}, spans={0: 1})) == Chosen(
        -1, "given"
    )


def test_a_model_of_phrases_records_its_limit_and_why_and_its_decoder_uses_it(trained: Any) -> None:
    model = Model.open(trained("phrase").directory)
    assert model.distortion_limit == model.chosen["distortion_limit"].value == WORDS - 1  # the first jump
    assert "not longer, with 12 only 92.9%" in model.chosen["distortion_limit"].reason  # 13 of 14
    decoder = open_decoder(model.directory)
    line = (model.directory / "source.txt").read_text().splitlines()[0]
    (found,) = decoder.translate_all([line])
    assert found.text  # over all words, though no phrase is monotone
    assert decoding_record(decoder)["search"]["distortion_limit"] == WORDS - 1


@pytest.mark.parametrize("grammar", ["on-demand", "global"])
def test_a_model_of_rules_extracts_and_decodes_within_the_chosen_spans(trained: Any, grammar: str) -> None:
    done = trained("hiero", grammar=grammar)
    model = Model.open(done.directory)
    assert model.rules[0].span_limit == model.settings["max_rule_span"] == WORDS
    assert model.grammar_options().rules.max_span == WORDS
    if grammar == "global":
        assert done.manifest.steps["rules"].options["max_span"] == WORDS
    wider = Model.open(trained("hiero", grammar=grammar, span_limit=20, max_rule_span=6).directory)
    assert (wider.rules[0].span_limit, wider.grammar_options().rules.max_span) == (20, 6)
    assert wider.chosen["span_limit"] == Chosen(20, "given")


def test_an_option_repeats_only_what_depends_on_it(trained: Any) -> None:
    def repeated(**given: Any) -> list[str]:
        return [step.name for step in trained("hiero", grammar="global", **given).steps if not step.skipped]

    assert "word order" in repeated()
    assert repeated() == []
    assert repeated(span_limit=WORDS, max_rule_span=WORDS) == ["features"]  # the same rules
    assert repeated(span_limit=WORDS, max_rule_span=5) == ["rules", "features"]


def test_options_of_other_kinds_are_refused(trained: Any) -> None:
    with pytest.raises(OptionError, match="distortion_limit is an option of phrase models, not of hiero"):
        trained("hiero", distortion_limit=6)
    with pytest.raises(OptionError, match="span_limit is an option of hiero models, not of phrase"):
        trained("phrase", span_limit=6)


def test_an_itg_over_phrases_has_no_limit_of_distortion(trained: Any, tmp_path: Path) -> None:
    itg_over(trained("phrase").directory, tmp_path / "itg")
    assert Model.open(tmp_path / "itg").chosen == {}


def test_models_without_the_record_still_open(trained: Any) -> None:
    directory = trained("hiero").directory
    record = json.loads((directory / FEATURES_FILE).read_text())
    del record["chosen"], record["settings"]["max_rule_span"], record["settings"]["loose_phrases"]
    (directory / FEATURES_FILE).write_text(json.dumps(record))
    model = Model.read(directory)
    assert model.chosen == {}
    assert (model.grammar_options().rules.max_span, model.grammar_options().rules.tight) == (WORDS, True)
    record["chosen"] = {"span_limit": 3}
    (directory / FEATURES_FILE).write_text(json.dumps(record))
    with pytest.raises(InputError, match="is not a list of features: expected an object, found 3"):
        Model.read(directory)
