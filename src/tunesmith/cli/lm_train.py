"""`tunesmith lm train`: Estimate an interpolated modified Kneser-Ney model.

Examples:

    tunesmith lm train train.en --order 5 -o lm.arpa.gz

    tunesmith lm train train.en.xz more.en.gz --prune "0 0 1" --memory 4G -o lm.bin

The first writes ARPA text, the second the binary that decoders map.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.flags import Given
from tunesmith.cli.options import Quiet, Threads
from tunesmith.errors import OptionError
from tunesmith.lm.estimate import EstimateOptions, estimate


def run(
    corpus: Annotated[list[Path], typer.Argument(help="Tokenized text, one sentence per line; - is stdin.")],
    *,
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="The ARPA file, or a binary: NAME.bin [standard output].")
    ] = Path("-"),
    options: Annotated[dict[str, Any], Given(EstimateOptions)],
    discount_fallback: Annotated[
        bool,
        typer.Option("--discount-fallback", help="Use fixed discounts where the text allows no estimate."),
    ] = False,
    fallback_discounts: Annotated[
        str | None,
        typer.Option(help="The same with these discounts of counts 1, 2, and 3 or more [0.5 1 1.5]."),
    ] = None,
    limit_vocab_file: Annotated[
        Path | None, typer.Option(help="Keep the words of this file, which stand between spaces or lines.")
    ] = None,
    temporary: Annotated[Path | None, typer.Option(help="Folder of temporary files [the system's].")] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Estimate a language model."""
    from tunesmith.files import COMPRESSIONS, check_outputs, read_lines

    if output_file.suffix in COMPRESSIONS and output_file.with_suffix("").suffix == ".bin":
        raise OptionError(f"{output_file}: a binary is mapped, so it cannot be compressed; name it NAME.bin")
    check_outputs([output_file], [*corpus, limit_vocab_file])
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
        raise OptionError(f"{flag}: expected numbers between spaces or commas, found {text!r}") from None
