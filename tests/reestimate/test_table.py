"""Re-estimated tables, and their mixtures with the baseline, against arithmetic."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from tests.reestimate.decoded_derivations import Pair, used_pairs, write_decoded

from tunesmith import _native
from tunesmith.corpus import Alignments, Bitext, Vocabulary
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.extract.tables import build_table
from tunesmith.model import Model
from tunesmith.reestimate.counting import count_uses
from tunesmith.reestimate.derivation_file import FoundDerivation, PhraseStep, add_derivations
from tunesmith.reestimate.interpolation import fit_weight, interpolate_with, pairs_of
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.table import PROBABILITIES, empty_lexicon, reestimated_table
from tunesmith.tables import PhrasePair, PhraseTable
from tunesmith.tables.build import PhraseTableBuilder

KEPT = "lex(f|e)", "lex(e|f)"


def by_pair(table: PhraseTable) -> dict[Pair, PhrasePair]:
    return {(pair.source, pair.target): pair for pair in table}


@pytest.fixture(scope="module")
def folder(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Derivations of 60 sentences, their counts, and the table of them."""
    made = tmp_path_factory.mktemp("made")
    sources = (small_model / "source.txt").read_text().splitlines()[:60]
    path = write_decoded(small_model, sources, made / "derivations")
    count_uses([path], made / "uses", made / "extracted", max_length=4)
    reestimated_table(
        PhraseCounts.open(made / "uses"),
        Model.open(small_model).phrase_table(),
        made / "table",
        orientations=PhraseCounts.open(made / "extracted"),
        scratch=made,
    )
    return made


@pytest.fixture(scope="module")
def table(folder: Path) -> dict[Pair, PhrasePair]:
    return by_pair(PhraseTable.open(folder / "table"))


@pytest.fixture(scope="module")
def baseline(small_model: Path) -> PhraseTable:
    return Model.open(small_model).phrase_table()


def test_a_table_has_the_used_pairs_with_the_names_of_the_baseline(
    folder: Path, table: dict[Pair, PhrasePair], baseline: PhraseTable
) -> None:
    opened = PhraseTable.open(folder / "table")
    assert set(table) == set(used_pairs(folder / "derivations"))
    assert opened.score_names == baseline.score_names
    assert opened.reordering_models == baseline.reordering_models
    assert opened.instances == sum(used_pairs(folder / "derivations").values())


def test_lexical_weights_and_links_are_those_of_the_baseline(
    table: dict[Pair, PhrasePair], baseline: PhraseTable
) -> None:
    for pair in table.values():
        (kept,) = [each for each in baseline.lookup(pair.source) if each.target == pair.target]
        assert [pair.scores[name] for name in KEPT] == [kept.scores[name] for name in KEPT]
        assert pair.alignment == kept.alignment


def test_scores_and_reordering_are_those_of_tables_of_the_same_counts(
    folder: Path, table: dict[Pair, PhrasePair], baseline: PhraseTable
) -> None:
    models = [name for name, _ in baseline.reordering_models]
    scored = build_table(
        PhraseCounts.open(folder / "uses"), empty_lexicon(), folder / "scored", reordering=[]
    )
    oriented = build_table(
        PhraseCounts.open(folder / "extracted"), empty_lexicon(), folder / "oriented", reordering=models
    )
    orientations = by_pair(oriented)
    for key, pair in by_pair(scored).items():
        assert [table[key].scores[name] for name in PROBABILITIES] == [
            pair.scores[name] for name in PROBABILITIES
        ]
        assert table[key].joint_count == pair.joint_count
        assert table[key].reordering == orientations[key].reordering


