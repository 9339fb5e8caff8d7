"""Language models that training is given are features, beside or in place of that of the text."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.commands import run
from tests.small_models import write_small_corpus

from tunesmith import decode_file
from tunesmith.decode import DecodeOutputs, open_decoder
from tunesmith.errors import InputError, OptionError, TunesmithWarning
from tunesmith.lm import LanguageModel, compile_lm, estimate
from tunesmith.model import Model, train
from tunesmith.model.exporting import export_model
from tunesmith.model.inspection import inspect_model
from tunesmith.model.jackknife import FoldModels

KINDS = ("phrase", "hiero", "itg")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a small corpus, and language models of its target side: ARPA, gzipped ARPA, and compiled."""
    folder = write_small_corpus(tmp_path_factory.mktemp("corpus"))
    made = estimate([folder / "en"], order=2, discount_fallback=True)
    made.write_arpa(folder / "lm.arpa")
    (folder / "lm.arpa.gz").write_bytes(gzip.compress((folder / "lm.arpa").read_bytes()))
    estimate([folder / "en"], order=3, discount_fallback=True).write_binary(folder / "lm.bin")
    return folder


def trained(corpus: Path, directory: Path, **options) -> Model:
    given = {"alignment": corpus / "align", "lm_order": 2, **options}
    train(corpus / "de", corpus / "en", directory, **given)
    return Model.open(directory, verify=True)


@pytest.mark.parametrize("kind", KINDS)
def test_each_given_model_is_a_feature_after_that_of_the_text(
    corpus: Path, tmp_path: Path, kind: str
) -> None:
    model = trained(corpus, tmp_path / "model", kind=kind, lm=(corpus / "lm.arpa.gz", corpus / "lm.bin"))
    assert [(part.name, part.path, part.order) for part in model.language_models] == [
        ("LM0", "lm.bin", 2),
        ("LM1", "given-lm.0.bin", 2),
        ("LM2", "given-lm.1.bin", 3),
    ]
    assert [model.weights[f"LM{number}"] for number in range(3)] == pytest.approx([0.5 / 3] * 3)
    if kind == "hiero":
        assert [model.penalties[f"LM{number}_OOV"] for number in range(3)] == ["LmUnknown"] * 3
    best = open_decoder(tmp_path / "model").translate("das haus ist klein .")
    text = LanguageModel.open(corpus / "lm.bin").score(best.text)
    assert best.features["LM2"] == pytest.approx(text, rel=1e-5)
    assert best.features["LM1"] == pytest.approx(best.features["LM0"], rel=1e-5)  # of the same text


def test_given_models_may_replace_that_of_the_text(corpus: Path, tmp_path: Path) -> None:
    model = trained(corpus, tmp_path / "model", lm=corpus / "lm.bin", text_lm=False)
    assert [part.name for part in model.language_models] == ["LM0"]
    assert not (tmp_path / "model" / "lm.bin").exists()
    assert model.weights["LM0"] == 0.5
    plain = trained(corpus, tmp_path / "plain", lm_order=3)
    for name in ("model", "plain"):
        decode_file(tmp_path / name, corpus / "de", DecodeOutputs(tmp_path / f"{name}.out"))
    assert (tmp_path / "model.out").read_text() == (tmp_path / "plain.out").read_text()
    assert dict(plain.weights) == dict(model.weights)
    assert any(part.name == "LM0" and part.entries > 0 for part in inspect_model(tmp_path / "model").parts)


def test_steps_are_repeated_if_the_content_of_a_given_model_changes(corpus: Path, tmp_path: Path) -> None:
    arpa = tmp_path / "lm.arpa"
    arpa.write_bytes((corpus / "lm.arpa").read_bytes())

    def steps(**options) -> set[str]:
        made = train(corpus / "de", corpus / "en", tmp_path / "model", lm_order=2, **options)
        return {step.name for step in made.steps if not step.skipped}

    assert "given language model 0" in steps(lm=arpa)
    assert steps(lm=arpa) == set()
    estimate([corpus / "en"], order=3, discount_fallback=True).write_arpa(arpa)
    assert steps(lm=arpa) == {"given language model 0", "features"}
    assert steps() == {"features"}
    assert not (tmp_path / "model" / "given-lm.0.bin").exists()


def test_models_without_a_fold_keep_given_models(corpus: Path, tmp_path: Path) -> None:
    trained(corpus, tmp_path / "model", lm=corpus / "lm.bin", folds=3)
    with FoldModels.of(tmp_path / "model").open(1) as folder:
        assert [part.path for part in Model.open(folder).language_models] == [
            "lm.bin",
            str((tmp_path / "model" / "given-lm.0.bin").resolve()),
        ]


