"""Oracles of the training text: what is searched for, by blocks, resumed, without rare pairs, by folds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.model.jackknife.folded import Folded

from tunesmith import _native
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.errors import InputError, OptionError
from tunesmith.forest.file import ForestFile
from tunesmith.forest.oracle import nbest_oracle_bleu
from tunesmith.metrics import Bleu
from tunesmith.model.jackknife import FoldModels, JackknifeOptions
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate import derivation_text
from tunesmith.reestimate.background import Background, scale_of
from tunesmith.reestimate.derivation_file import UNKNOWN, DerivationFile, FoundDerivation
from tunesmith.reestimate.frequent_pairs import frequent_model
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import background_of, write_oracles
from tunesmith.reestimate.store import DerivationStore

OPTIONS = OracleOptions(nbest=3, compare=2)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derivation_text, "PIECE", 8)


@pytest.fixture(scope="module")
def written(model: Path, dev: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(derivation_text, "PIECE", 8)
        yield write_oracles(model, tmp_path_factory.mktemp("oracles"), OPTIONS, Decoding(threads=2), **dev)


@pytest.fixture(scope="module")
def decoder(model: Path, tmp_path_factory: pytest.TempPathFactory) -> PhraseDecoder:
    """The decoder without rare pairs."""
    whole = open_decoder(model)
    frequent = frequent_model(whole.model, tmp_path_factory.mktemp("frequent"), 2, "whole")
    decoder = type(whole)(frequent, whole.weights, whole.options, whole.templates)
    assert isinstance(decoder, PhraseDecoder)
    return decoder


def found_in(store: DerivationStore) -> dict[int, list[FoundDerivation]]:
    """Return the derivations of each row of the text."""
    return {
        int(row): list(file.found(number))
        for file in store.open_files()
        for number, row in enumerate(file.sentences)
    }


def bytes_of(store: DerivationStore) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in store.files}


def string(derivation: FoundDerivation) -> str:
    return " ".join(word for step in derivation.steps for word in step.target)


def test_oracles_are_those_of_the_forest_within_the_pseudo_document(
    folded: Folded, decoder: PhraseDecoder, written: Any
) -> None:
    sources, targets = folded.lines("de"), folded.lines("en")
    background, found = background_of(written.store), found_in(written.store)
    assert sorted(found) == list(range(60))
    best = np.zeros(9)
    for first in range(0, 60, 8):
        company, words = np.array(background.statistics), background.words
        for row in range(first, min(first + 8, 60)):
            forest = decoder.scored_forest(sources[row])
            own = words + len(sources[row].split())
            wanted = nbest_oracle_bleu(
                forest.forest,
                [targets[row]],
                3,
                metric=Bleu(sentence="none"),
                background=company,
                scaled=False,
                scores=forest.scores,
                model_weight=0.5 * background.scale,
                metric_weight=0.5 * own,
            )
            assert [string(each) for each in found[row]] == [one.derivation.text for one in wanted]
            for each, one in zip(found[row], wanted, strict=True):
                assert (each.score, each.gain, each.value) == pytest.approx(
                    (one.model, own * one.gain, one.score), rel=1e-5
                )
                assert list(each.matches) == one.stats[:8:2].tolist()
            company = 0.9 * (company + wanted[0].stats)
            words = 0.9 * own
            best += wanted[0].stats
    assert written.store.counts.oracle == pytest.approx(best.tolist())
    assert written.store.counts.bleu("oracle") > written.store.counts.bleu("best")


def test_derivations_are_those_that_the_decoder_can_replay(
    folded: Folded, decoder: PhraseDecoder, written: Any
) -> None:
    sources, table = folded.lines("de"), decoder.model.phrase_table()
    for row, derivations in found_in(written.store).items():
        words = sources[row].split()
        for each in derivations[:1]:
            phrases = [(step.begin, step.end, " ".join(step.target)) for step in each.steps]
            values = decoder.replay(sources[row], phrases)
            score = sum(decoder.weights[name] * value for part in values for name, value in part.items())
            assert each.score == pytest.approx(score, rel=1e-4, abs=1e-3)
            for step in each.steps:
                if step.origin == UNKNOWN:
                    assert step.links == ((0, 0),) and step.target == (words[step.begin],)
                    continue
                pairs = table.lookup(" ".join(words[step.begin : step.end]))
                (pair,) = [pair for pair in pairs if pair.target == " ".join(step.target)]
                assert step.links == tuple(map(tuple, pair.alignment))


def test_blocks_do_not_depend_on_each_other_or_on_threads(
    folded: Folded, model: Path, dev: dict[str, Any], written: Any, tmp_path: Path
) -> None:
    again = write_oracles(model, tmp_path / "again", OPTIONS, Decoding(threads=1), **dev)
    assert bytes_of(again.store) == bytes_of(written.store)
    for side in ("de", "en"):
        lines = folded.lines(side)[8:16]
        (tmp_path / side).write_text("".join(f"{line}\n" for line in lines))
    text = {"source": tmp_path / "de", "target": tmp_path / "en"}
    alone = write_oracles(model, tmp_path / "alone", options=OPTIONS, **dev, **text)
    every = found_in(written.store)
    assert found_in(alone.store) == {row: every[8 + row] for row in range(8)}


def test_a_run_that_is_continued_has_the_same_background_and_options(
    model: Path, dev: dict[str, Any], written: Any, tmp_path: Path
) -> None:
    shutil.copytree(written.store.path, tmp_path / "run")
    (tmp_path / "run" / "derivations.00003").unlink()
    said: list[str] = []
    again = write_oracles(model, tmp_path / "run", OPTIONS, Decoding(progress=said.append), **dev)
    assert again.report.resumed == 7 and "translating the tuning set" not in said
    assert bytes_of(again.store) == bytes_of(written.store)
    assert background_of(again.store) == background_of(written.store)
    with pytest.raises(OptionError, match=r"derivations with mu 0\.5, not 0\.25; use"):
        write_oracles(model, tmp_path / "run", options=replace(OPTIONS, mu=0.25), **dev)


def test_without_a_share_of_the_model_score_bleu_alone_is_maximized(
    model: Path, dev: dict[str, Any], written: Any, tmp_path: Path
) -> None:
    options = OracleOptions(mu=0.0, least_count=0, keep_forests=True)
    found = write_oracles(model, tmp_path, options=options, **dev).store
    for derivations in found_in(found).values():
        (each,) = derivations
        assert each.value == pytest.approx(each.gain)
    assert found.counts.bleu("oracle") > written.store.counts.bleu("oracle")
    forests = ForestFile.open(tmp_path / "forests.00000")
    assert len(forests) == 8 and forests[0].feature_names == ("score",)


def test_the_model_score_is_multiplied_by_a_given_factor(
    model: Path, dev: dict[str, Any], written: Any, tmp_path: Path
) -> None:
    """The sum of the paper, as printed: it is that of another mu under the fitted factor."""
    said: list[str] = []
    literal = replace(OPTIONS, model_scale=1.0)
    found = write_oracles(model, tmp_path / "literal", literal, Decoding(progress=said.append), **dev)
    assert background_of(found.store) == replace(background_of(written.store), scale=1.0, given=True)
    assert any(line.startswith("model scores are multiplied by 1, as given: within") for line in said)
    for derivations in found_in(found.store).values():
        for each in derivations:
            assert each.value == pytest.approx(0.5 * each.gain + 0.5 * each.score, rel=1e-5)
    scale = background_of(written.store).scale
    same = replace(OPTIONS, mu=1 / (1 + scale))
    again = write_oracles(model, tmp_path / "same", options=same, **dev)
    strings = (
        {row: [string(each) for each in derivations] for row, derivations in found_in(store).items()}
        for store in (found.store, again.store)
    )
    assert next(strings) == next(strings)
    with pytest.raises(OptionError, match=r"derivations with model_scale 1\.0, not none"):
        write_oracles(model, tmp_path / "literal", options=OPTIONS, **dev)


def test_a_given_factor_needs_no_model_scores_that_differ(
    model: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    nothing = dict.fromkeys(open_decoder(model).weights, 0.0)
    with pytest.raises(InputError, match="the same model score"):
        write_oracles(model, tmp_path / "fitted", OPTIONS, Decoding(weights=nothing), **dev)
    literal = replace(OPTIONS, model_scale=1.0)
    found = write_oracles(model, tmp_path / "given", literal, Decoding(weights=nothing), **dev)
    assert (background_of(found.store).scale, background_of(found.store).model_deviation) == (1.0, 0.0)


def test_rare_pairs_are_not_used_and_others_keep_their_probabilities(
    model: Path, folded: Folded, decoder: PhraseDecoder, written: Any
) -> None:
    whole = open_decoder(model).model.phrase_table()
    frequent = decoder.model.phrase_table()
    assert 0 < len(frequent) < len(whole)
    known = {(pair.source, pair.target): pair for pair in whole}
    assert {(pair.source, pair.target) for pair in frequent} == {
        key for key, pair in known.items() if pair.joint_count >= 2
    }
    assert all(known[pair.source, pair.target].scores == pair.scores for pair in frequent)


def test_folds_are_left_out(
    folded: Folded, model: Path, dev: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(OPTIONS, jackknife=True, least_count=1)
    store = write_oracles(model, tmp_path / "store", options=options, **dev).store
    found = found_in(store)
    assert sorted(found) == list(range(60))
    with FoldModels.of(model).open(1) as directory:
        table = open_decoder(directory).model.phrase_table()
        for row in np.flatnonzero(folded.fold_of() == 1).tolist():
            words = folded.lines("de")[row].split()
            for step in found[row][0].steps:
                pairs = table.lookup(" ".join(words[step.begin : step.end]))
                known = {pair.target for pair in pairs}
                assert step.origin == UNKNOWN or " ".join(step.target) in known
    for file in store.open_files():
        assert len(set(folded.fold_of()[file.sentences])) == 1


def test_the_scale_compares_deviations_within_lists() -> None:
    generator = np.random.default_rng(5)
    offsets, lengths = np.array([0, 3, 4, 8]), np.array([4.0, 6.0, 5.0])
    statistics = np.column_stack(
        [part for n in range(4) for part in (generator.integers(0, 4, 8), np.full(8, 6 - n))]
        + [np.full(8, 6)]
    ).astype(np.float64)
    scores, company = generator.normal(size=8), np.array([9.5, 12, 5, 11, 3, 10, 2, 9, 13])
    scale, bleu, model = scale_of(statistics, scores, offsets, lengths, company, 20.0, 0.5)
    gains = [
        (20.0 + length) * float(Bleu(sentence="none").score(company + statistics[candidate]))
        for length, begin, end in zip(lengths, offsets, offsets[1:], strict=False)
        for candidate in range(begin, end)
    ]
    wanted = [np.sqrt((np.var(each[:3]) + np.var(each[4:])) / 2) for each in (gains, scores)]
    assert (bleu, model) == pytest.approx(wanted)
    assert scale == pytest.approx(wanted[0] / wanted[1])
    for changed, message in (
        ({1: np.zeros(8)}, "the same model score"),
        ({0: np.ones_like(statistics)}, "the same BLEU"),
        ({4: np.zeros(9)}, "share no word with the references"),
        ({4: company * [1, 1, 1, 1, 1, 1, 0, 0, 1]}, "has 4 words, .* too short; .* or model_scale"),
    ):
        given = [statistics, scores, offsets, lengths, company, 20.0]
        for place, values in changed.items():
            given[place] = values
        with pytest.raises(InputError, match=message):
            scale_of(*given, mu=0.5)
        assert scale_of(*given, mu=0.0)[0] >= 0
        assert scale_of(*given, mu=0.5, given=3.0)[0] == 3.0


def test_the_background_is_the_steady_state_of_the_pseudo_document(
    folded: Folded, decoder: PhraseDecoder, written: Any
) -> None:
    sources, targets = folded.lines("de")[:12], folded.lines("en")[:12]
    texts = [decoder.translate(line).text for line in sources]
    stats = np.mean([Bleu().stats(text, [ref]) for text, ref in zip(texts, targets, strict=True)], axis=0)
    background = background_of(written.store)
    assert isinstance(background, Background)
    assert background.statistics == pytest.approx((9 * stats).tolist())
    assert 0.9 * (np.array(background.statistics) + stats) == pytest.approx(np.array(background.statistics))
    assert background.words == pytest.approx(9 * np.mean([len(line.split()) for line in sources]))


def test_the_loss_of_the_beam_is_measured_on_some_sentences(
    model: Path, dev: dict[str, Any], tmp_path: Path, written: Any
) -> None:
    counts = written.store.counts
    assert counts.compared == 16 and counts.exact > 0 and counts.value_loss >= 0
    options = OracleOptions(beam=1, mu=0.0, least_count=0, compare=8)
    narrow = write_oracles(model, tmp_path, options=options, **dev).store.counts
    assert narrow.compared == 60 and narrow.value_loss > 0 and narrow.value_loss_of_all > 0
    assert narrow.bleu("beam_sums") < narrow.bleu("exact_sums")
    assert "of 60 sentences; there the beam loses" in narrow.loss()


def test_a_text_of_one_side_and_a_missing_tuning_set_are_refused(
    model: Path, dev: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(OptionError, match="other text has two sides"):
        write_oracles(model, tmp_path / "one", **dev, source=dev["tune_source"])
    with pytest.raises(OptionError, match="at least one"):
        write_oracles(model, tmp_path / "two", tune_source=dev["tune_source"], tune_references=[])
    with pytest.raises(OptionError, match="fold_file is about other text"):
        folds = JackknifeOptions(jackknife=True, fold_file=tmp_path / "folds")
        write_oracles(
            model, tmp_path / "folds", OracleOptions(jackknife=True), Decoding(jackknife=folds), **dev
        )
    with pytest.raises(InputError, match="no phrase pair with a count of 1000"):
        write_oracles(model, tmp_path / "three", options=OracleOptions(least_count=1000), **dev)


def test_sentences_that_are_too_long_for_the_file_are_counted(model: Path, tmp_path: Path) -> None:
    decoder, found = open_decoder(model), []
    line = "x " * 70_000
    blob = np.frombuffer(line.encode(), dtype=np.uint8)
    texts = blob, np.array([0, len(line)])
    _native.decode_oracles(
        decoder.native_model,
        decoder.native_options(forest=False),
        texts,
        texts,
        np.zeros(1, dtype=np.uint32),
        [(0, 1, str(tmp_path / "file"), "")],
        _native.OracleSettings(),
        1,
        lambda block, counts: found.append((block, counts.too_large, counts.sentences)),
    )
    assert found == [(0, 1, 0)] and len(DerivationFile.open(tmp_path / "file")) == 0


def test_a_given_scale_needs_no_tuning_set_with_a_bleu_above_0(
    folded: Folded, model: Path, tmp_path: Path
) -> None:
    sides = {"tune_source": "de", "tune_references": "en"}
    short: dict[str, Any] = {}
    for name, side in sides.items():
        path = tmp_path / side
        path.write_text("".join(" ".join(line.split()[:2]) + "\n" for line in folded.lines(side)[:12]))
        short[name] = path if side == "de" else [path]
    with pytest.raises(InputError, match=r"no 1-best translation .* has 4 words, .* or model_scale"):
        write_oracles(model, tmp_path / "fitted", OPTIONS, Decoding(threads=1), **short)
    given = replace(OPTIONS, model_scale=2.0)
    made = write_oracles(model, tmp_path / "given", given, Decoding(threads=1), **short)
    assert background_of(made.store).scale == 2.0 and made.store.counts.derivations > 0
