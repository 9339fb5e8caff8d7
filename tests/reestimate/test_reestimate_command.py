"""`tunesmith reestimate`: from a model and a text to a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import run
from tests.reestimate.decoded_derivations import used_pairs

from tunesmith.decode.opening import open_decoder
from tunesmith.errors import InputError, OptionError
from tunesmith.extract.lexicon import Lexicon
from tunesmith.model import Model
from tunesmith.model.jackknife import JackknifeOptions
from tunesmith.passes.decoding import Decoding
from tunesmith.reestimate import steps
from tunesmith.reestimate.finding import DerivationFinder, derivation_options, derivation_pass
from tunesmith.reestimate.forced import ForcedDerivationOptions
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_options import OracleOptions
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.reestimation import reestimate
from tunesmith.weights import Weights


@pytest.fixture(scope="module")
def texts(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A part of the training text, and a tuning text, by option."""
    folder = tmp_path_factory.mktemp("texts")
    sides = {side: (small_corpus / side).read_text().splitlines(keepends=True) for side in ("de", "en")}
    for name, rows in (("train", slice(0, 40)), ("dev", slice(40, 50))):
        for side, lines in sides.items():
            (folder / f"{name}.{side}").write_text("".join(lines[rows]))
    return {
        "source": folder / "train.de",
        "target": folder / "train.en",
        "tune_source": folder / "dev.de",
        "tune_references": folder / "dev.en",
    }


def flags(texts: dict[str, Path]) -> list[object]:
    return [word for name, path in texts.items() for word in (f"--{name.replace('_', '-')}", path)]