def test_given_models_are_exported_as_they_are(corpus: Path, tmp_path: Path) -> None:
    lines = (corpus / "en").read_text().splitlines(keepends=True)
    (tmp_path / "half").write_text("".join(lines[:150]))
    half = estimate([tmp_path / "half"], order=3, discount_fallback=True)
    half.write_arpa(tmp_path / "half.arpa")
    trained(corpus, tmp_path / "model", lm=tmp_path / "half.arpa")
    export_model(tmp_path / "model", tmp_path / "exported")
    written = LanguageModel.open(tmp_path / "exported" / "LM1.arpa.gz")
    assert written.counts == LanguageModel.open(tmp_path / "half.arpa").counts
    assert written.counts != LanguageModel.open(tmp_path / "exported" / "LM0.arpa.gz").counts
    text = lines[200].strip()
    assert written.score(text) == pytest.approx(LanguageModel.open(tmp_path / "half.arpa").score(text))


def test_a_class_based_model_is_used_and_not_exported(corpus: Path, tmp_path: Path) -> None:
    lines = (corpus / "en").read_text().splitlines()
    classes = {word: str(len(word) % 3) for line in lines for word in line.split()}
    (tmp_path / "map").write_text("".join(f"{word}\t{number}\n" for word, number in classes.items()))
    text = [" ".join(classes[word] for word in line.split()) for line in lines]
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in text))
    estimate([tmp_path / "text"], order=2, discount_fallback=True).write_arpa(tmp_path / "lm.arpa")
    compile_lm(tmp_path / "lm.arpa", tmp_path / "lm.bin", class_file=tmp_path / "map")
    trained(corpus, tmp_path / "model", lm=tmp_path / "lm.bin")
    best = open_decoder(tmp_path / "model").translate("das haus ist klein .")
    assert best.features["LM1"] == pytest.approx(
        LanguageModel.open(tmp_path / "lm.bin").score(best.text), rel=1e-5
    )
    with pytest.raises(InputError, match="has the class-based language model LM1"):
        export_model(tmp_path / "model", tmp_path / "exported")
    assert not (tmp_path / "exported").exists()


def test_a_model_of_text_in_another_form_is_warned_of(corpus: Path, tmp_path: Path) -> None:
    upper = (corpus / "en").read_text().upper()
    (tmp_path / "upper").write_text(upper)
    estimate([tmp_path / "upper"], order=2, discount_fallback=True).write_arpa(tmp_path / "upper.arpa")
    with pytest.warns(
        TunesmithWarning, match=r"upper\.arpa: the language model does not know 89% of the words"
    ):
        trained(corpus, tmp_path / "model", lm=tmp_path / "upper.arpa")


def test_binary_models_of_other_programs_are_refused_with_what_to_do(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "kenlm.bin").write_bytes(
        b"mmap lm http://kheafield.com/code format version 5\n\0" + bytes(99)
    )
    with pytest.raises(InputError, match=r"kenlm\.bin: is a binary file of KenLM, made by `build_binary"):
        trained(corpus, tmp_path / "model", lm=tmp_path / "kenlm.bin")
    with pytest.raises(InputError, match=r"missing\.arpa: no such file"):
        trained(corpus, tmp_path / "model", lm=tmp_path / "missing.arpa")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text_lm": False}, "without text_lm, a language model is needed: give lm"),
        (
            {"text_lm": False, "lm": "lm.bin", "lm_text": "en"},
            "lm_text is for the language model of the training text",
        ),
        ({"text_lm": False, "lm": "lm.bin", "lm_prune": (0, 1)}, "lm_prune is for the language model"),
    ],
)
def test_options_of_a_model_that_is_not_wanted_are_refused(
    corpus: Path, tmp_path: Path, options: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        train(corpus / "de", corpus / "en", tmp_path / "model", **options)


def test_the_command_takes_the_result_of_interpolation(corpus: Path, tmp_path: Path) -> None:
    mixed = run("lm", "interpolate", corpus / "lm.arpa", corpus / "lm.bin", "--mixture-weights", "0.5,0.5",
                "-o", "mixed.bin", folder=tmp_path)  # fmt: skip
    assert mixed.returncode == 0, mixed.stderr
    sides = ("--source", corpus / "de", "--target", corpus / "en", "--alignment", corpus / "align")
    done = run("train", *sides, "--no-text-lm", "--lm", "mixed.bin", "-o", "model", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "given-lm.0.bin" in done.stdout
    refused = run("train", *sides, "--no-text-lm", "-o", "other", folder=tmp_path)
    assert refused.returncode == 2
    assert "give --lm" in refused.stderr
