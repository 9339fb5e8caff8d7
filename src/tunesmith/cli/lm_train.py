"""`tunesmith lm train`: Estimate an interpolated modified Kneser-Ney model.

Examples:

    tunesmith lm train train.en --order 5 -o lm.arpa.gz

    tunesmith lm train train.en.xz more.en.gz --prune "0 0 1" --memory 4G -o lm.bin

The first writes ARPA text, the second a memory-mapped binary.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.flags import Given
from tunesmith.cli.options import Quiet, Threads
from tunesmith.errors import OptionError
from tunesmith.file_roles import InFolder, Reads, Writes
from tunesmith.lm.estimate import EstimateOptions, estimate


def run(
    corpus: Annotated[
        list[Path], typer.Argument(help="Tokenized text, one sentence per line; - is stdin."), Reads()
    ],
    *,
    output_file: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help="ARPA file, or NAME.bin for a binary [default: standard output]."
        ),
        Writes(),
    ] = Path("-"),
    options: Annotated[dict[str, Any], Given(EstimateOptions)],
    discount_fallback: Annotated[
        bool,
        typer.Option("--discount-fallback", help="Use fixed discounts where they cannot be estimated."),
    ] = False,
    fallback_discounts: Annotated[
        str | None,
        typer.Option(help="Like --discount-fallback, for counts 1, 2 and 3+ [default: 0.5 1 1.5]."),
    ] = None,
    limit_vocab_file: Annotated[
        Path | None,
        typer.Option(help="Limit the vocabulary to the words of this file, separated by spaces or newlines."),
        Reads(),
    ] = None,
    temporary: Annotated[
        Path | None, typer.Option(help="Folder of temporary files [default: the system's]."), InFolder()
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Estimate a language model."""
    from tunesmith.files import COMPRESSIONS, read_lines

    if output_file.suffix in COMPRESSIONS and output_file.with_suffix("").suffix == ".bin":
        raise OptionError(f"{output_file}: a mapped binary cannot be compressed; expected NAME.bin")
    words = None
    if limit_vocab_file is not None:
        words = [word for line in read_lines(limit_vocab_file) for word in line.split(" ") if word]
    fallback: bool | list[float] = discount_fallback
    if fallback_discounts is not None:
        fallback = _numbers("--fallback-discounts", fallback_discounts)
    model = estimate(
        corpus,
        discount_fallback=fallback,
        vocabulary=words,
        temporary=temporary,
        threads=threads,
        progress=None if quiet else lambda line: errors.print(line, markup=False),
        **options,
    )
    if output_file.suffix == ".bin":
        model.write_binary(output_file)
    else:
        model.write_arpa(output_file)


def _numbers(flag: str, text: str) -> list[float]:
    try:
        return [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise OptionError(f"{flag}: expected numbers separated by spaces or commas, found {text!r}") from None
