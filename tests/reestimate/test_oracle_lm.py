"""The mixture of a model's language model with one of its translations."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run
from tests.reestimate.decoded_derivations import lists, write_decoded

from tunesmith.corpus import Sentences
from tunesmith.decode.opening import open_decoder
from tunesmith.errors import InputError, OptionError
from tunesmith.lm import LanguageModel, MixtureText, estimate, interpolate
from tunesmith.model import Model
from tunesmith.model.exporting import export_model
from tunesmith.reestimate.baseline import Baseline
from tunesmith.reestimate.options import ReestimateOptions
from tunesmith.reestimate.oracle_lm import language_model_of_words
from tunesmith.reestimate.reestimated_model import write_reestimated_model
from tunesmith.reestimate.steps import Reestimation


class Made:
    """Derivations that are there, counting how often they were asked for."""

    def __init__(self, *files: Path) -> None:
        self.files, self.asked = list(files), 0
        self.record = {"text_sentences": 31}

    def __call__(self, progress: object) -> Made:
        self.asked += 1
        return self


@pytest.fixture(scope="module")
def derivations(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of sentences, one with a word that no phrase translates."""
    sources = [*(small_model / "source.txt").read_text().splitlines()[:30], "das unbekanntwort"]
    return write_decoded(small_model, sources, tmp_path_factory.mktemp("derivations") / "file")


