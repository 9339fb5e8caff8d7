"""`tunesmith lm train`: Estimate an interpolated modified Kneser-Ney model.

Examples:

    tunesmith lm train train.en --order 5 -o lm.arpa.gz

    tunesmith lm train train.en.xz more.en.gz --prune "0 0 1" --memory 4G -o lm.bin

The first writes ARPA text, the second the binary that decoders map.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors
from tunesmith.cli.options import Quiet, Threads
from tunesmith.errors import OptionError

__all__ = ["run"]


def run(
    corpus: Annotated[list[Path], typer.Argument(help="Tokenized text, a sentence a line; - is stdin.")],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="The ARPA file, or a binary: NAME.bin [standard output].")
    ] = Path("-"),
    order: Annotated[int, typer.Option(help="Length of the longest n-grams, 1 to 6.")] = 5,
    prune: Annotated[
        str,
        typer.Option(
            help="Leave out n-grams that occur at most so often: a threshold an order, "
            'such as "0 0 1"; the last one holds for the orders that follow.'
        ),
    ] = "0",
    discount_fallback: Annotated[
        bool,
        typer.Option("--discount-fallback", help="Use fixed discounts where the text allows no estimate."),
    ] = False,
    fallback_discounts: Annotated[
        str | None,
        typer.Option(help="The same with these discounts of counts 1, 2, and 3 or more [0.5 1 1.5]."),
    ] = None,
    vocabulary_limit: Annotated[
        int | None, typer.Option(help="Keep so many of the most frequent words.")
    ] = None,
    limit_vocab_file: Annotated[
        Path | None, typer.Option(help="Keep the words of this file, which stand between spaces or lines.")
    ] = None,
    interpolate_unigrams: Annotated[
        bool, typer.Option(help="Without it `<unk>` gets all that unigrams leave.")
    ] = True,
    skip_marks: Annotated[
        bool, typer.Option("--skip-marks", help="Leave `<unk>`, `<s>`, `</s>` of the text out.")
    ] = False,
    memory: Annotated[str, typer.Option(help="Memory for n-grams; more go to temporary files.")] = "1G",
    temporary: Annotated[Path | None, typer.Option(help="Folder of temporary files [the system's].")] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Estimate a language model."""
    from tunesmith.files import COMPRESSIONS, check_outputs, read_lines
    from tunesmith.lm.estimate import estimate

    if output_file.suffix in COMPRESSIONS and output_file.with_suffix("").suffix == ".bin":
        raise OptionError(f"{output_file}: a binary is mapped, so it cannot be compressed; name it NAME.bin")
    check_outputs([output_file], [*corpus, limit_vocab_file])
    words = None
    if limit_vocab_file is not None:
        words = [word for line in read_lines(limit_vocab_file) for word in line.split(" ") if word]
    model = estimate(
        corpus,
        order=order,
        prune=[int(number) for number in _numbers("--prune", prune, whole=True)],
        discount_fallback=discount_fallback
        if fallback_discounts is None
        else _numbers("--fallback-discounts", fallback_discounts),
        vocabulary_limit=vocabulary_limit,
        vocabulary=words,
        interpolate_unigrams=interpolate_unigrams,
        skip_marks=skip_marks,
        memory=memory,
        temporary=temporary,
        threads=threads,
        progress=None if quiet else lambda line: errors.print(line, markup=False),
    )
    if output_file.suffix == ".bin":
        model.write_binary(output_file)
    else:
        model.write_arpa(output_file)


def _numbers(flag: str, text: str, whole: bool = False) -> list[float]:
    words = text.replace(",", " ").split()
    try:
        return [int(word) if whole else float(word) for word in words]
    except ValueError:
        what = "whole numbers" if whole else "numbers"
        raise OptionError(f"{flag}: expected {what} between spaces or commas, found {text!r}") from None
