"""Phrase pairs counted in the alignments of several aligners."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.once import made_once
from tests.small_models import write_small_corpus
from typer.testing import CliRunner

from tunesmith.cli.main import _build
from tunesmith.decode import open_decoder
from tunesmith.decode.forced import ForcedOptions, Forcing
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.lexicon import Lexicon
from tunesmith.extract.phrases import PhraseCounts
from tunesmith.model import Model, train
from tunesmith.model.extracted import check_sentence_counts, count_aligners
from tunesmith.model.parts.names import (
    ALIGNER,
    ALIGNMENT,
    COUNTS,
    LEXICON,
    LM,
    PHRASES,
    WORD_ORDER,
    joined_aligner,
    joined_alignment,
)
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracles import check_least_count
from tunesmith.tables import PhraseTable

OPTIONS = {"lm_order": 3, "folds": 2}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def models(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Models with each of two aligners, and with both."""

    def make(folder: Path) -> None:
        for name, aligner in {"hmm": "hmm", "diagonal": "diagonal", "both": ("hmm", "diagonal")}.items():
            train(corpus / "de", corpus / "en", folder / name, aligner=aligner, **OPTIONS)

    folder = made_once(tmp_path_factory, "joined-aligners", make)
    return {name: folder / name for name in ("hmm", "diagonal", "both")}


def test_counts_are_the_sums_over_the_aligners_in_each_fold(models: dict[str, Path]) -> None:
    found = {name: PhraseCounts.open(folder / COUNTS) for name, folder in models.items()}
    hmm, diagonal, both = (found[name] for name in ("hmm", "diagonal", "both"))
    assert both.instances == hmm.instances + diagonal.instances
    assert max(hmm.pairs, diagonal.pairs) < both.pairs < hmm.pairs + diagonal.pairs
    for fold in range(2):
        without = (each.native.instances_without(fold) for each in (hmm, diagonal))
        assert both.native.instances_without(fold) == sum(without)


def test_the_lexicon_is_the_sum_over_the_aligners(models: dict[str, Path]) -> None:
    counts = {name: word_counts(Lexicon.open(folder / LEXICON)) for name, folder in models.items()}
    every = counts["hmm"].keys() | counts["diagonal"].keys()
    wanted = {key: counts["hmm"].get(key, 0) + counts["diagonal"].get(key, 0) for key in every}
    assert counts["both"] == wanted


def word_counts(lexicon: Lexicon) -> dict[tuple[int, ...], int]:
    columns = (lexicon.sources, lexicon.targets, lexicon.folds)
    keys = zip(*(column.tolist() for column in columns), strict=True)
    return dict(zip(keys, lexicon.counts.tolist(), strict=True))


def test_all_else_is_as_with_the_first_aligner(models: dict[str, Path]) -> None:
    for name in (ALIGNMENT, LM, WORD_ORDER, "word-pairs.txt", "source.txt", "features.json"):
        assert (models["both"] / name).read_bytes() == (models["hmm"] / name).read_bytes()
    second = (models["both"] / joined_alignment("diagonal")).read_bytes()
    assert second == (models["diagonal"] / ALIGNMENT).read_bytes()
    Model.open(models["both"], verify=True)
    assert open_decoder(models["both"]).translate("das haus ist alt .").text


def test_another_aligner_repeats_only_what_depends_on_it(corpus: Path, tmp_path: Path) -> None:
    def run(*aligner: str) -> set[str]:
        trained = train(corpus / "de", corpus / "en", tmp_path / "model", aligner=aligner, lm_order=2)
        return {report.name for report in trained.steps if not report.skipped}

    run("hmm")
    assert run("hmm", "ibm1") == {"alignment by ibm1", "lexicon", "phrase pairs", "phrase table"}
    assert run("hmm") == {"lexicon", "phrase pairs", "phrase table"}
    assert not (tmp_path / "model" / joined_alignment("ibm1")).exists()