@pytest.fixture(scope="module")
def references(small_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Two references of 10 sentences."""
    folder = tmp_path_factory.mktemp("references")
    lines = (small_corpus / "en").read_text().splitlines(keepends=True)
    for name, rows in (("first", slice(20, 30)), ("second", slice(30, 40))):
        (folder / name).write_text("".join(lines[rows]))
    return folder / "first", folder / "second"


def plan_of(model: Path, derivations: Path, references: tuple[Path, ...], **options: Any) -> Reestimation:
    chosen = ReestimateOptions(**options)
    return Reestimation(
        Baseline.open(model), chosen, Made(derivations), {"made": "by a test"}, references=references
    )


@pytest.fixture(scope="module")
def mixed(
    small_model: Path,
    derivations: Path,
    references: tuple[Path, ...],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, Reestimation, dict[str, Any]]:
    """A model with a mixed language model, how it was made, and its report."""
    plan = plan_of(small_model, derivations, references, oracle_lm="em")
    folder = tmp_path_factory.mktemp("mixed") / "model"
    return folder, plan, write_reestimated_model(plan, folder, plan.baseline.weights(None)).record


def test_the_language_model_is_mixed_with_one_of_the_translations(
    small_model: Path,
    derivations: Path,
    references: tuple[Path, ...],
    mixed: tuple[Path, Reestimation, dict[str, Any]],
    tmp_path: Path,
) -> None:
    folder, _, report = mixed
    before = LanguageModel.open(small_model / "lm.bin")
    texts = [[word for step in best.steps for word in step.target] for _, [best] in lists(derivations)]
    assert "unbekanntwort" in texts[-1]
    text = Sentences.of(" ".join(words) for words in texts)
    estimate(text, order=3, vocabulary=before.vocabulary, discount_fallback=True).write_binary(
        tmp_path / "lm"
    )
    models = [before, LanguageModel.open(tmp_path / "lm")]
    lines = [line for path in references for line in path.read_text().splitlines()]
    weights = MixtureText.score(models, lines).fit().weights
    record = report["language_model"]
    assert record["weight"] == pytest.approx(weights[1], rel=1e-9)
    interpolate(models, weights).write_binary(tmp_path / "mixed.bin")
    found = LanguageModel.open(folder / "lm.bin")
    assert found.full_scores(lines[0]) == LanguageModel.open(tmp_path / "mixed.bin").full_scores(lines[0])
    assert sorted(found.vocabulary) == sorted(before.vocabulary)  # words that are passed through are unknown
    for row, model in zip([*record["alone"], record["written"]], [*models, found], strict=True):
        assert row["perplexity"] == pytest.approx(model.perplexity(lines).including_unknown)
        assert row["unknown"] == model.perplexity(lines).unknown
    assert record["tokens"] == before.perplexity(lines).tokens
    words = [[*line.split(), "</s>"] for line in lines]
    shared = [[all(word in model for model in models) for word in line] for line in words]
    assert record["common"] == sum(map(sum, shared)) < record["tokens"]
    for row, model in zip([*record["alone"], record["written"]], [*models, found], strict=True):
        scores = [
            word.score
            for line, known in zip(lines, shared, strict=True)
            for word, is_known in zip(model.full_scores(line), known, strict=True)
            if is_known
        ]
        assert row["of_common_words"] == pytest.approx(math.exp(-sum(scores) / len(scores)), rel=1e-5)


def test_the_new_model_has_it_in_the_place_of_the_old_one(
    small_model: Path, mixed: tuple[Path, Reestimation, dict[str, Any]]
) -> None:
    folder, _, report = mixed
    before, after = Model.open(small_model), Model.open(folder, verify=True)
    assert after.language_models[0] == replace(before.language_models[0], path="lm.bin")
    assert dict(after.weights) == dict(before.weights)
    translation = open_decoder(folder).translate("das haus")
    score = LanguageModel.open(folder / "lm.bin").score(translation.text)
    assert translation.features["LM0"] == pytest.approx(score, abs=1e-3)
    (size,) = (each for each in report["sizes"] if each["part"] == "language model")
    assert size["entries_before"] == sum(before.language_model().counts)
    assert size["entries_after"] == sum(after.language_model().counts) >= size["entries_before"]
    assert size["bytes_after"] == (folder / "lm.bin").stat().st_size


def test_the_mixed_language_model_is_exported(
    mixed: tuple[Path, Reestimation, dict[str, Any]], tmp_path: Path
) -> None:
    export_model(mixed[0], tmp_path / "moses")
    exported = LanguageModel.open(tmp_path / "moses" / "LM0.arpa.gz")
    own = LanguageModel.open(mixed[0] / "lm.bin")
    assert exported.counts == own.counts
    assert exported.score("the house .") == pytest.approx(own.score("the house ."), abs=1e-5)


def test_another_weight_leaves_the_other_parts_and_none_removes_the_mixture(
    small_model: Path, mixed: tuple[Path, Reestimation, dict[str, Any]]
) -> None:
    folder, plan, _ = mixed
    own = plan.baseline.weights(None)
    done = write_reestimated_model(plan, folder, own)
    assert all(step.skipped for step in done.trained.steps)
    given = replace(plan, options=ReestimateOptions(oracle_lm="0.25"))
    made = write_reestimated_model(given, folder, own)
    assert [step.name for step in made.trained.steps if not step.skipped] == [
        "oracle language model",
        "features",
    ]
    assert made.language_model is not None
    assert (made.language_model["weight"], made.language_model["iterations"]) == (0.25, None)
    without = write_reestimated_model(replace(plan, options=ReestimateOptions()), folder, own)
    assert without.language_model is None
    assert "language_model" not in without.record
    assert Model.open(folder).language_models[0].path == str(small_model.resolve() / "lm.bin")
    write_reestimated_model(plan, folder, own)


def test_the_command_reports_weight_and_perplexities(
    small_model: Path, small_corpus: Path, tmp_path: Path
) -> None:
    for side in ("de", "en"):
        lines = (small_corpus / side).read_text().splitlines(keepends=True)
        (tmp_path / f"train.{side}").write_text("".join(lines[:12]))
        (tmp_path / f"dev.{side}").write_text("".join(lines[40:46]))
    texts = ["--source", "train.de", "--target", "train.en", "--tune-source", "dev.de"]
    command = ["reestimate", small_model, *texts, "--tune-references", "dev.en", "--oracle-lm"]
    done = run(*command, "0.3", "-o", "model", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "language model, entries" in done.stdout
    assert "has the weight 0.300 in the mixture with the model's; perplexity of the" in done.stderr
    again = run(*command, "0.3", "-o", "model", "--json", "-q", folder=tmp_path)
    record = json.loads(again.stdout)["language_model"]
    assert record["weight"] == 0.3
    old, new, mixed = *record["alone"], record["written"]
    shown = [
        f"{row['of_common_words']:.2f} {name}" for row, name in ((new, "alone"), (old, "of the model's"))
    ]
    assert f"the {record['common']} of {record['tokens']} tokens" in done.stderr
    assert f"{', '.join(shown)}, {mixed['of_common_words']:.2f} of the mixture" in done.stderr
    assert f"unknown words: {new['unknown']}, {old['unknown']} and {mixed['unknown']}\n" in done.stderr
    wrong = run(*command, "1.5", "-o", "model", folder=tmp_path)
    assert wrong.returncode == 2
    assert "--oracle-lm must be a number between 0 and 1, em or none, not '1.5'" in " ".join(
        wrong.stderr.split()
    )


def test_a_model_needs_exactly_one_language_model_of_words(small_model: Path) -> None:
    model = Model.open(small_model)
    (words,) = model.language_models
    others = (replace(words, tokens="bilingual"), replace(words, classes="classes"))
    assert language_model_of_words(replace(model, language_models=(*others, words))) == (2, words)
    for parts, count in (((words, words), 2), (others, 0)):
        with pytest.raises(
            InputError, match=f"has {count} language models of words; oracle_lm takes exactly"
        ):
            language_model_of_words(replace(model, language_models=parts))
    with pytest.raises(OptionError, match="oracle_lm must be a number"):
        ReestimateOptions(oracle_lm="maybe")
