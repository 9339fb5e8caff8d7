"""`tunesmith eval` (text): Score an output with any metrics.

Example:

    tunesmith eval test.out --references test.en --metrics bleu,chrf,ter

    tunesmith decode model --prepare --detokenize -i raw.de -o test.txt
    tunesmith eval test.txt --references raw.en --tokenize 13a

    tunesmith eval test.out --references raw.en --model model

By default texts are not tokenized, only split at white space (tokenizer `none`). Scores that compare with
those of papers are of detokenized text, with sacrebleu's tokenizer: `--tokenize 13a`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, output, print_json, show_interval, warn
from tunesmith.cli.options import Json, Metrics, Seed, Threads, Tokenize
from tunesmith.errors import OptionError, TunesmithWarning
from tunesmith.file_roles import Reads
from tunesmith.metrics.base import show_score
from tunesmith.metrics.components import show_components


def run(
    hypotheses: Annotated[
        Path, typer.Argument(help="Output to score, one sentence per line; - is standard input."), Reads()
    ],
    references: Annotated[
        list[Path], typer.Option(help="Reference, one sentence per line; may be repeated."), Reads()
    ],
    system: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Which output to score, if the set in the file has several systems."
        ),
    ] = None,
    metrics: Metrics = "bleu,chrf,ter",
    tokenize: Tokenize = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="The model that wrote the output: report references that it was trained on, and without"
            " --tokenize prepare raw references like its target side."
        ),
        Reads(),
    ] = None,
    prepare_output: Annotated[
        bool,
        typer.Option(
            "--prepare-output",
            help="With --model: prepare the output in the same way, because it is raw or detokenized.",
        ),
    ] = False,
    resamples: Annotated[
        int, typer.Option(help="Number of bootstrap samples for the interval, at most a million; 0 omits it.")
    ] = 1000,
    confidence: Annotated[float, typer.Option(help="Confidence level of the interval.")] = 0.95,
    seed: Seed = 12345,
    threads: Threads = None,
    json_: Json = False,
) -> None:
    """Score an output."""
    from rich.table import Table

    from tunesmith.corpus.sets import check_same_segments, read_output, read_reference_texts
    from tunesmith.metrics import evaluate

    if prepare_output and model is None:
        raise OptionError("{} needs {}: it prepares the output like that model's", "prepare_output", "model")
    check_same_segments([hypotheses, *references])
    texts: list[Sequence[str]] = [read_output(hypotheses, system)]
    texts += [reference for _, reference in read_reference_texts(references)]
    raw = texts
    if model is not None:
        prepared = _prepared(model, texts, threads, output_too=prepare_output)
        _report_overlap(model, prepared[1:])
        if prepare_output or tokenize in (None, "none"):
            texts = prepared
    with _saying_that_output_is_raw(raw, texts):
        results = evaluate(
            metrics,
            texts[0],
            texts[1:],
            tokenize=tokenize,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            threads=threads,
        )
    if json_:
        print_json([result.to_dict() for result in results])
        return
    table = Table("metric", "score", f"{100 * confidence:g}% interval", "components")
    for result in results:
        components = show_components(result.components)
        interval = "" if result.interval is None else show_interval(result.interval, result.unit)
        table.add_row(result.metric, show_score(result.score, result.unit), interval, components)
    output.print(table)
    for result in results:
        output.print(result.signature, soft_wrap=True, markup=False)


@contextmanager
def _saying_that_output_is_raw(raw: list[Sequence[str]], texts: list[Sequence[str]]) -> Iterator[None]:
    """Say of raw output beside prepared references what to do, instead of that they differ in form."""
    from tunesmith.metrics.form import TOO_LOW, is_tokenized_otherwise

    output_is_raw = (
        raw is not texts
        and is_tokenized_otherwise(texts[0], texts[1:])
        and not is_tokenized_otherwise(raw[0], raw[1:])
    )
    with warnings.catch_warnings():
        if output_is_raw:
            warn(
                "the output is readable text, as the references are in their files, but --model prepares the"
                " references, so that scores are too low: leave out --model, or add `--tokenize 13a`"
            )
            warnings.filterwarnings("ignore", f".*{TOO_LOW}", TunesmithWarning)
        yield


def _report_overlap(model: Path, references: Sequence[Sequence[str]]) -> None:
    from tunesmith.model.seen import Seen, overlap_messages

    seen = Seen.of_model(model)
    if seen is None:
        errors.print(
            f"{model} does not record what it was trained on: overlap with it is unknown", markup=False
        )
    for message in overlap_messages(seen, references=references):
        warn(message)


def _prepared(
    model: Path, texts: list[Sequence[str]], threads: int | None, *, output_too: bool
) -> list[Sequence[str]]:
    """Prepare references, and the output if requested, which is the first of the texts."""
    from tunesmith.decode.preparation import model_side
    from tunesmith.model import Model
    from tunesmith.texts import Texts

    opened = Model.open(model)
    if not opened.records_preparation and not output_too:
        warn(f"{model} does not record how its text was prepared: references are taken as they are")
        return texts
    side = model_side(opened, "target")
    prepared: list[Sequence[str]] = [
        side.prepare(Texts.of(text), threads) for text in texts[not output_too :]
    ]
    return prepared if output_too else [texts[0], *prepared]