def test_reordering_probabilities_may_be_those_of_the_baseline(
    folder: Path, baseline: PhraseTable, tmp_path: Path
) -> None:
    uses = PhraseCounts.open(folder / "uses")
    kept = reestimated_table(uses, baseline, tmp_path / "kept", keep_reordering=True, scratch=tmp_path)
    mixed = interpolate_with(kept, baseline, tmp_path / "mixed", 0.3, PROBABILITIES)
    counted = by_pair(PhraseTable.open(folder / "table"))
    differing = 0
    for key, pair in by_pair(kept).items():
        (there,) = [each for each in baseline.lookup(key[0]) if each.target == key[1]]
        (both,) = [each for each in mixed.lookup(key[0]) if each.target == key[1]]
        assert pair.reordering == there.reordering
        assert both.reordering == pytest.approx(there.reordering, rel=1e-6)
        assert pair.scores == counted[key].scores
        differing += pair.reordering != counted[key].reordering
    assert differing > 20


def test_smoothing_is_applied_to_the_counts_of_uses(
    folder: Path, baseline: PhraseTable, tmp_path: Path
) -> None:
    uses = PhraseCounts.open(folder / "uses")
    shared = {"smoothing": "kneser-ney"}
    made = reestimated_table(uses, baseline, tmp_path / "table", scratch=tmp_path, **shared)
    expected = by_pair(build_table(uses, empty_lexicon(), tmp_path / "scored", reordering=[], **shared))
    for key, pair in by_pair(made).items():
        assert pair.scores["p(e|f)"] == expected[key].scores["p(e|f)"]


def test_relex_computes_lexical_weights_from_the_links_of_the_derivations(
    folder: Path, baseline: PhraseTable, tmp_path: Path
) -> None:
    text = OracleText.read([folder / "derivations"])
    lexicon = Lexicon.estimate(text.bitext, text.alignments)
    uses = PhraseCounts.open(folder / "uses")
    made = reestimated_table(uses, baseline, tmp_path / "table", lexicon=lexicon, scratch=tmp_path)
    single = [p for p in made if p.alignment == ((0, 0),) and " " not in p.source + p.target]
    assert len(single) > 20
    for pair in single:
        inverse, direct = lexicon.probability(pair.source, pair.target)
        assert pair.scores["lex(f|e)"] == pytest.approx(inverse)
        assert pair.scores["lex(e|f)"] == pytest.approx(direct)


def test_a_pair_that_the_model_lacks_is_refused(baseline: PhraseTable, tmp_path: Path) -> None:
    found = FoundDerivation(0, 0, 0, (0, 0, 0, 0), (PhraseStep(0, 1, ("unheard", "of"), ((0, 0),)),))
    writer = _native.DerivationWriter()
    add_derivations(writer, 0, "qwert", 1, [found])
    writer.write(str(tmp_path / "file"))
    count_uses([tmp_path / "file"], tmp_path / "uses")
    with pytest.raises(InputError, match="no pair 'qwert' \\|\\|\\| 'unheard of', which a derivation uses"):
        reestimated_table(
            PhraseCounts.open(tmp_path / "uses"), baseline, tmp_path / "table", scratch=tmp_path
        )
    assert not (tmp_path / "table").exists()


def test_a_mixture_is_linear_in_probabilities_and_keeps_the_rest(
    folder: Path, table: dict[Pair, PhrasePair], baseline: PhraseTable, tmp_path: Path
) -> None:
    whole = by_pair(baseline)
    mixed = by_pair(
        interpolate_with(PhraseTable.open(folder / "table"), baseline, tmp_path / "mixed", 0.3, PROBABILITIES)
    )
    assert set(mixed) == set(whole)
    assert set(table) < set(whole)
    others = sorted(set(mixed) - set(table))[::20]
    for key, pair in ((key, mixed[key]) for key in [*table, *others]):
        new, old = table.get(key), whole[key]
        for name in PROBABILITIES:
            part = 0.0 if new is None else new.scores[name]
            assert pair.scores[name] == pytest.approx(0.3 * part + 0.7 * old.scores[name])
        assert [pair.scores[name] for name in KEPT] == pytest.approx([old.scores[name] for name in KEPT])
        rows = [old.reordering] if new is None else [new.reordering, old.reordering]
        parts = [1.0] if new is None else [0.3, 0.7]
        mean = np.average(rows, axis=0, weights=parts)
        assert pair.reordering == pytest.approx(mean.tolist())
        assert pair.joint_count == old.joint_count + (0 if new is None else new.joint_count)


