"""`tunesmith lattice train`: Learn to split compounds from text.

Example:

    tunesmith lattice train train.de -o compounds.bin

With a translation and alignment, parts need translations that occur opposite their compounds:

    tunesmith lattice train train.de -o compounds.bin --target train.en --alignment train.align

Linkers are a preset (german, generic) or a list: `+s` adds to a part, `-e` drops from it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tunesmith.cli.console import errors, is_typed, reporting
from tunesmith.cli.options import Quiet, Threads
from tunesmith.corpus.compounds.options import CompoundOptions
from tunesmith.file_roles import Reads, Writes

if TYPE_CHECKING:
    from tunesmith.corpus.compounds import CompoundSplitter


def run(
    text: Annotated[
        Path, typer.Argument(help="Tokenized text, one sentence per line; - is standard input."), Reads()
    ],
    *,
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write the splitter."), Writes()
    ],
    target: Annotated[Path | None, typer.Option(help="Tokenized translation of the text."), Reads()] = None,
    alignment: Annotated[
        Path | None, typer.Option(help="Word alignments, one line `0-0 1-2` per pair."), Reads()
    ] = None,
    options: CompoundOptions,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Learn to split compounds."""
    from tunesmith.corpus.compounds import save_splitter
    from tunesmith.errors import OptionError
    from tunesmith.files import check_output

    if (target is None) != (alignment is None):
        raise OptionError("--target and --alignment need each other")
    check_output(output_file)  # a mapped file cannot go to standard output
    with reporting(quiet, live=not is_typed(text)) as progress:
        if target is None or alignment is None:
            splitter = _from_text(text, options, progress)
        else:
            splitter = _from_bitext(text, target, alignment, options, threads, progress)
    save_splitter(splitter, output_file)
    if not quiet:
        errors.print(f"{len(splitter.words)} words, {len(splitter.weights)} features")


def _from_text(text: Path, options: CompoundOptions, progress: Callable[[str], None]) -> CompoundSplitter:
    from tunesmith.corpus import Sentences
    from tunesmith.corpus.compounds import WordCounts, train_splitter

    return train_splitter(WordCounts.of(Sentences.read(text)), options, progress=progress)


def _from_bitext(
    text: Path,
    target: Path,
    alignment: Path,
    options: CompoundOptions,
    threads: int | None,
    progress: Callable[[str], None],
) -> CompoundSplitter:
    from tunesmith.cli.aligned_text import read_aligned_text
    from tunesmith.corpus.compounds import WordCounts, train_splitter
    from tunesmith.extract.compound_guide import CompoundGuide
    from tunesmith.extract.lexicon import Lexicon

    bitext, links = read_aligned_text(text, target, alignment)
    guide = CompoundGuide(bitext, Lexicon.estimate(bitext, links, threads=threads))
    return train_splitter(WordCounts.of(bitext.source), options, guide=guide, progress=progress)
