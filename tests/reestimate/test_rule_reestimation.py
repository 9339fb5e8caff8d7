"""Hierarchical models that are re-estimated: counts of the derivations, tables, and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run
from tests.model.jackknife.folded import Folded
from tests.reestimate.rule_derivations import rules_of, used_rules

from tunesmith.decode.opening import open_decoder
from tunesmith.errors import InputError, OptionError
from tunesmith.model import Model
from tunesmith.model.jackknife import FoldModels
from tunesmith.reestimate.forced import ForcedDerivationOptions
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.reestimation import reestimate
from tunesmith.reestimate.rule_baseline import RuleBaseline

PROBABILITIES = ("EgivenFCoherent", "FgivenE")
LEXICAL = ("MaxLexEgivenF", "MaxLexFgivenE")


@pytest.fixture(scope="module")
def tune(folded: Folded, dev: dict[str, Any]) -> dict[str, Any]:
    lines = folded.lines("align")[:12]
    (folded.folder / "dev.align").write_text("".join(f"{line}\n" for line in lines))
    return {"tune_source": dev["tune_source"], "tune_references": dev["tune_references"]}


@pytest.fixture(scope="module")
def alone(rule_model: Path, tune: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model of two oracles per sentence, with its derivations."""
    folder = tmp_path_factory.mktemp("alone") / "model"
    options = ReestimateOptions(table_weight="none", keep_derivations=True)
    reestimate(rule_model, folder, **tune, options=options, derivations=OracleOptions(nbest=2))
    return folder


def files_of(model: Path) -> list[Path]:
    return sorted((model / "derivations").glob("derivations.[0-9]*"))


def test_a_small_model_has_the_relative_frequencies_of_its_rules(rule_model: Path, alone: Path) -> None:
    used, table = used_rules(files_of(alone)), Model.open(alone).rule_source()
    sources: Counter[str] = Counter()
    for (source, _), count in used.items():
        sources[source] += count
    before, after = rules_of(Model.open(rule_model).rule_source()), rules_of(table)
    assert set(after) == set(used)
    for (source, target), features in after.items():
        share = used[source, target] / sources[source]
        assert 10 ** -features["EgivenFCoherent"] == pytest.approx(share, rel=1e-5)
        kept = {name: value for name, value in before[source, target].items() if name not in PROBABILITIES}
        assert kept == {name: value for name, value in features.items() if name not in PROBABILITIES}
    assert [rule.counts[2] for rule in table] == [used[key] for key in after]


def test_rules_of_other_derivations_are_counted_as_well(
    rule_model: Path, alone: Path, tune: dict[str, Any], tmp_path: Path
) -> None:
    own, options = tmp_path / "own", ReestimateOptions(table_weight="none")
    given = {"derivations": OracleOptions(mu=0.1), "derivation_folder": own, "options": options, **tune}
    made = reestimate(rule_model, tmp_path / "model", added=[alone / "derivations"], **given)
    wanted = used_rules(files_of(alone)) + used_rules(sorted(own.glob("derivations.[0-9]*")))
    table = Model.open(tmp_path / "model").rule_source()
    counts = (rule.counts[2] for rule in table)
    assert dict(zip(rules_of(table), counts, strict=True)) == wanted
    assert [each["method"] for each in made.used["added"]] == ["oracle"]
    assert made.used["text_sentences"] == 120


def test_a_re_estimated_model_of_rules_is_a_model_like_any_other(
    folded: Folded, rule_model: Path, alone: Path
) -> None:
    model, before = Model.open(alone), Model.open(rule_model)
    assert set(model.weights) == set(before.weights) and model.home == rule_model
    assert [part.source for part in model.rules] == ["table", "text"]
    assert open_decoder(alone).translate(folded.lines("de")[3]).found
    with pytest.raises(InputError, match="has a re-estimated rule table, whose counts are not known by fold"):
        FoldModels.of(alone)


def test_a_second_round_counts_by_the_re_estimated_table(
    alone: Path, tune: dict[str, Any], tmp_path: Path
) -> None:
    options = ReestimateOptions(table_weight="none")
    made = reestimate(alone, tmp_path / "model", **tune, options=options)
    counts = [rule.counts[2] for rule in Model.open(alone).rule_source()]
    assert 0 < made.sizes[0].entries_after <= sum(count >= 2 for count in counts) < len(counts)


def test_a_model_of_rules_has_a_language_model_that_knows_its_oracles_better(
    rule_model: Path, alone: Path, tune: dict[str, Any], tmp_path: Path
) -> None:
    found, options = OracleOptions(nbest=2), ReestimateOptions(table_weight="none", oracle_lm="0.3")
    folder = alone / "derivations"
    made = reestimate(
        rule_model, tmp_path / "model", **tune, options=options, derivations=found, derivation_folder=folder
    )
    text = OracleText.read(files_of(alone)).bitext.target
    before, after = (Model.open(path).language_model(0) for path in (rule_model, tmp_path / "model"))
    assert after.perplexity(text).including_unknown < 0.9 * before.perplexity(text).including_unknown
    assert [size.part for size in made.sizes] == ["rule table", "language model"]
    assert made.language_model is not None
    assert made.language_model["weight"] == 0.3


