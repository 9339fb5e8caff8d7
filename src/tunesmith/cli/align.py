"""`tunesmith align` (models): Align the words of parallel text.

Examples:

    tunesmith align --source train.de --target train.en -o train.align --aligner diagonal

    tunesmith align --source test.de --target test.en --load-aligner aligner.bin -o test.align

Writes one line of links `i-j` per sentence pair; source and target words count from 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.align.model import AlignmentModel, get_model
from tunesmith.align.models.hmm import Hmm
from tunesmith.align.models.ibm4 import Ibm4
from tunesmith.cli.console import errors, output
from tunesmith.cli.flags import Given
from tunesmith.cli.options import Quiet, Threads
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes


def run(
    *,
    source: Annotated[Path, typer.Option(help="Tokenized source text, one sentence per line."), Reads()],
    target: Annotated[Path, typer.Option(help="Tokenized translation, one line per source line."), Reads()],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write; `-` is stdout."), Writes()
    ],
    aligner: Annotated[
        str | None, typer.Option(help="Word aligner: {tunesmith.align:ALIGNMENT_MODELS} [default: hmm].")
    ] = None,
    symmetrize: Annotated[
        str,
        typer.Option(
            help="How the alignments of both directions are combined: intersection, union, grow-diag,"
            " grow-diag-final or grow-diag-final-and."
        ),
    ] = "grow-diag-final-and",
    options: Annotated[dict[str, Any], Given(AlignmentModel, Hmm, Ibm4, default="the model's")],
    save_aligner: Annotated[
        Path | None, typer.Option(help="Where to write the trained aligner."), Writes()
    ] = None,
    load_aligner: Annotated[
        Path | None, typer.Option(help="Align with this aligner, without training."), Reads()
    ] = None,
    gold: Annotated[
        Path | None, typer.Option(help="File of sure links; print the alignment error rate."), Reads()
    ] = None,
    possible: Annotated[
        Path | None, typer.Option(help="With --gold: file of possible links."), Reads()
    ] = None,
    forward: Annotated[
        Path | None,
        typer.Option(help="Also write the links of each target word (before symmetrization)."),
        Writes(),
    ] = None,
    reverse: Annotated[
        Path | None,
        typer.Option(help="Also write the links of each source word (before symmetrization)."),
        Writes(),
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Align the words of parallel text."""
    from tunesmith.align import Aligner, alignment_error_rate, train_aligner
    from tunesmith.align import symmetrize as join_directions
    from tunesmith.align.symmetrize import check_symmetrization
    from tunesmith.corpus import Alignments, Bitext

    check_symmetrization(symmetrize)
    if possible is not None and gold is None:
        raise OptionError("--possible needs --gold, the sure links")
    if load_aligner is not None and (aligner is not None or options):
        raise OptionError(
            "--load-aligner excludes --aligner and training options: the aligner is already trained"
        )
    chosen = get_model(aligner or "hmm", **options)
    trained = None if load_aligner is None else Aligner.open(load_aligner)
    bitext = Bitext.read(source, target)
    sure = None if gold is None else Alignments.read(gold, bitext)
    allowed = None if possible is None else Alignments.read(possible, bitext)
    if trained is None:
        trained = train_aligner(bitext, chosen, threads=threads, progress=None if quiet else _print)
    if save_aligner is not None:
        trained.save(save_aligner)
    directions = trained.directions(bitext, threads=threads)
    joined = join_directions(*directions, symmetrize, threads=threads)
    error = None if sure is None else alignment_error_rate(joined, sure, allowed)
    for path, links in zip((forward, reverse, output_file), (*directions, joined), strict=True):
        if path is not None:
            links.write(path)
    if error is not None:
        (errors if str(output_file) == "-" else output).print(
            f"AER {100 * error.aer:.2f}, precision {100 * error.precision:.2f},"
            f" recall {100 * error.recall:.2f}",
            markup=False,
        )


def _print(line: str) -> None:
    errors.print(line, markup=False)
