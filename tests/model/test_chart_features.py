"""What a model directory says about rules."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tunesmith.errors import InputError, OptionError
from tunesmith.extract.glue import itg_grammar, sentence_glue
from tunesmith.extract.rule_features import DECODER_FEATURES, GRAMMAR_FEATURES
from tunesmith.extract.suffix_array import SuffixIndex
from tunesmith.generated import write_corpus
from tunesmith.model import Model, train
from tunesmith.model.model import RulePart
from tunesmith.model.options import TrainingOptions
from tunesmith.model.search_settings import BREADTH
from tunesmith.options import options_of


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    files = write_corpus(folder / "text", 60, lowercase=True)

    def of(kind: str, **options) -> Model:
        name = "-".join([kind, *(f"{key}{value}" for key, value in options.items())])
        train(files.source, files.targets[0], folder / name, kind=kind, lm_order=2, **options)
        return Model.open(folder / name, verify=True)

    return of


def test_a_hierarchical_model_weighs_all_features_of_rules_and_decoder(trained) -> None:
    model = trained("hiero")
    assert set(model.weights) == {feature.name for feature in (*GRAMMAR_FEATURES, *DECODER_FEATURES)}
    rules, glue = model.rules
    named = {*rules.features, *glue.features, *model.penalties, model.language_models[0].name}
    assert named == set(model.weights)
    assert (rules.source, rules.span_limit, rules.table_limit) == (
        "index",
        model.chosen["span_limit"].value,
        20,
    )
    assert (glue.source, glue.span_limit, glue.counted) == ("text", 0, False)
    assert model.rule_source(1).read_text() == sentence_glue()
    assert all(model.weights[name] < 0 for name in rules.features[:4])  # costs


def test_the_index_is_asked_for_what_training_was_told(trained) -> None:
    model = trained("hiero", max_rule_span=4, loose_phrases=True)
    options = model.grammar_options()
    assert (options.rules.max_span, options.rules.max_target_span, options.rules.tight) == (4, 4, False)
    index = model.rule_source()
    assert isinstance(index, SuffixIndex)
    line = (model.directory / "source.txt").read_text().splitlines()[0]
    tight = trained("hiero", max_rule_span=4).grammar_options()
    loose_rules, tight_rules = (
        {(rule.source, rule.target) for rule in index.grammar(line, each)} for each in (options, tight)
    )
    assert loose_rules - tight_rules  # phrases that grew over unaligned words
    assert index.grammar(line, options).feature_names == model.rules[0].features


def test_the_breadth_of_rules_is_recorded_and_kept(trained) -> None:
    narrow = trained("hiero", rule_breadth=1)
    assert (narrow.settings["rule_breadth"], narrow.grammar_options().breadth) == (1, 1)
    line = (narrow.directory / "source.txt").read_text().splitlines()[0]
    sides = [rule.source for rule in next(iter(narrow.rule_extractor().grammars([line])))]
    assert len(sides) == len(set(sides)) > 10


def test_a_model_without_a_recorded_breadth_has_all_rules(trained) -> None:
    model = trained("hiero")
    assert model.grammar_options().breadth == BREADTH
    settings = {name: value for name, value in model.settings.items() if name != "rule_breadth"}
    assert replace(model, settings=settings).grammar_options().breadth == 0


def test_a_table_of_all_rules_takes_no_breadth(trained) -> None:
    with pytest.raises(OptionError, match="rule_breadth is for rules on demand"):
        trained("hiero", grammar="global", rule_breadth=40)


def test_the_help_of_training_tells_the_default_breadth() -> None:
    (breadth,) = (each for each in options_of(TrainingOptions) if each.name == "rule_breadth")
    assert f"[default: {BREADTH}]" in breadth.metadata["help"]


def test_an_itg_has_the_nine_features_of_consensus_training_and_unknown_words(trained) -> None:
    model = trained("itg")
    assert set(model.weights) == {
        *(f"TranslationModel0_{number}" for number in range(4)),
        "PhrasePenalty0",
        "LM0",
        "WordPenalty0",
        "Straight0",
        "Inverted0",
        "UnknownWordPenalty0",
    }
    assert model.rules == (RulePart("ITG", "itg.grammar", "text", ("Straight0", "Inverted0")),)
    assert set(model.penalties.values()) == {"PhrasePenalty", "WordPenalty", "UnknownWordPenalty"}
    assert model.decoder_kind == "chart"
    assert len(model.phrase_table()) > 0


def test_the_form_of_an_itg_can_be_chosen(trained) -> None:
    assert trained("itg").rule_source().read_text() == itg_grammar("normal")
    assert trained("itg", itg_form="plain").rule_source().read_text() == itg_grammar("plain")


def test_another_form_redoes_only_the_grammar(tmp_path) -> None:
    files = write_corpus(tmp_path / "text", 30, lowercase=True)
    given = (files.source, files.targets[0], tmp_path / "model")
    train(*given, kind="itg", lm_order=2)
    again = train(*given, kind="itg", lm_order=2, itg_form="plain")
    assert [step.name for step in again.steps if not step.skipped] == ["itg grammar"]


def changed_list(model: Model, folder: Path, rules: list[dict[str, object]]) -> Path:
    """Write the list of a model with other rules, and its weights, into a folder."""
    folder.mkdir()
    (folder / "features.json").write_text(json.dumps({**model.record, "rules": rules}))
    model.weights.write(folder / "weights.start.json")
    return folder


@pytest.mark.parametrize(("on_demand", "source"), [(True, "index"), (False, "table")])
def test_older_lists_of_rules_are_read(trained, tmp_path, on_demand, source) -> None:
    old = [{"name": "Rules", "path": "suffix.bin", "on_demand": on_demand}]
    model = Model.read(changed_list(trained("hiero"), tmp_path / "old", old))
    assert model.rules == (RulePart("Rules", "suffix.bin", source),)


@pytest.mark.parametrize(
    "rule",
    [
        {"name": "Rules", "path": "suffix.bin", "source": "tree"},
        {"name": "Rules", "path": "suffix.bin"},
        {"name": "Rules", "path": "suffix.bin", "source": "text", "features": 3},
        {"name": "Rules", "path": "suffix.bin", "source": "text", "spam_limit": 3},
    ],
)
def test_rules_that_are_listed_wrongly_are_an_error(trained, tmp_path, rule) -> None:
    with pytest.raises(InputError, match=r"features\.json: is not a list of features"):
        Model.read(changed_list(trained("hiero"), tmp_path / "wrong", [rule]))


@pytest.mark.parametrize("kind", ["hiero", "itg", "phrase"])
def test_what_is_written_is_read_back(trained, kind) -> None:
    model = trained(kind)
    assert json.loads((model.directory / "features.json").read_text()) == json.loads(json.dumps(model.record))
    assert Model.read(model.directory) == model