@pytest.fixture(scope="module")
def made(
    small_model: Path, texts: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[object], dict[str, object]]:
    """A re-estimated model, its command, and its report."""
    folder = tmp_path_factory.mktemp("made")
    Weights(dict(Model.open(small_model).weights) | {"LM0": 0.7}).write(folder / "weights.json")
    command = ["reestimate", small_model, *flags(texts), "--weights", folder / "weights.json", "-o"]
    done = run(*command, folder / "model", "--keep-derivations", "--json", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "model", command, json.loads(done.stdout)


def test_a_model_has_the_pairs_of_its_oracles_and_the_given_weights(
    small_model: Path, made: tuple[Path, list[object], dict[str, object]]
) -> None:
    folder, _, report = made
    files = sorted((folder / "derivations").glob("derivations.[0-9]*"))
    used = used_pairs(files[0])
    assert len(files) == 1
    assert report["used"]["uses"] == sum(used.values())  # type: ignore[index]
    assert report["mixture"]["reestimated_pairs"] == len(used)  # type: ignore[index]
    assert report["used"]["oracle_bleu"] > report["used"]["best_bleu"]  # type: ignore[index]
    assert Model.open(folder).weights["LM0"] == 0.7
    assert set(Model.open(folder).weights) == set(Model.open(small_model).weights)
    assert open_decoder(folder).translate("das haus").found


def test_the_same_command_does_nothing_and_another_mixture_does_not_decode(
    made: tuple[Path, list[object], dict[str, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, command, report = made
    monkeypatch.setattr(steps, "count_uses", None)
    again = run(*command, folder, "--keep-derivations")
    assert again.returncode == 0
    assert again.stderr.count("done before, nothing has changed") == 4
    alone = run(*command, folder, "--table-weight", "none", "--keep-derivations")
    assert alone.returncode == 0
    assert "the re-estimated table stands alone" in alone.stderr
    assert len(Model.open(folder).phrase_table()) == report["mixture"]["reestimated_pairs"]  # type: ignore[index]
    assert "sentences with derivations" in alone.stdout
    assert "the exact oracle was feasible for" in report["used"]["loss"]  # type: ignore[index]
    assert report["used"]["loss"] in alone.stderr  # type: ignore[index]


def test_a_run_that_stopped_after_decoding_continues_there(
    small_model: Path, texts: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object, **options: object) -> None:
        raise KeyboardInterrupt

    given = {**texts, "tune_references": [texts["tune_references"]]}
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(steps, "count_uses", fail)
        reestimate(small_model, tmp_path / "model", **given)
    with pytest.raises(InputError, match="is not finished; run the same `tunesmith reestimate` again"):
        Model.open(tmp_path / "model")
    files = list((tmp_path / "model" / ".derivations").glob("derivations.[0-9]*"))
    before = [path.stat().st_mtime_ns for path in files]
    files = [tmp_path / "model" / "derivations" / path.name for path in files]
    lines: list[str] = []
    options = ReestimateOptions(keep_derivations=True)
    reestimate(small_model, tmp_path / "model", options, Decoding(progress=lines.append), **given)
    assert [path.stat().st_mtime_ns for path in files] == before != []
    assert len(Model.open(tmp_path / "model").phrase_table()) > 0


def test_results_do_not_depend_on_threads_and_derivations_are_removed_unless_kept(
    small_model: Path, texts: dict[str, Path], tmp_path: Path
) -> None:
    given = {**texts, "tune_references": [texts["tune_references"]]}
    options = ReestimateOptions(table_weight="none", relex=True, nbest_weight="even")
    for threads in (1, 3):
        folder = tmp_path / str(threads)
        found = OracleOptions(nbest=3, keep_forests=threads == 3)
        reestimate(small_model, folder, options, Decoding(threads=threads), derivations=found, **given)
        forests = list((folder / "derivations").glob("forests.*"))
        assert len(forests) == (threads == 3)
        assert (folder / "derivations").exists() == (threads == 3)
    for name in ("phrases.bin", "use-counts.bin", "orientation-counts.bin", "lexicon.bin", "uses.json"):
        left, right = ((tmp_path / threads / name).read_bytes() for threads in ("1", "3"))
        assert left == right
    files = sorted((tmp_path / "3" / "derivations").glob("derivations.[0-9]*"))
    tabled, every = (OracleText.read(files, untabled=untabled) for untabled in (False, True))
    lexicon = Lexicon.estimate(tabled.bitext, tabled.alignments)
    assert Lexicon.open(tmp_path / "3" / "lexicon.bin").counts.tolist() == lexicon.counts.tolist()
    assert lexicon.counts.sum() < Lexicon.estimate(every.bitext, every.alignments).counts.sum()


def test_the_scale_of_posteriors_is_reported(
    small_model: Path, texts: dict[str, Path], tmp_path: Path
) -> None:
    command = ["reestimate", small_model, *flags(texts), "--nbest", 5, "--nbest-weight", "posterior"]
    done = run(*command, "--table-weight", "none", "-o", tmp_path / "model")
    assert done.returncode == 0
    scale = json.loads((tmp_path / "model" / "uses.json").read_text())["posterior_scale"]
    assert f"exp({scale:.4g} h.w)" in done.stderr


def test_forced_derivations_are_counted_too(
    small_model: Path, texts: dict[str, Path], tmp_path: Path
) -> None:
    command = ["reestimate", small_model, *flags(texts), "--method", "forced", "--no-leave-one-out"]
    done = run(*command, "--nbest", 2, "--table-weight", "none", "--json", "-q", "-o", tmp_path / "model")
    assert (done.returncode, done.stderr) == (0, "")
    used = json.loads(done.stdout)["used"]
    assert used["method"] == "forced"
    assert 0.5 < used["share"] <= 1
    assert used["sentences"] + used["missing"] == used["text_sentences"] == 40
    assert sum(used["stages"]) == used["sentences"]
    assert used["derivations"] > used["sentences"]


def test_derivations_are_found_anew_once_for_all_steps(
    small_model: Path, texts: dict[str, Path], tmp_path: Path
) -> None:
    tune = texts["tune_source"], [texts["tune_references"]]

    def finder_in(folder: Path, *text: Path) -> DerivationFinder:
        search = derivation_pass(small_model, OracleOptions(restart=True), tune, Decoding(), *text)
        return DerivationFinder(folder, search)

    finder = finder_in(tmp_path / "found", texts["source"], texts["target"])
    (file,) = finder(print).files
    before = file.stat().st_mtime_ns
    assert finder(print).files == [file]
    assert file.stat().st_mtime_ns == before
    same = finder_in(tmp_path, texts["source"], texts["target"])
    assert finder_in(tmp_path / "whole").made_by != finder.made_by == same.made_by


def test_help_has_the_defaults_of_both_methods() -> None:
    words = " ".join(run("reestimate", "--help").stdout.replace("│", " ").split())
    assert "[default: 1; forced: 100]" in words
    assert "[default: 2; 0 if folds are left out" in words


def test_pairs_of_any_count_are_used_if_folds_are_left_out() -> None:
    assert OracleOptions().least_count == OracleOptions(least_count=2).least_count == 2
    assert OracleOptions(jackknife=True).least_count == 0
    assert OracleOptions(jackknife=True, least_count=2).least_count == 2


def test_a_factor_of_the_model_score_needs_a_share_of_it() -> None:
    assert OracleOptions().model_scale is None
    for wrong in (0, -1):
        with pytest.raises(OptionError, match="model_scale must be above 0; for BLEU alone give mu 0"):
            OracleOptions(model_scale=wrong)
    with pytest.raises(OptionError, match="with mu 0 no model score counts: omit model_scale"):
        OracleOptions(model_scale=1, mu=0)


def test_options_of_the_other_method_are_refused() -> None:
    assert derivation_options("oracle", {"mu": 0.25}) == OracleOptions(mu=0.25)
    assert derivation_options("forced", {"nbest": 7}) == ForcedDerivationOptions(nbest=7)
    with pytest.raises(OptionError, match="mu is an option of method oracle, not of forced"):
        derivation_options("forced", {"mu": 0.25})
    with pytest.raises(OptionError, match=r"without its own counts.*omit jackknife"):
        derivation_options("forced", {"jackknife": True})
    with pytest.raises(OptionError, match="method must be oracle or forced, not 'magic'"):
        derivation_options("magic", {})


def test_folds_are_refused_in_the_same_words_wherever_they_are_given(
    small_model: Path, texts: dict[str, Path], tmp_path: Path
) -> None:
    with pytest.raises(OptionError) as of_method:
        derivation_options("forced", {"jackknife": True})
    given = {**texts, "tune_references": [texts["tune_references"]]}
    forced, folds = ForcedDerivationOptions(), Decoding(jackknife=JackknifeOptions(jackknife=True))
    with pytest.raises(OptionError) as of_text:
        reestimate(small_model, tmp_path / "model", None, folds, derivations=forced, **given)
    assert of_text.value.message == of_method.value.message


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (("--table-weight", "2"), 2, "--table-weight must be a number between 0 and 1, em or none, not '2'"),
        (("--bilingual-lm",), 1, "train the model with `tunesmith train --bilingual-lm-order 5`, or omit"),
        (("--table-weight", "em"), 1, "has no word aligner"),
        (("--method", "forced", "--mu", "0"), 2, "--mu is an option of --method oracle, not of forced"),
        (("--keep-fold-tables",), 2, "--keep-fold-tables needs --jackknife"),
        (("--method", "forced", "--jackknife"), 2, "and leaves out no folds: omit --jackknife"),
        (("--jackknife",), 2, "train it with `tunesmith train --folds 10`, or omit --jackknife"),
        (("--method", "forced"), 1, "by --alignment, or score pairs by all counts (--no-leave-one-out)"),
        (
            ("--tune-alignment", "x", "--table-weight", "none"),
            2,
            "--tune-alignment is for mixtures; omit it with --table-weight none",
        ),
        (("--alignment", "x"), 2, "--alignment is for --method forced only; omit it"),
    ],
)
def test_what_does_not_fit_is_an_error_before_all_work(
    small_model: Path, texts: dict[str, Path], tmp_path: Path, more: tuple[str, ...], code: int, message: str
) -> None:
    done = run("reestimate", small_model, *flags(texts), "-o", tmp_path / "model", *more)
    assert message in done.stderr
    assert done.returncode == code
    assert not (tmp_path / "model").exists()


def test_forced_derivations_of_rules_and_the_model_itself_are_refused(
    small_model: Path, small_hiero: Path, texts: dict[str, Path], tmp_path: Path
) -> None:
    done = run("reestimate", small_hiero, *flags(texts), "--method", "forced", "-o", tmp_path / "model")
    assert done.returncode == 1
    assert "only phrase-based models have forced derivations; use --method oracle" in done.stderr
    done = run("reestimate", small_model, *flags(texts), "-o", small_model)
    assert done.returncode == 2
    assert "is an input too; choose another folder for the output" in done.stderr
    with pytest.raises(InputError, match="is the model that is re-estimated; name another folder"):
        reestimate(small_model, small_model, **texts)
