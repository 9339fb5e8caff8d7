"""Counts of rules and tables made of them, against counts in Python."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from tests.damaged_containers import section_mutations
from tests.reestimate.rule_derivations import Rule, is_gap, rules_of, used_rules

from tunesmith import _native
from tunesmith.errors import InputError
from tunesmith.extract.grammar import RuleTable, import_rules
from tunesmith.reestimate.derivation_file import (
    GIVEN,
    UNKNOWN,
    DerivationFile,
    FoundDerivation,
    PhraseStep,
    add_derivations,
)
from tunesmith.reestimate.interpolation import fit_rows
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.rule_columns import RuleColumns
from tunesmith.reestimate.rule_counting import count_rule_uses

NE = PhraseStep(0, 3, ("does", "not", "[X,1]"), ((0, 1), (2, 1)), source=("ne", "[X,1]", "pas"))
EATS = PhraseStep(1, 2, ("eat",), ((0, 0),), source=("mange",))
DRINKS = PhraseStep(1, 2, ("drink",), ((0, 0),), source=("mange",))
SWAP = PhraseStep(0, 3, ("[X,2]", "of", "[X,1]"), ((1, 1),), source=("[X,1]", "de", "[X,2]"))
STRAIGHT = PhraseStep(0, 3, ("[X,1]", "of", "[X,2]"), ((1, 1),), source=("[X,1]", "de", "[X,2]"))
LAST = PhraseStep(3, 4, (".",), (), UNKNOWN, (".",))


def found(score: float, *steps: PhraseStep) -> FoundDerivation:
    return FoundDerivation(score, 0.0, score, (0, 0, 0, 0), steps)


def word(begin: int, source: str, target: str, origin: int = 0) -> PhraseStep:
    return PhraseStep(begin, begin + 1, (target,), ((0, 0),), origin, (source,))


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Two derivations of one sentence, in which another rule is in the gap, and two of another."""
    writer = _native.DerivationWriter()
    add_derivations(
        writer, 0, "ne mange pas .", 4, [found(-1.0, NE, EATS, LAST), found(-2.0, NE, DRINKS, LAST)]
    )
    swapped = found(-1.0, SWAP, word(2, "b", "B"), word(0, "a", "A"))
    straight = found(-3.0, STRAIGHT, word(0, "a", "A", GIVEN), word(2, "b", "B"))
    add_derivations(writer, 5, "a de b", 3, [swapped, straight])
    writer.write(str(tmp_path / "made"))
    return tmp_path / "made"


def test_a_file_has_rules_with_their_gaps_columns_and_links(made: Path) -> None:
    file = DerivationFile.open(made)
    assert file.native.of_rules and file.sentences.tolist() == [0, 5]
    first, second = file.found(0)
    assert first.steps == (NE, EATS, LAST) and second.steps == (NE, DRINKS, LAST)
    assert [step.target for step in next(file.found(1)).steps] == [SWAP.target, ("B",), ("A",)]


def test_rules_are_counted_by_hand(made: Path, tmp_path: Path) -> None:
    counts = count_rule_uses([made], tmp_path / "uses", RuleColumns.extracted())
    assert (counts.sentences, counts.derivations, counts.uses, counts.untabled) == (2, 4, 9, 3)
    table = RuleTable.open(tmp_path / "uses")
    joint = {key: rule.counts[2] for rule, key in zip(table, rules_of(table), strict=True)}
    assert joint == {
        ("ne [X,1] pas", "does not [X,1]"): 2,
        ("mange", "eat"): 1,
        ("mange", "drink"): 1,
        ("[X,1] de [X,2]", "[X,2] of [X,1]"): 1,
        ("[X,1] de [X,2]", "[X,1] of [X,2]"): 1,
        ("b", "B"): 2,
        ("a", "A"): 1,
    }
    assert counts.pairs == len(joint)
    features = rules_of(table)["mange", "eat"]
    assert features["EgivenFCoherent"] == pytest.approx(math.log10(2)) and features["FgivenE"] == 0


