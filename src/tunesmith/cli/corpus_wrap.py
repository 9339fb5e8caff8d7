"""`tunesmith corpus wrap`: Write translations as a NIST set (tstset), for tools that score such sets.

Example:

    tunesmith decode model -i newstest.src.sgm -o newstest.out --prepare --detokenize

    tunesmith corpus wrap newstest.src.sgm newstest.out --system mine --target-language en -o newstest.sgm

The source is the evaluation set that was translated: NIST's SGML or XML, or WMT's XML.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.file_roles import Reads, Writes


def run(
    source: Annotated[
        Path, typer.Argument(help="The set that was translated: .sgm, .sgml or .xml."), Reads()
    ],
    translations: Annotated[
        Path, typer.Argument(help="Its translations, one per line; - is standard input."), Reads()
    ] = Path("-"),
    *,
    system: Annotated[str, typer.Option(help="Name of the system.")],
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Where to write."), Writes()] = Path(
        "-"
    ),
    source_language: Annotated[
        str | None, typer.Option(help="srclang of the set [default: the source's].")
    ] = None,
    target_language: Annotated[
        str | None, typer.Option(help="trglang of the set [default: the source's].")
    ] = None,
) -> None:
    """Write translations as a NIST set."""
    from tunesmith.corpus.sets import read_set, write_output
    from tunesmith.errors import InputError
    from tunesmith.files import read_lines

    found = read_set(source)
    if found is None:
        raise InputError(
            "is not an evaluation set: expected .sgm, .sgml or .xml that begins with <srcset> or <dataset>",
            path=source,
        )
    write_output(
        found,
        read_lines(translations),
        output_file,
        system=system,
        source_language=source_language,
        target_language=target_language,
    )
