"""The language model of a re-estimated model: the model's, mixed with one of its translations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tunesmith.corpus import Sentences
from tunesmith.errors import InputError
from tunesmith.files import read_lines
from tunesmith.lm import LanguageModel, MixtureText, estimate, interpolate, mixture_perplexities
from tunesmith.lm.estimate import MAX_ORDER
from tunesmith.model.model import LanguageModelPart, Model
from tunesmith.model.parts.names import LM
from tunesmith.model.steps import BuildStep, Progress, Workshop
from tunesmith.reestimate.oracle_text import OracleText
from tunesmith.reestimate.records import write_record

__all__ = ["LM_MIXTURE", "OracleLm", "language_model_of_words", "oracle_lm_step"]

LM_MIXTURE = "lm-mixture.json"
"""Record of the weight of the new language model, and of perplexities."""


@dataclass(frozen=True)
class OracleLm:
    """How language models are mixed: with a given weight of the new one, or the best for references."""

    model: Model
    references: Sequence[Path]
    weight: float | None
    threads: int | None

    def write(self, files: Sequence[Path], shop: Workshop) -> dict[str, Any]:
        """Train a language model on the best translations, mix it with the model's; return the record.

        It has the order of the model's and its vocabulary: other words of the translations are words that no
        phrase translates, which the model's has as `<unk>`.
        """
        number, part = language_model_of_words(self.model)
        baseline = self.model.language_model(number)
        path = shop.scratch / LM
        estimate(
            OracleText.read(files).bitext.target,
            order=min(part.order, MAX_ORDER),
            vocabulary=baseline.vocabulary,
            discount_fallback=True,  # for small texts; used only if discounts cannot be estimated
            skip_marks=True,
            memory="2G",
            temporary=shop.scratch,
            threads=self.threads,
            progress=shop.progress,
        ).write_binary(path)
        models = [baseline, LanguageModel.open(path)]
        lines = (line for reference in self.references for line in read_lines(reference))
        text = MixtureText.score(models, Sentences.of(lines), threads=self.threads)
        iterations, weight, doubt = None, self.weight, ""
        if weight is None:
            fit = text.fit()
            iterations, weight = fit.iterations, fit.weights[1]
            doubt = "" if fit.converged else f", not converged after {iterations} iterations of EM"
        weights = 1 - weight, weight
        shop.progress(f"the weight of the language model of the translations is {weight:.3f}{doubt}")
        interpolate(models, weights, threads=self.threads).write_binary(shop[LM])
        mixed = mixture_perplexities(text, weights, LanguageModel.open(shop[LM]), threads=self.threads)
        return {
            "weight": weight,
            "iterations": iterations,
            "ngrams": models[1].counts,
            **asdict(mixed),
        }


def language_model_of_words(model: Model) -> tuple[int, LanguageModelPart]:
    """Return the number and the record of the only language model of words; else an InputError."""
    found = [
        (number, part)
        for number, part in enumerate(model.language_models)
        if part.tokens == "words" and part.classes is None
    ]
    if len(found) != 1:
        raise InputError(
            f"has {len(found)} language models of words; {{}} takes exactly one, beside any number of classes"
            " or bilingual tokens, which are kept: mix several by `tunesmith lm interpolate`, or omit it",
            "oracle_lm",
            path=model.directory,
        )
    return found[0]


def oracle_lm_step(
    mixing: OracleLm,
    derivations: Callable[[Progress], Sequence[Path]],
    made_by: Mapping[str, Any],
    *,
    again: bool,
) -> BuildStep:
    """Return the step from files of derivations, which depend on `made_by`, to the mixed language model."""
    number, part = language_model_of_words(mixing.model)
    anchored = mixing.model.anchored().language_models[number]

    def run(shop: Workshop) -> None:
        write_record(shop[LM_MIXTURE], mixing.write(derivations(shop.progress), shop))

    inputs = {"language model": Path(anchored.path or anchored.arpa or "")}
    inputs |= {f"tune references {i}": path for i, path in enumerate(mixing.references)}
    options = {**made_by, "weight": mixing.weight, "order": part.order}
    return BuildStep(
        "oracle language model", (LM, LM_MIXTURE), run, inputs=inputs, options=options, again=again
    )
