"""`tunesmith decode` (models): Translate with a model.

Examples:

    tunesmith decode model --input test.de --output test.out

    tunesmith decode model -i dev.de -o dev.out --weights weights.json \\
      --nbest 100 --nbest-output dev.nbest.gz --unique

    tunesmith decode model < test.de > test.out

    tunesmith decode model -i test.plf --arc-feature LatticeParts --weight LatticeParts=-0.5

    tunesmith decode hiero-model -i test.de -o test.out --tree-output test.trees --span-limit 15

    tunesmith decode model -i test.de -o test.out --consensus

    tunesmith decode model -i raw.de -o text.en --prepare --detokenize

    tunesmith decode model -i drawn.source -o drawn.out --jackknife --fold-file drawn.folds

    tunesmith decode model -i corpus.de -o corpus.out --executor spark --master spark://HOST:7077 --ship

Input is tokenized text, `<seg id="7">text</seg>` lines, or word lattices in PLF, one per line. The
values of a lattice need a weight for `InputFeature0`, and each feature that its arcs name needs
`--arc-feature` and a weight. With `--input-format markup` the input may specify translations,
`<np translation="the house">das haus</np>`. `-` is standard input or output; files with suffix `.gz`, `.bz2`,
`.xz` or `.zst` are compressed.

Weights record the templates and search options that they were tuned with and need, such as those of
`tune online`. These are applied automatically; a flag that contradicts them is an error.

With `--executor spark`, shards of lines are translated by Spark; the output is the same.

The model determines the decoder: phrase-based, or chart (hierarchical, ITG). Options that begin with
`Phrase-based:` are for phrase-based models only, those with `Chart:` for hierarchical models and ITGs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.cli.consensus_options import ConsensusFlags
from tunesmith.cli.console import errors, is_typed, note, reporting, warn
from tunesmith.cli.counted import counted
from tunesmith.cli.flags import Spells
from tunesmith.cli.options import (
    Quiet,
    SingleWeights,
    Threads,
    WeightsFile,
    given_weights,
)
from tunesmith.cli.search_options import InputFormat, Prepare, Search
from tunesmith.distribute.options import ExecutorOptions
from tunesmith.errors import OptionError
from tunesmith.file_roles import InFolder, Reads, Writes
from tunesmith.memory import show_memory
from tunesmith.model.jackknife.options import JackknifeOptions

if TYPE_CHECKING:
    from tunesmith.decode import DecodeSummary


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    *,
    weights: WeightsFile = None,
    weight: SingleWeights = None,
    input_file: Annotated[
        Path,
        typer.Option(
            "-i",
            "--input",
            help="Text to translate, one sentence per line [default: standard input].",
            show_default=False,
        ),
        Reads(),
    ] = Path("-"),
    output_file: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="Where to write translations [default: standard output].",
            show_default=False,
        ),
        Writes(),
    ] = Path("-"),
    input_format: InputFormat = None,
    prepare: Prepare = False,
    detokenize: Annotated[
        bool, typer.Option("--detokenize", help="Write translations as readable text, in their usual case.")
    ] = False,
    grammar_root: Annotated[
        Path | None,
        typer.Option(
            help="Chart: folder of the grammars that `<seg>` lines name; those outside are refused"
            " [default: the current folder or that of the input, or anywhere by an absolute path].",
            show_default=False,
        ),
        InFolder(),
    ] = None,
    segments: Annotated[
        bool, typer.Option("--segments", help="Write each phrase with its source words: `the house |0-1|`.")
    ] = False,
    tree_output: Annotated[
        Path | None,
        typer.Option(
            help="Chart: where to write derivations, one per line: `[S:0-2 [X:0-1 the house] [X:2 is]]`."
        ),
        Writes(),
    ] = None,
    alignment_output: Annotated[
        Path | None,
        typer.Option(help="Where to write word alignments, one line `0-0 1-2` per sentence."),
        Writes(),
    ] = None,
    nbest: Annotated[
        int | None,
        typer.Option(help="Number of candidates per list [default: 100]; needs --nbest-output."),
        Spells("nbest_size"),
    ] = None,
    nbest_output: Annotated[Path | None, typer.Option(help="Where to write n-best lists."), Writes()] = None,
    nbest_format: Annotated[
        str | None, typer.Option(help="moses, cdec or jsonl [default: from the suffix, else moses].")
    ] = None,
    unique: Annotated[
        bool, typer.Option("--unique", help="List each translation once, with its best derivation.")
    ] = False,
    nbest_segments: Annotated[
        bool,
        typer.Option(
            "--nbest-segments",
            help="Add the phrases of each candidate to n-best lists, `0-1=0-1 2=2*`, for `xbleu rescore`;"
            " * marks unknown words and phrases given by the input.",
        ),
    ] = False,
    detokenize_nbest: Annotated[
        bool, typer.Option("--detokenize-nbest", help="Write the texts of n-best lists as readable text.")
    ] = False,
    forest_output: Annotated[
        Path | None,
        typer.Option(help="Where to write the search space as forests, for `tunesmith forest`."),
        Writes(),
    ] = None,
    json_log: Annotated[
        Path | None,
        typer.Option(help="Where to write one JSON object per sentence: score, unknown words, time, memory."),
        Writes(),
    ] = None,
    search: Search,
    consensus: ConsensusFlags,
    jackknife: JackknifeOptions,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify",
            help="First compare all files of the model with their checksums; without it, only small files and"
            " those that have changed since they were last compared.",
        ),
    ] = False,
    where: ExecutorOptions,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Translate a file."""
    from tunesmith.decode import DecodeOutputs
    from tunesmith.passes.decode_file import decode_file
    from tunesmith.passes.decoding import Decoding

    alone = unique or nbest_format or detokenize_nbest or nbest_segments
    if nbest_output is None and (nbest is not None or alone):
        raise OptionError(
            "--nbest, --unique, --nbest-format, --nbest-segments and --detokenize-nbest need --nbest-output"
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
        detokenize,
        detokenize_nbest,
        nbest_segments,
    )
    rule = consensus.chosen(weights)
    typed = is_typed(input_file)
    if typed and not quiet:
        errors.print("reading standard input, one sentence per line; end with Ctrl-D")
    with where.opened(threads) as executor, reporting(quiet, live=not typed) as progress:
        summary = decode_file(
            model,
            input_file,
            outputs,
            Decoding(
                weights=weights,
                search=search.options,
                templates=search.templates,
                jackknife=jackknife if jackknife.jackknife else None,
                threads=threads,
                executor=executor,
                progress=progress,
                announce=note,
            ),
            changes=given_weights(weight),
            input_format=input_format,
            grammar_root=grammar_root,
            prepare=prepare,
            consensus=rule,
            verify=verify,
        )
    if not quiet:
        _show(summary)


def _show(summary: DecodeSummary) -> None:
    from tunesmith.model.seen import show_overlap

    missing = f", {summary.missing} without a translation" if summary.missing else ""
    memory = f", at most {show_memory(summary.memory)} per sentence" if summary.memory else ""
    errors.print(
        f"{counted(summary.sentences, 'sentence')}{missing},"
        f" {counted(summary.words, 'word')} ({summary.unknown_words} unknown),"
        f" {summary.words_per_second:.0f} words/s, average score {summary.average_score:.4f}"
        f"{memory}",
        markup=False,
        soft_wrap=True,
    )
    if summary.seen:
        warn(show_overlap(summary.seen, summary.sentences, "sources"))
