"""`tunesmith force` (models): Find derivations of given translations (forced decoding).

Examples:

    tunesmith force model dev.de dev.en -o segmentations.gz

    tunesmith force model train.de train.en -o segmentations.gz --leave-one-out --alignment train.align

    tunesmith force hiero-model dev.de dev.en -o segmentations.gz --forest-output dev.forests

    tunesmith force model train.de train.en -o segmentations.gz --jackknife

Writes one line per pair, `id ||| target ||| 0-1=0-1 2=2 ||| 0-0 1-1 2-2 ||| score`: ids count from 0; phrases
are source words = target words (0-1=0-1: the first two words are translated by the first two); then follow
the word alignment and the model score. The last three fields are empty if the target was not reached.

The search widens in stages until it reaches the target: (1) as `tunesmith decode` searches, (2) with all
translations of each phrase, (3) with longer jumps and larger stacks, (4) with any jumps. With a hierarchical
model or an ITG, stages (1) and (2) are the same, and (3) has rules of any span and larger cells.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.console import errors, note, reporting
from tunesmith.cli.counted import counted
from tunesmith.cli.flags import Given
from tunesmith.cli.options import Quiet, SingleWeights, Threads, WeightsFile, given_weights
from tunesmith.decode.forced import ForcedOptions, Reached, forced_decode
from tunesmith.errors import OptionError
from tunesmith.file_roles import Reads, Writes
from tunesmith.model.jackknife.options import JackknifeOptions


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    source: Annotated[
        Path,
        typer.Argument(help="Tokenized source text, one sentence per line; raw text with --prepare."),
        Reads(),
    ],
    target: Annotated[
        Path,
        typer.Argument(help="Tokenized translation, one line per source line; raw text with --prepare."),
        Reads(),
    ],
    *,
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write; - is standard output."), Writes()
    ],
    weights: WeightsFile = None,
    weight: SingleWeights = None,
    forest_output: Annotated[
        Path | None,
        typer.Option(help="Where to write all derivations found as forests, for `tunesmith forest`."),
        Writes(),
    ] = None,
    prepare: Annotated[
        bool,
        typer.Option(
            "--prepare", help="Tokenize and case both sides, raw text, like the model's training text."
        ),
    ] = False,
    alignment: Annotated[
        Path | None,
        typer.Option(help="With --leave-one-out: the word alignment from which phrases were extracted."),
        Reads(),
    ] = None,
    options: Annotated[dict[str, Any], Given(ForcedOptions)],
    jackknife: JackknifeOptions,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Force sentence pairs."""
    from tunesmith.corpus import Alignments, Bitext
    from tunesmith.decode.opening import open_decoder
    from tunesmith.decode.preparation import prepared_bitext
    from tunesmith.decode.segmentation import format_segmentation
    from tunesmith.files import open_write

    leave_one_out = options.get("leave_one_out", False)
    if leave_one_out != (alignment is not None):
        raise OptionError("--leave-one-out and --alignment need each other")
    if not leave_one_out and ("singleton" in options or "max_phrase_length" in options):
        raise OptionError("--singleton and --max-phrase-length need --leave-one-out")
    chosen = ForcedOptions(**options)
    decoder = open_decoder(model, weights, changes=given_weights(weight), announce=note)
    bitext = (
        prepared_bitext(decoder.model, source, target, threads) if prepare else Bitext.read(source, target)
    )
    links = None if alignment is None else Alignments.read(alignment, bitext)
    reached = Reached()
    with ExitStack() as stack:
        stream = stack.enter_context(open_write(output_file))
        forests = None
        if forest_output is not None:
            from tunesmith.forest.file import ForestWriter

            forests = stack.enter_context(ForestWriter(forest_output))
        progress = stack.enter_context(reporting(quiet))
        results = forced_decode(
            decoder,
            bitext,
            chosen,
            alignments=links,
            jackknife=jackknife if jackknife.jackknife else None,
            forest=forests is not None,
            threads=threads,
            progress=progress,
        )
        for number, result in enumerate(results):
            stream.write(format_segmentation(number, result).encode() + b"\n")
            if forests is not None and result.forest is not None:
                forests.add(result.forest, str(number))
            reached = reached.plus(result)
    if not quiet:
        _show(reached)


def _show(reached: Reached) -> None:
    stages = ", ".join(f"{count} in stage {stage}" for stage, count in sorted(reached.stages.items()))
    errors.print(
        f"reached {reached.sentences} of {counted(reached.all_sentences, 'sentence pair')}"
        f" ({100 * reached.sentence_share:.1f}%),"
        f" {reached.words} of {counted(reached.all_words, 'target word')}"
        f" ({100 * reached.word_share:.1f}%)" + (f": {stages}" if stages else ""),
        markup=False,
        soft_wrap=True,
    )