def test_derivations_of_rules_count_evenly_if_asked(made: Path, tmp_path: Path) -> None:
    count_rule_uses([made, made], tmp_path / "uses", RuleColumns.extracted(), nbest_weight="even")
    table = RuleTable.open(tmp_path / "uses")
    joint = {key: rule.counts[2] for rule, key in zip(table, rules_of(table), strict=True)}
    expected = used_rules([made, made], lambda all_, one: 1 / len(all_))
    assert joint == pytest.approx(expected)


def test_translations_and_links_of_rules_are_in_their_places(made: Path) -> None:
    text = OracleText.read([made])
    assert [text.bitext.target.text(number) for number in range(2)] == ["does not eat .", "B of A"]
    links = [sorted(map(tuple, text.alignments[number].tolist())) for number in range(2)]
    assert links == [[(0, 1), (1, 2), (2, 1)], [(0, 2), (1, 1), (2, 0)]]
    tabled = OracleText.read([made], untabled=False)
    assert tabled.bitext.source.text(0) == "ne mange pas" and tabled.bitext.target.text(0) == "does not eat"


@pytest.mark.parametrize(
    "steps",
    [
        (NE, LAST),  # its gap is filled by something beside it
        (NE,),
        (EATS, EATS),
        (NE._replace(source=("ne", "[X,1]", "plus")), EATS, LAST),
        (NE._replace(target=("does", "[X,1]", "[X,1]")), EATS, EATS, LAST),
        (NE._replace(links=((1, 1),)), EATS, LAST),
        (NE._replace(begin=1), EATS, LAST),
    ],
)
def test_steps_that_are_no_derivation_of_the_sentence_are_refused(steps: tuple[PhraseStep, ...]) -> None:
    with pytest.raises(InputError, match="derivations of a sentence have a"):
        add_derivations(_native.DerivationWriter(), 0, "ne mange pas .", 4, [found(0.0, *steps)])


def test_phrases_and_rules_are_not_in_one_file() -> None:
    writer = _native.DerivationWriter()
    add_derivations(writer, 0, "a", 1, [found(0.0, word(0, "a", "A"))])
    with pytest.raises(InputError, match="phrases and of rules cannot be in one file"):
        add_derivations(writer, 1, "a", 1, [found(0.0, PhraseStep(0, 1, ("A",)))])


def test_damaged_files_of_rules_are_errors_or_can_be_used(made: Path, tmp_path: Path) -> None:
    refused = 0
    for _, damaged in section_mutations(made.read_bytes(), 60):
        (tmp_path / "file").write_bytes(damaged)
        try:
            count_rule_uses([tmp_path / "file"], tmp_path / "uses", RuleColumns.extracted())
            OracleText.read([tmp_path / "file"])
        except InputError:
            refused += 1
    assert refused > 10


GRAMMAR = """[X] ||| a ||| A ||| EgivenFCoherent=0.1 FgivenE=0.2 MaxLexEgivenF=1 Other=5 ||| 0-0
[X] ||| a ||| B ||| EgivenFCoherent=0.5 FgivenE=0.3 MaxLexEgivenF=2 Other=6 ||| 0-0
[X] ||| [X,1] b ||| B [1] ||| EgivenFCoherent=0.7 FgivenE=0.4 MaxLexEgivenF=3 Other=7 ||| 1-0
"""
USED = """[X] ||| [X,1] b ||| B [1] ||| EgivenFCoherent=0.25 FgivenE=0.5 MaxLexEgivenF=9
[X] ||| a ||| B ||| EgivenFCoherent=0 FgivenE=0.125 MaxLexEgivenF=9
"""


def grammars(folder: Path) -> tuple[RuleTable, RuleTable]:
    (folder / "all").write_text(GRAMMAR)
    (folder / "used").write_text(USED)
    return import_rules(folder / "all", folder / "all.bin"), import_rules(
        folder / "used", folder / "used.bin"
    )


