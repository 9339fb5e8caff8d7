"""`tunesmith lm interpolate`: Mix language models linearly, with weights fitted to a text.

Examples:

    tunesmith lm interpolate large.bin small.arpa.gz --text dev.en -o mixed.bin

    tunesmith lm interpolate large.bin small.arpa.gz --mixture-weights 0.7,0.3 -o mixed.arpa.gz

The mixture is one back-off model with the n-grams of all models; each has the weighted mean of their
probabilities, and back-offs are computed anew. Models may differ in order and vocabulary: a word that a model
lacks has probability 0 in it, and words that all lack do not count when weights are fitted.

With --text, weights and perplexities are printed: of each model; of the exact mixture; and of the mixture as
written, which backs off for n-grams that it does not have. The perplexity of common words counts only words
that every model has; the other one counts all, unknown ones as `<unk>`.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import errors, print_json, reporting
from tunesmith.cli.finite import finite
from tunesmith.cli.options import Json, Quiet, Threads, UnknownScore
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes
from tunesmith.lm.interpolate import InterpolateOptions

if TYPE_CHECKING:
    from tunesmith.lm import InterpolatedModel, LanguageModel


def run(
    models: Annotated[
        list[Path], typer.Argument(help="Two or more language models, binary or ARPA."), Reads()
    ],
    *,
    output_file: Annotated[
        Path,
        typer.Option("-o", "--output", help="ARPA file, or NAME.bin for a binary; - is standard output."),
        Writes(),
    ],
    text: Annotated[
        Path | None, typer.Option(help="Tokenized text to fit weights to, one sentence per line."), Reads()
    ] = None,
    options: InterpolateOptions,
    unknown: UnknownScore = -100.0,
    threads: Threads = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Mix language models."""
    from tunesmith.corpus import Sentences
    from tunesmith.files import COMPRESSIONS
    from tunesmith.lm import LanguageModel, MixtureText, interpolate, mixture_perplexities

    if output_file.suffix in COMPRESSIONS and output_file.with_suffix("").suffix == ".bin":
        raise OptionError(f"{output_file}: a mapped binary cannot be compressed; expected NAME.bin")
    if len(models) < 2:
        raise OptionError("give at least two language models")
    if text is None and not options.mixture_weights:
        raise OptionError("give a --text to fit the weights to, or {}", "mixture_weights")
    if options.mixture_weights and len(options.mixture_weights) != len(models):
        raise OptionError(
            "{found} {} for {models} language models; expected one per model",
            "mixture_weights",
            found=len(options.mixture_weights),
            models=len(models),
        )
    if json_ and str(output_file) == "-":
        raise OptionError("--json prints on standard output: name a file for the model")
    with reporting(quiet) as progress:
        progress("opening language models")
        opened = [LanguageModel.open(path, unknown=unknown) for path in models]
        scored, fit, weights = None, None, options.mixture_weights
        if text is not None:
            scored = MixtureText.score(opened, Sentences.read(text), threads=threads)
            if not weights:
                fit = scored.fit(options.tolerance)
                weights = fit.weights
        progress("interpolating")
        mixture = interpolate(opened, weights, threads=threads)
        progress("writing")
        if output_file.suffix == ".bin":
            mixture.write_binary(output_file)
        else:
            mixture.write_arpa(output_file)
    record: dict[str, Any] = {
        "models": [str(path) for path in models],
        "weights": list(mixture.weights),
        "ngrams": list(mixture.counts),
    }
    if scored is not None and (json_ or not quiet):
        written = _written(mixture, output_file)
        found = mixture_perplexities(scored, mixture.weights, written, threads=threads)
        fitted = {"iterations": fit and fit.iterations, "converged": fit and fit.converged}
        record |= {**fitted, **asdict(found)}
    if json_:
        print_json(finite(record))
    elif not quiet:
        _show(record)


def _written(mixture: InterpolatedModel, path: Path) -> LanguageModel:
    """Open the mixture to query it; that of a text file is made beside it, where there is room for models."""
    from tunesmith.lm import LanguageModel

    if path.suffix == ".bin":
        return LanguageModel.open(path)
    return mixture.language_model(path.parent if path.is_file() else None)


def _show(record: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    if "exact" not in record:
        weights = ", ".join(f"{weight:.4f} {name}" for name, weight in _weighted(record))
        errors.print(f"weights: {weights}", markup=False, soft_wrap=True)
    else:
        table = Table("", "weight", "unknown words", "perplexity", "of common words")
        for (name, weight), row in zip(_weighted(record), record["alone"], strict=True):
            table.add_row(Text(name), f"{weight:.4f}", *_numbers(row))
        table.add_row("exact mixture", "", *_numbers(record["exact"]))
        table.add_row("mixture as written", "", *_numbers(record["written"]))
        errors.print(table)
        fitted = "given" if record["iterations"] is None else f"after {record['iterations']} iterations of EM"
        if record["converged"] is False:
            fitted += ", not converged: try a larger --tolerance"
        errors.print(
            f"weights {fitted}; {record['tokens']:,} tokens, with one </s> per sentence:"
            f" {record['common']:,} that all models have, {record['unknown_to_some']:,} that some lack"
            f" (probability 0 in these models), {record['unknown_to_all']:,} that all lack",
            markup=False,
            soft_wrap=True,
        )
    counts = " ".join(str(count) for count in record["ngrams"])
    errors.print(f"order {len(record['ngrams'])}, n-grams: {counts}", markup=False)


def _weighted(record: dict[str, Any]) -> list[tuple[str, float]]:
    return list(zip(record["models"], record["weights"], strict=True))


def _numbers(row: dict[str, Any]) -> list[str]:
    return [f"{row['unknown']:,}", f"{row['perplexity']:.2f}", f"{row['of_common_words']:.2f}"]
