"""Oracles of hierarchical models: the best of chart forests, without what the sentence alone has."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.forest.enumeration import listed, total
from tests.model.jackknife.folded import Folded
from tests.reestimate.rule_derivations import rule_of, rules_of, text, trees, words
from tests.reestimate.test_oracles import bytes_of, found_in
from tests.small_models import fit_manifest

from tunesmith.corpus import Alignments, Bitext, Sentences
from tunesmith.decode.opening import open_decoder
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.grammar import RuleTable
from tunesmith.extract.rules import extract_rules
from tunesmith.forest.file import ForestFile
from tunesmith.metrics import Bleu
from tunesmith.model import Model
from tunesmith.model.jackknife import FoldModels
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate import derivation_text
from tunesmith.reestimate.counted_parts import counted_part
from tunesmith.reestimate.derivation_file import GIVEN, TABLE, UNKNOWN
from tunesmith.reestimate.frequent_pairs import frequent_model
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import background_of, write_oracles
from tunesmith.reestimate.reestimation import reestimate
from tunesmith.reestimate.rule_columns import RuleColumns
from tunesmith.reestimate.rule_counting import count_rule_uses

OPTIONS = OracleOptions(nbest=3, compare=2)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derivation_text, "PIECE", 8)


@pytest.fixture(scope="module")
def written(
    index_model: Path, dev: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(derivation_text, "PIECE", 8)
        yield write_oracles(
            index_model, tmp_path_factory.mktemp("rules"), OPTIONS, Decoding(threads=2), **dev
        )


def test_oracles_are_the_best_of_all_derivations_of_their_charts(
    folded: Folded, rule_model: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    pairs = [
        (" ".join(source.split()[:4]), " ".join(target.split()[:4]))
        for source, target in zip(folded.lines("de")[:10], folded.lines("en"), strict=False)
    ]
    for number, side in enumerate(("de", "en")):
        (tmp_path / side).write_text("".join(f"{pair[number]}\n" for pair in pairs))
    given = {
        "source": tmp_path / "de",
        "target": tmp_path / "en",
        "decoding": Decoding(search={"pop_limit": 8}),
    }
    options = OracleOptions(least_count=0, beam=5000)
    written = write_oracles(rule_model, tmp_path / "store", options=options, **dev, **given)
    decoder = open_decoder(rule_model, options={"pop_limit": 8})
    found, background = found_in(written.store), background_of(written.store)
    company, length, arities, count = np.array(background.statistics), background.words, set(), 0
    for row, (source, reference) in enumerate(pairs):
        if row % 8 == 0:
            company, length = np.array(background.statistics), background.words
        scored, own = decoder.scored_forest(source), length + len(source.split())
        every = listed(scored.forest)
        count += len(every)
        arities |= {len(scored.forest.edge(edge).tails) for edge in range(scored.forest.edge_count)}

        def value(one: Any, own: float, scores: Any, company: Any, reference: str) -> float:
            statistics = company + Bleu().stats(" ".join(one.words), [reference])
            gain = own * float(Bleu(sentence="none").score(statistics))
            return 0.5 * gain + 0.5 * background.scale * total(one.edges, scores)

        values = [value(one, own, scored.scores, company, reference) for one in every]
        (best,) = found[row]
        assert best.value == pytest.approx(max(values), rel=1e-5)
        assert text(best) == " ".join(every[int(np.argmax(values))].words)
        company = 0.9 * (company + Bleu().stats(text(best), [reference]))
        length = 0.9 * own
    assert arities == {0, 1, 2} and count > 300


def test_derivations_are_trees_of_rules_over_the_sentence(folded: Folded, written: Any) -> None:
    sources, targets, gaps = folded.lines("de"), folded.lines("en"), 0
    found = found_in(written.store)
    assert sorted(found) == list(range(60))
    for row, derivations in found.items():
        for each in derivations:
            own = trees(each)
            for tree in own:
                assert words(tree, "source") == sources[row].split()[tree[0].begin : tree[0].end]
            covered = sorted((tree[0].begin, tree[0].end) for tree in own)
            assert [begin for begin, _ in covered] == [0, *(end for _, end in covered[:-1])]
            assert list(each.matches) == Bleu().stats(text(each), [targets[row]])[:8:2].tolist()
            gaps += any(step.target != step.source and "[X,2]" in step.source for step in each.steps)
        assert len({text(each) for each in derivations}) == len(derivations)
    assert gaps > 0
    unknown = {step.source for each in found.values() for step in each[0].steps if step.origin == UNKNOWN}
    assert unknown and all(len(each) == 1 for each in unknown)


def test_no_sentence_is_translated_by_rules_that_only_itself_has(
    folded: Folded, index_model: Path, dev: dict[str, Any], written: Any, tmp_path: Path
) -> None:
    sides = [folded.lines(side) for side in ("de", "en", "align")]
    limits = Model.open(index_model).grammar_options().rules
    seen_all = found_in(
        write_oracles(index_model, tmp_path, options=OracleOptions(least_count=0), **dev).store
    )
    own = 0
    for row, derivations in found_in(written.store).items():
        if row % 12:
            continue
        rest = [[line for number, line in enumerate(side) if number != row] for side in sides]
        bitext = Bitext(Sentences.of(rest[0]), Sentences.of(rest[1]))
        links = Alignments.of([tuple(map(int, link.split("-"))) for link in line.split()] for line in rest[2])
        table = extract_rules(bitext, links, limits).save(tmp_path / f"{row}.bin")
        known = set(rules_of(table))
        assert {rule_of(step) for each in derivations for step in each.steps if step.origin == TABLE} <= known
        own += len({rule_of(step) for step in seen_all[row][0].steps if step.origin == TABLE} - known)
    assert own > 0


def test_blocks_of_rules_do_not_depend_on_threads_and_resume(
    index_model: Path, dev: dict[str, Any], written: Any, tmp_path: Path
) -> None:
    begun = write_oracles(index_model, tmp_path, OPTIONS, Decoding(threads=1), **dev)
    assert bytes_of(begun.store) == bytes_of(written.store)
    (tmp_path / "derivations.00003").unlink()
    again = write_oracles(index_model, tmp_path, OPTIONS, Decoding(threads=2), **dev)
    assert again.report.resumed == 7 and bytes_of(again.store) == bytes_of(written.store)


def test_rare_rules_of_a_table_are_not_used_and_others_keep_their_features(
    rule_model: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    model = Model.open(rule_model)
    whole = model.rule_source()
    frequent = frequent_model(model, tmp_path / "tables", 2, "whole").rule_source()
    expected = {
        (" ".join(rule.source), " ".join(rule.target)): rule.features for rule in whole if rule.counts[2] >= 2
    }
    assert rules_of(frequent) == expected and 0 < len(expected) < len(whole)
    options = OracleOptions(keep_forests=True)
    store = write_oracles(rule_model, tmp_path / "store", options=options, **dev).store
    used = {
        rule_of(step)
        for derivations in found_in(store).values()
        for step in derivations[0].steps
        if step.origin == TABLE
    }
    assert used <= set(expected)
    assert ForestFile.open(store.path / "forests.00000")[0].feature_names == ("score",)
    with pytest.raises(InputError, match="has no rule with a count of 1000 or more"):
        write_oracles(rule_model, tmp_path / "none", options=OracleOptions(least_count=1000), **dev)


@pytest.mark.parametrize("kind", ["index_model", "rule_model"])
def test_folds_of_rules_are_left_out(
    folded: Folded, kind: str, dev: dict[str, Any], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    model = request.getfixturevalue(kind)
    options = OracleOptions(jackknife=True)
    found = found_in(write_oracles(model, tmp_path / "store", options=options, **dev).store)
    assert sorted(found) == list(range(60))
    with FoldModels.of(request.getfixturevalue("rule_model")).open(1) as directory:
        known = set(rules_of(Model.open(directory).rule_source()))
    for row in np.flatnonzero(folded.fold_of() == 1).tolist():
        assert {rule_of(step) for step in found[row][0].steps if step.origin == TABLE} <= known


def test_rules_of_texts_are_listed_within_derivations_but_not_counted(
    rule_model: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    model = tmp_path / "model"
    shutil.copytree(rule_model, model)
    own = "[X] ||| [X,1] hat [X,2] ||| [2] and [1] ||| Glue=9\n[S] ||| [S,1] . ||| [1] . ||| Glue=9\n"
    (model / "glue.grammar").write_text((model / "glue.grammar").read_text() + own)
    fit_manifest(model)
    weights = {**Model.open(model).weights, "Glue": 4.0}
    options = OracleOptions(mu=1.0, least_count=0)
    store = write_oracles(model, tmp_path / "store", options, Decoding(weights=weights), **dev).store
    found = found_in(store).values()
    given = [step for each in found for step in each[0].steps if step.origin == GIVEN]
    assert {rule_of(step) for step in given} >= {
        ("[X,1] hat [X,2]", "[X,2] and [X,1]"),
        ("[X,1] .", "[X,1] ."),
    }
    assert all(words(tree, "source") for each in found for tree in trees(each[0]))
    counts = count_rule_uses(store.files, tmp_path / "uses", RuleColumns.extracted())
    assert counts.untabled >= len(given)
    assert ("[X,1] hat [X,2]", "[X,2] and [X,1]") not in rules_of(RuleTable.open(tmp_path / "uses"))


def test_an_itg_is_counted_by_its_phrase_pairs(folded: Folded, dev: dict[str, Any], tmp_path: Path) -> None:
    model = folded.train("itg", max_phrase_length=2)
    assert counted_part(Model.open(model)) == "phrases"
    lines = {side: tmp_path / side for side in ("de", "en")}
    for side, path in lines.items():
        path.write_text("".join(f"{line}\n" for line in folded.lines(side)[:6]))
    texts = {"source": lines["de"], "target": lines["en"], "decoding": Decoding(search={"pop_limit": 10})}
    store = write_oracles(
        model, tmp_path / "store", options=replace(OPTIONS, least_count=0), **dev, **texts
    ).store
    tune = {"tune_source": dev["tune_source"], "tune_references": dev["tune_references"]}
    with pytest.raises(OptionError, match=r"orientations needs a model with a reordering model; .* has none"):
        reestimate(model, tmp_path / "none", **tune, options=ReestimateOptions(orientations="derivation"))
    table = Model.open(model).phrase_table()
    for row, derivations in found_in(store).items():
        source = folded.lines("de")[row].split()
        for each in derivations:
            covered = sorted(column for step in each.steps for column in range(step.begin, step.end))
            assert covered == list(range(len(source)))
            for step in each.steps:
                if step.origin == TABLE:
                    pairs = table.lookup(" ".join(source[step.begin : step.end]))
                    assert " ".join(step.target) in {pair.target for pair in pairs}


def test_a_least_count_of_an_index_and_models_without_tables_are_refused(
    index_model: Path, rule_model: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(OptionError, match="least_count removes rare rules of a table"):
        write_oracles(index_model, tmp_path / "one", options=OracleOptions(least_count=3), **dev)
    bare = replace(Model.open(rule_model), rules=Model.open(rule_model).rules[1:])
    with pytest.raises(
        InputError, match="expected phrase tables, or one table or index of rules, but found none"
    ):
        counted_part(bare)