def test_an_aligner_goes_on_from_its_predecessor_in_any_order(corpus: Path, tmp_path: Path) -> None:
    def run(*aligner: str) -> tuple[Path, list[str]]:
        folder = tmp_path / "-".join(aligner)
        trained = train(corpus / "de", corpus / "en", folder, aligner=aligner, lm_order=2)
        return folder, [report.name for report in trained.steps if report.name.startswith("alignment")]

    alone, _ = run("ibm4")
    first, steps = run("hmm", "ibm4")
    assert steps == ["alignment", "alignment by ibm4"]
    assert (first / joined_alignment("ibm4")).read_bytes() == (alone / ALIGNMENT).read_bytes()
    later, steps = run("ibm4", "hmm")
    assert steps == ["alignment by hmm", "alignment"]
    for name in (ALIGNMENT, ALIGNER):
        assert (later / name).read_bytes() == (alone / name).read_bytes()
    assert (later / joined_aligner("hmm")).read_bytes() == (first / ALIGNER).read_bytes()
    assert (later / joined_alignment("hmm")).read_bytes() == (first / ALIGNMENT).read_bytes()


def test_another_predecessor_repeats_what_goes_on_from_it(corpus: Path, tmp_path: Path) -> None:
    def run(*aligner: str) -> set[str]:
        trained = train(corpus / "de", corpus / "en", tmp_path / "model", aligner=aligner, lm_order=2)
        return {report.name for report in trained.steps if not report.skipped}

    run("hmm", "ibm1", "ibm4")
    counted = {"lexicon", "phrase pairs", "phrase table"}
    assert run("hmm", "ibm4") == counted
    assert run("hmm", "ibm4", "ibm1") == {"alignment by ibm1", *counted}
    assert "alignment by ibm4" in run("ibm1", "ibm4")  # it trains its own HMM now


def test_the_command_line_takes_names_with_commas(corpus: Path, tmp_path: Path) -> None:
    sides = ["--source", str(corpus / "de"), "--target", str(corpus / "en"), "--lm-order", "2"]
    words = ["train", *sides, "--kind", "itg", "--aligner", "diagonal,ibm1", "-o", str(tmp_path / "model")]
    done = CliRunner().invoke(_build(), words)
    assert done.exit_code == 0, done.output
    assert len(PhraseTable.open(tmp_path / "model" / PHRASES))
    assert (tmp_path / "model" / joined_alignment("ibm1")).is_file()


def test_given_alignments_are_the_only_ones(corpus: Path, tmp_path: Path) -> None:
    given = {"alignment": corpus / "align", "aligner": ("hmm", "ibm1"), "lm_order": 2}
    trained = train(corpus / "de", corpus / "en", tmp_path / "model", **given)
    assert not any(report.name.startswith("alignment") for report in trained.steps)


def test_counts_of_one_sentence_are_not_subtracted(models: dict[str, Path]) -> None:
    check_sentence_counts(Model.open(models["hmm"]), "omit {}")
    with pytest.raises(InputError, match=r"alignments of several aligners, .*; omit leave_one_out"):
        check_sentence_counts(Model.open(models["both"]), "omit {}")
    with pytest.raises(InputError, match="alignments of several aligners"):
        Forcing(open_decoder(models["both"]), ForcedOptions(leave_one_out=True), forest=False, threads=1)


def test_oracles_do_not_use_pairs_that_may_be_of_one_sentence(models: dict[str, Path]) -> None:
    both, hmm = Model.open(models["both"]), Model.open(models["hmm"])
    assert (count_aligners(both), count_aligners(hmm)) == (2, 1)
    with pytest.raises(OptionError, match="least_count more than that"):
        check_least_count(both, OracleOptions())
    for enough in (OracleOptions(least_count=3), OracleOptions(least_count=0), OracleOptions(jackknife=True)):
        check_least_count(both, enough)
    check_least_count(hmm, OracleOptions())


@pytest.mark.parametrize("aligner", [(), ("hmm", "hmm")])
def test_no_aligner_and_one_twice_are_refused(corpus: Path, tmp_path: Path, aligner: tuple[str, ...]) -> None:
    with pytest.raises(OptionError, match="aligner must be one or several different aligners"):
        train(corpus / "de", corpus / "en", tmp_path / "model", aligner=aligner)


def test_hierarchical_models_take_one_aligner(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"name one aligner \(aligner: hmm or ibm4\)"):
        train(corpus / "de", corpus / "en", tmp_path / "model", kind="hiero", aligner=("hmm", "ibm4"))