def test_tables_keep_what_is_not_re_estimated_and_mix_probabilities(tmp_path: Path) -> None:
    every, used = grammars(tmp_path)
    columns = RuleColumns.of(every)
    replaced = [
        used.names.index(name) if name in ("EgivenFCoherent", "FgivenE") else -1 for name in every.names
    ]
    alone = tmp_path / "alone.bin"
    _native.write_reestimated_rules(str(used.path), str(every.path), replaced, str(alone), "{}")
    before, fresh, after = rules_of(every), rules_of(used), rules_of(RuleTable.open(alone))
    assert set(after) == set(fresh)
    for rule, features in after.items():
        for name, value in features.items():
            expected = fresh[rule] if name in ("EgivenFCoherent", "FgivenE") else before[rule]
            assert value == pytest.approx(expected[name])
    mixed = tmp_path / "mixed.bin"
    kinds = columns.kinds(relex=False)
    _native.interpolate_rules(str(alone), str(every.path), 0.3, kinds, str(mixed), "{}")
    for rule, features in rules_of(RuleTable.open(mixed)).items():
        for name, value in features.items():
            if name not in ("EgivenFCoherent", "FgivenE"):
                assert value == before[rule][name]
                continue
            new = 10 ** -fresh[rule][name] if rule in fresh else 0.0
            assert 10**-value == pytest.approx(0.3 * new + 0.7 * 10 ** -before[rule][name], rel=1e-5)
    assert len(RuleTable.open(mixed)) == 3
    with pytest.raises(InputError, match=r"has no rule 'a' \|\|\| 'A', which a derivation uses"):
        _native.write_reestimated_rules(str(every.path), str(used.path), [0, 1, 2], str(alone), "{}")


def test_a_weight_is_fitted_to_rules_whose_source_side_both_tables_have(tmp_path: Path) -> None:
    every, used = grammars(tmp_path)
    (tmp_path / "dev").write_text(
        "[X] ||| a ||| A ||| EgivenFCoherent=1\n[X] ||| a ||| B ||| EgivenFCoherent=1\n"
        "[X] ||| a ||| C ||| EgivenFCoherent=1\n[X] ||| c ||| C ||| EgivenFCoherent=1\n"
    )
    dev = import_rules(tmp_path / "dev", tmp_path / "dev.bin")
    column, kind = RuleColumns.of(every).direct
    rows = _native.matched_rule_scores(str(dev.path), [str(used.path), str(every.path)], column, kind)
    found_rows = {tuple(np.round(row, 4)) for row in rows.tolist()}
    old = round(10**-0.1, 4), round(10**-0.5, 4)
    assert found_rows == {(1, 0, old[0]), (1, 1, old[1]), (1, 0, 0), (1, -1, -1)}
    fit = fit_rows(rows, None, "rules")
    grid = np.linspace(0.001, 0.999, 999)
    likelihoods = [math.log((1 - at) * 10**-0.1) + math.log(at + (1 - at) * 10**-0.5) for at in grid]
    assert fit.weight == pytest.approx(grid[int(np.argmax(likelihoods))], abs=2e-3)
    assert fit.missing == 2


def test_tables_without_probabilities_or_counts_are_refused(tmp_path: Path) -> None:
    every, _ = grammars(tmp_path)
    (tmp_path / "bare").write_text("[X] ||| a ||| A ||| EgivenF=0.1\n")
    with pytest.raises(InputError, match=r"has no feature of p\(f\|e\), which is re-estimated"):
        RuleColumns.of(import_rules(tmp_path / "bare", tmp_path / "bare.bin"))
    with pytest.raises(InputError, match="has no counts of its rules"):
        _native.write_frequent_rules(str(every.path), 2, str(tmp_path / "frequent.bin"), "{}")


def test_gaps_of_target_sides_do_not_tell_them_apart_in_marginal_counts(made: Path, tmp_path: Path) -> None:
    """As of extracted rules: p(f|e) is of the target words, whichever gap is where."""
    count_rule_uses([made], tmp_path / "uses", RuleColumns.extracted())
    by_target: Counter[str] = Counter()
    for rule, count in used_rules([made]).items():
        by_target[shape(rule)] += count
    for rule, features in rules_of(RuleTable.open(tmp_path / "uses")).items():
        expected = used_rules([made])[rule] / by_target[shape(rule)]
        assert 10 ** -features["FgivenE"] == pytest.approx(expected)


def shape(rule: Rule) -> str:
    return " ".join("[X]" if is_gap(token) else token for token in rule[1].split())