def test_an_index_becomes_a_table_of_all_rules_mixed(
    folded: Folded, index_model: Path, rule_model: Path, tune: dict[str, Any], tmp_path: Path
) -> None:
    options = ReestimateOptions(table_weight="em", keep_derivations=True, relex=True)
    alignment = folded.folder / "dev.align"
    made = reestimate(index_model, tmp_path / "model", **tune, options=options, tune_alignment=alignment)
    table, before = Model.open(tmp_path / "model").rule_source(), Model.open(rule_model).rule_source()
    used = used_rules(files_of(tmp_path / "model"))
    assert set(rules_of(table)) == set(rules_of(before)) >= set(used)
    assert made.mixture["reestimated_pairs"] == len(used)
    assert made.sizes[0].entries_before == made.sizes[0].entries_after == len(before)
    weight, sources = made.mixture["weight"], Counter[str]()
    assert 0.001 <= weight <= 0.999 and len(made.mixture["curve"]) == 9
    for (source, _), count in used.items():
        sources[source] += count
    known = rules_of(before)
    for (source, target), features in rules_of(table).items():
        new = used[source, target] / sources[source] if sources[source] else 0.0
        old = 10 ** -known[source, target]["EgivenFCoherent"]
        assert 10 ** -features["EgivenFCoherent"] == pytest.approx(
            weight * new + (1 - weight) * old, rel=1e-4
        )
    joint = {key: rule.counts[2] for rule, key in zip(table, rules_of(table), strict=True)}
    extracted = {key: rule.counts[2] for rule, key in zip(before, rules_of(before), strict=True)}
    assert joint == {key: count + (used[key] if count > 1 else 0) for key, count in extracted.items()}
    assert any(used[key] for key, count in extracted.items() if count == 1)  # by other sentences


def test_lexical_weights_come_from_the_links_of_the_derivations_if_asked(
    rule_model: Path, alone: Path, tune: dict[str, Any], tmp_path: Path
) -> None:
    options = ReestimateOptions(table_weight="none", relex=True)
    folder = alone / "derivations"
    reestimate(
        rule_model,
        tmp_path / "model",
        **tune,
        options=options,
        derivations=OracleOptions(nbest=2),
        derivation_folder=folder,
    )
    text = OracleText.read(files_of(alone), untabled=False)
    links: Counter[tuple[str, str]] = Counter()
    totals: Counter[str] = Counter()
    for number in range(len(text.bitext)):
        source, target = (side.text(number).split() for side in (text.bitext.source, text.bitext.target))
        pairs = text.alignments[number].tolist()
        for i, j in pairs:
            links[source[i], target[j]] += 1
            totals[source[i]] += 1
        totals.update(source[i] for i in set(range(len(source))) - {i for i, _ in pairs})
        unlinked = [target[j] for j in set(range(len(target))) - {j for _, j in pairs}]
        links.update(("NULL", word) for word in unlinked)
        totals["NULL"] += len(unlinked)
    checked = 0
    for (source, target), features in rules_of(Model.open(tmp_path / "model").rule_source()).items():
        if len(source.split()) == len(target.split()) == 1 and links[source, target]:
            expected = max(links[word, target] / max(totals[word], 1) for word in (source, "NULL"))
            assert 10 ** -features["MaxLexEgivenF"] == pytest.approx(expected, rel=1e-4)
            checked += 1
    assert checked > 10


def test_the_small_table_of_an_index_is_that_of_all_its_rules(
    index_model: Path, tune: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = {
        "derivation_folder": tmp_path / "derivations",
        "options": ReestimateOptions(table_weight="none"),
    }
    few = reestimate(index_model, tmp_path / "few", **tune, **shared)
    with monkeypatch.context() as patch:
        usual = RuleBaseline.rule_table

        def all_rules(*given: Any, only: object) -> Any:
            return usual(*given)

        patch.setattr(RuleBaseline, "rule_table", all_rules)
        every = reestimate(index_model, tmp_path / "every", **tune, **shared)
    assert (tmp_path / "few" / "rules.bin").read_bytes() == (tmp_path / "every" / "rules.bin").read_bytes()
    assert few.sizes[0].entries_before < every.sizes[0].entries_before


def test_the_command_re_estimates_rules_and_its_table_counts_them(
    index_model: Path, tune: dict[str, Any], tmp_path: Path
) -> None:
    words = ["--tune-source", tune["tune_source"], "--tune-references", tune["tune_references"][0]]
    done = run("reestimate", index_model, *words, "--table-weight", "none", "-o", tmp_path / "model")
    assert done.returncode == 0
    assert "rules in derivations" in done.stdout and "rule table, entries" in done.stdout
    assert "glue is not counted" in done.stderr
    assert "has the size of the index file, and the number of rules with one of the used" in done.stderr
    (size,) = (line for line in done.stdout.splitlines() if "rule table, size" in line)
    assert "%" not in size
    again = run("reestimate", index_model, *words, "--json", "-q", "-o", tmp_path / "model")
    report = json.loads(again.stdout)
    assert report["sizes"][0]["part"] == "rule table" and report["mixture"]["weight"] == 0.5
    assert "derivations" not in report["seconds"]


def test_what_only_phrases_have_is_refused(index_model: Path, tune: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "model"
    with pytest.raises(OptionError, match="bilingual_lm is for phrase-based models"):
        reestimate(index_model, folder, **tune, options=ReestimateOptions(bilingual_lm=True))
    with pytest.raises(OptionError, match="orientations is for phrase-based models"):
        reestimate(index_model, folder, **tune, options=ReestimateOptions(orientations="derivation"))
    with pytest.raises(
        InputError, match="only phrase-based models have forced derivations; use method oracle"
    ):
        reestimate(index_model, folder, **tune, derivations=ForcedDerivationOptions())
    assert not folder.exists()
