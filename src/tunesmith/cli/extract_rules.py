"""`tunesmith extract rules`: Learn hierarchical rules from aligned text.

Examples:

    tunesmith extract rules --source train.de --target train.en --alignment train.align -o rules.gz

    tunesmith extract rules --source train.de --target train.en --alignment train.align -o rules.gz \\
      --settings moses --format moses --glue glue-grammar

The first writes a cdec grammar: `[X] ||| der [X,1] ||| the [1] ||| EgivenFCoherent=0.3 ... ||| 0-0`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tunesmith.cli.aligned_text import read_aligned_text
from tunesmith.cli.console import errors
from tunesmith.cli.flags import Given
from tunesmith.cli.options import Quiet, Threads
from tunesmith.errors import OptionError, suggest
from tunesmith.extract.rules import RuleOptions, check_format, extract_rules
from tunesmith.file_roles import InFolder, Reads, Writes
from tunesmith.memory import parse_bytes


def run(
    *,
    source: Annotated[Path, typer.Option(help="Tokenized source side, one sentence per line."), Reads()],
    target: Annotated[Path, typer.Option(help="Tokenized target side."), Reads()],
    alignment: Annotated[Path, typer.Option(help="Word alignments, one line `0-0 1-2` per pair."), Reads()],
    output: Annotated[Path, typer.Option("-o", "--output", help="Grammar to write; - is stdout."), Writes()],
    format_: Annotated[str, typer.Option("--format", help="cdec or moses.")] = "cdec",
    settings: Annotated[
        str,
        typer.Option(
            help="Default limits: chiang, or moses (fractional counts, loose phrases, max-target-span 10,"
            " min-hole 2)."
        ),
    ] = "chiang",
    limits: Annotated[dict[str, Any], Given(RuleOptions)],
    glue: Annotated[Path | None, typer.Option(help="Where to write the glue grammar."), Writes()] = None,
    table_output: Annotated[
        Path | None, typer.Option(help="Where to write the binary table."), Writes()
    ] = None,
    memory: Annotated[
        str, typer.Option(help="Memory for counts, such as 500M or 2G; the rest goes to disk.")
    ] = "2G",
    temporary: Annotated[
        Path | None, typer.Option(help="Folder of temporary files [default: that of -o]."), InFolder()
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Learn hierarchical rules from aligned text."""
    from tunesmith.extract.glue import write_glue_grammar
    from tunesmith.files import check_output

    if settings not in ("chiang", "moses"):
        raise OptionError(f"--settings cannot be {settings!r}{suggest(settings, ('chiang', 'moses'))}")
    options = RuleOptions.moses(**limits) if settings == "moses" else RuleOptions(**limits)
    shape = check_format(format_)
    amount = parse_bytes(memory)
    for path in (None if str(output) == "-" else output, glue, table_output):
        if path is not None:
            check_output(path)
    bitext, alignments = read_aligned_text(source, target, alignment)
    found = extract_rules(
        bitext,
        alignments,
        options,
        memory=amount,
        temporary=temporary or _beside(output),
        threads=threads,
        progress=None if quiet else (lambda line: errors.print(line, markup=False)),
    )
    if table_output is not None:
        found.save(table_output, shape)
    if glue is not None:
        write_glue_grammar(glue, shape)
    found.write(output, shape)


def _beside(output: Path) -> Path | None:
    """Return the folder of the output, which has room for it; devices and pipes have none."""
    folder = output.absolute().parent
    return folder if str(output) != "-" and folder != Path("/dev") else None
