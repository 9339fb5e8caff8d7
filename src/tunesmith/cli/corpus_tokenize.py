"""`tunesmith corpus tokenize`: Tokenize text by Moses' rules, or detokenize it.

Example:

    tunesmith corpus tokenize raw.en --language en --lowercase -o tokenized.en

Without files, standard input is read and standard output written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.flags import Given
from tunesmith.cli.options import Threads
from tunesmith.corpus.tokenize import Tokenizer, detokenize
from tunesmith.file_roles import Reads, Writes


def run(
    *,
    language: Annotated[str, typer.Option("--language", "-l", help="Language code, such as en.")],
    file: Annotated[Path, typer.Argument(help="Text, one sentence per line."), Reads()] = Path("-"),
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Where to write."), Writes()] = Path(
        "-"
    ),
    lowercase: Annotated[bool, typer.Option("--lowercase", help="Lowercase the tokens.")] = False,
    options: Annotated[dict[str, Any], Given(Tokenizer)],
    detokenized: Annotated[
        bool, typer.Option("--detokenize", help="Detokenize, and turn entities into characters.")
    ] = False,
    threads: Threads = None,
) -> None:
    """Tokenize text by Moses' rules, or detokenize it."""
    from tunesmith.corpus import clean
    from tunesmith.corpus.blocks import read_blocks, write_block
    from tunesmith.corpus.unsplit import warn_of_unsplit_tokens
    from tunesmith.errors import OptionError
    from tunesmith.files import open_write
    from tunesmith.texts import Texts

    if detokenized and (lowercase or any(options.values())):
        raise OptionError("--detokenize excludes the options of tokenization")
    tokenizer = Tokenizer(language, **options)
    with open_write(output_file) as stream:
        for number, block in enumerate(read_blocks(file)):
            if detokenized:
                write_block(stream, Texts.of(detokenize(block, language)))
                continue
            tokens = tokenizer.tokenize(block, threads)
            if number == 0:
                warn_of_unsplit_tokens(tokens, file)
            write_block(stream, clean.lowercase(tokens) if lowercase else tokens)