@pytest.mark.parametrize("weight", [0.0, 1.0, math.nan])
def test_a_mixture_needs_both_tables(
    folder: Path, baseline: PhraseTable, tmp_path: Path, weight: float
) -> None:
    with pytest.raises(OptionError, match="table_weight must be between 0 and 1"):
        interpolate_with(PhraseTable.open(folder / "table"), baseline, tmp_path / "mixed", weight, ())


def write_table(
    path: Path, probabilities: dict[Pair, float], counts: dict[Pair, float] | None = None
) -> PhraseTable:
    """A table with these p(e|f)."""
    source, target = Vocabulary(), Vocabulary()
    with PhraseTableBuilder(path) as builder:
        for first, group in itertools.groupby(sorted(probabilities), key=lambda pair: pair[0]):
            builder.native.begin_source([source.add(word) for word in first.split()])
            for pair in group:
                numbers = [target.add(word) for word in pair[1].split()]
                scores = [0.5, 0.5, probabilities[pair], 0.5]
                builder.native.add(numbers, [(0, 0)], scores, [], [1, 1, (counts or {}).get(pair, 1)])
        return builder.finish(source, target)


def test_em_finds_the_weight_that_a_numeric_search_finds(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    pairs = [(f"{f} {f}", f"e{e}") for f in "abcdefgh" for e in range(4)]
    new = {pair: float(p) for pair, p in zip(pairs, random.uniform(0.01, 1, 32), strict=True)}
    old = {pair: float(p) for pair, p in zip(pairs, random.uniform(0.01, 1, 32), strict=True)}
    del new["a a", "e0"], old["b b", "e1"]
    counts = {pair: float(c) for pair, c in zip(pairs, random.integers(1, 9, 32), strict=True)}
    counts["z", "other words"] = 5.0  # in neither table
    counts["y", "e1"] = 7.0
    old["y", "e1"] = 0.5  # a source phrase that the re-estimated table does not have
    tables = [write_table(tmp_path / name, each) for name, each in (("new", new), ("old", old))]
    fit = fit_weight(write_table(tmp_path / "dev", dict.fromkeys(counts, 0.5), counts), *tables)

    def entropy(weight: float) -> float:
        logs = [
            count * math.log2(weight * new.get(pair, 0.0) + (1 - weight) * old.get(pair, 0.0))
            for pair, count in counts.items()
            if pair[0] not in ("y", "z")
        ]
        return -sum(logs) / (sum(counts.values()) - 12)

    best = minimize_scalar(entropy, bounds=(0, 1), method="bounded", options={"xatol": 1e-9})
    assert fit.weight == pytest.approx(best.x, abs=1e-3)
    assert 0.1 < fit.weight < 0.9
    assert fit.perplexity == pytest.approx(2**best.fun, rel=1e-5)
    assert fit.curve == pytest.approx(
        {f"{at / 10:.1f}": 2 ** entropy(at / 10) for at in range(1, 10)}, rel=1e-5
    )
    assert (fit.missing, fit.instances) == (12.0, sum(counts.values()))


def test_a_text_without_known_pairs_cannot_choose_a_weight(tmp_path: Path) -> None:
    known = write_table(tmp_path / "known", {("a", "b"): 1.0})
    unknown = write_table(tmp_path / "unknown", {("b", "a"): 1.0})
    with pytest.raises(InputError, match="none of the phrase pairs of the tuning text"):
        fit_weight(unknown, known, known)
    assert fit_weight(unknown, known, known, 0.5).curve == {}


def test_pairs_of_a_text_are_extracted_with_given_links(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a b\n")
    (tmp_path / "e").write_text("x y\n")
    bitext = Bitext.read(tmp_path / "f", tmp_path / "e")
    found = pairs_of(bitext, Alignments.of([[(0, 1), (1, 0)]]), tmp_path)
    assert set(by_pair(found)) == {("a", "y"), ("b", "x"), ("a b", "x y")}
