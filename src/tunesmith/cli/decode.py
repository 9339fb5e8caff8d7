"""`tunesmith decode`: Translate with a model.

Examples:

    tunesmith decode model --input test.de --output test.out

    tunesmith decode model -i dev.de -o dev.out --weights weights.json \\
      --nbest 100 --nbest-output dev.nbest.gz --unique

    tunesmith decode model < test.de > test.out

    tunesmith decode model -i test.plf --arc-feature LatticeParts --weight LatticeParts=-0.5

    tunesmith decode hiero-model -i test.de -o test.out --tree-output test.trees --span-limit 15

    tunesmith decode model -i test.de -o test.out --consensus

Input is tokenized text, `<seg id="7">text</seg>` lines, or word lattices in PLF, a sentence a line; the
values of a lattice need a weight for `InputFeature0`, and each feature that its arcs name needs
`--arc-feature` and a weight. With `--input-format markup` the input may give translations,
`<np translation="the house">das haus</np>`. `-` is standard input or output; names that end in `.gz` or the
like are compressed.

The model tells the decoder: of phrases, or of rules (hierarchical, ITG). Options that only one of them has
are marked.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.cli.consensus_options import ConsensusFlags
from tunesmith.cli.console import errors, is_typed, reporting
from tunesmith.cli.counted import counted
from tunesmith.cli.options import (
    Quiet,
    SingleWeights,
    Threads,
    WeightsFile,
    given_weights,
)
from tunesmith.cli.search_options import InputFormat, Prepare, Search
from tunesmith.errors import OptionError
from tunesmith.memory import show_memory

if TYPE_CHECKING:
    from tunesmith.decode import DecodeSummary


def run(
    model: Annotated[Path, typer.Argument(help="The model's directory.")],
    *,
    weights: WeightsFile = None,
    weight: SingleWeights = None,
    input_file: Annotated[
        Path,
        typer.Option(
            "-i", "--input", help="What to translate, a sentence a line [standard input].", show_default=False
        ),
    ] = Path("-"),
    output_file: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help="Where to write translations [standard output].", show_default=False
        ),
    ] = Path("-"),
    input_format: InputFormat = None,
    prepare: Prepare = False,
    segments: Annotated[
        bool, typer.Option("--segments", help="Write phrases and their source words: `the house |0-1|`.")
    ] = False,
    tree_output: Annotated[
        Path | None,
        typer.Option(help="Rules: where to write derivations, `[S:0-2 [X:0-1 the house] [X:2 is]]` a line."),
    ] = None,
    alignment_output: Annotated[
        Path | None, typer.Option(help="Where to write word alignments, `0-0 1-2` a line.")
    ] = None,
    nbest: Annotated[int | None, typer.Option(help="Candidates a list [100]; needs --nbest-output.")] = None,
    nbest_output: Annotated[Path | None, typer.Option(help="Where to write n-best lists.")] = None,
    nbest_format: Annotated[
        str | None, typer.Option(help="moses, cdec or jsonl [told by the name, else moses].")
    ] = None,
    unique: Annotated[
        bool, typer.Option("--unique", help="List each translation once, with its best derivation.")
    ] = False,
    forest_output: Annotated[
        Path | None,
        typer.Option(help="Where to write forests, all that the search kept, for `tunesmith forest`."),
    ] = None,
    json_log: Annotated[
        Path | None,
        typer.Option(
            help="Where to write a JSON object for each sentence: score, unknown words, time, memory."
        ),
    ] = None,
    search: Search,
    consensus: ConsensusFlags,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Translate a file."""
    from tunesmith.decode import DecodeOutputs, decode_file

    if nbest_output is None and (nbest is not None or unique or nbest_format is not None):
        raise OptionError(
            "--nbest, --unique and --nbest-format need --nbest-output: where to write the lists"
        )
    outputs = DecodeOutputs(
        output_file,
        segments,
        alignment_output,
        nbest_output,
        100 if nbest is None else nbest,
        nbest_format,
        unique,
        forest_output,
        json_log,
        tree_output,
    )
    rule = consensus.chosen()
    typed = is_typed(input_file)
    if typed and not quiet:
        errors.print("reading standard input, a sentence a line; end with Ctrl-D")
    with reporting(quiet, live=not typed) as progress:
        summary = decode_file(
            model,
            input_file,
            outputs,
            weights=weights,
            changes=given_weights(weight),
            options=search.options,
            templates=search.templates,
            input_format=input_format,
            prepare=prepare,
            consensus=rule,
            threads=threads,
            progress=progress,
        )
    if not quiet:
        _show(summary)


def _show(summary: DecodeSummary) -> None:
    missing = f", {summary.missing} without a translation" if summary.missing else ""
    memory = f", at most {show_memory(summary.memory)} a sentence" if summary.memory else ""
    errors.print(
        f"{counted(summary.sentences, 'sentence')}{missing},"
        f" {counted(summary.words, 'word')} ({summary.unknown_words} unknown),"
        f" {summary.words_per_second:.0f} words/s, average score {summary.average_score:.4f}"
        f"{memory}",
        markup=False,
        soft_wrap=True,
    )
