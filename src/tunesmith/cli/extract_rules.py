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
from tunesmith.cli.options import Quiet, Threads
from tunesmith.errors import OptionError, suggest
from tunesmith.memory import parse_bytes

__all__ = ["run"]


def run(
    source: Annotated[Path, typer.Option(help="Source sentences, a line each, tokens between blanks.")],
    target: Annotated[Path, typer.Option(help="Their translations.")],
    alignment: Annotated[Path, typer.Option(help="Word alignments, such as `0-0 1-2`, a line a pair.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Grammar to write; - is stdout.")],
    format_: Annotated[str, typer.Option("--format", help="cdec or moses.")] = "cdec",
    settings: Annotated[
        str, typer.Option(help="chiang (whole counts, tight phrases) or moses (fractional, loose).")
    ] = "chiang",
    max_span: Annotated[int | None, typer.Option(help="Source words that a rule covers [10].")] = None,
    max_target_span: Annotated[int | None, typer.Option(help="Target words [chiang none, moses 10].")] = None,
    max_symbols: Annotated[int | None, typer.Option(help="Source symbols of a rule [5].")] = None,
    max_gaps: Annotated[int | None, typer.Option(help="Gaps of a rule, 0 to 2 [2].")] = None,
    min_hole: Annotated[int | None, typer.Option(help="Source words of a gap [chiang 1, moses 2].")] = None,
    adjacent_gaps: Annotated[
        bool | None, typer.Option("--adjacent-gaps/--no-adjacent-gaps", help="Gaps side by side [no].")
    ] = None,
    require_link: Annotated[
        bool | None, typer.Option("--require-link/--no-require-link", help="Ask for aligned words [yes].")
    ] = None,
    tight: Annotated[
        bool | None, typer.Option("--tight/--loose", help="Outer words of phrases are aligned.")
    ] = None,
    counts: Annotated[str | None, typer.Option(help="whole or fractional.")] = None,
    glue: Annotated[Path | None, typer.Option(help="Write the glue grammar to this file.")] = None,
    table_output: Annotated[
        Path | None, typer.Option(help="Keep the mapped binary table in this file.")
    ] = None,
    memory: Annotated[str, typer.Option(help="Counts to hold, such as 500M or 2G; more go to disk.")] = "2G",
    temporary: Annotated[Path | None, typer.Option(help="Folder of temporary files [beside -o].")] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Learn hierarchical rules from aligned text."""
    from tunesmith.extract.glue import write_glue_grammar
    from tunesmith.extract.rules import RuleOptions, check_format, extract_rules
    from tunesmith.files import check_output

    given = {
        "max_span": max_span,
        "max_target_span": max_target_span,
        "max_symbols": max_symbols,
        "max_gaps": max_gaps,
        "min_hole": min_hole,
        "adjacent_gaps": adjacent_gaps,
        "require_link": require_link,
        "tight": tight,
        "counts": counts,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    options = _options(RuleOptions, settings, chosen)
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


def _options(make: Any, settings: str, chosen: dict[str, Any]) -> Any:
    if settings not in ("chiang", "moses"):
        raise OptionError(f"--settings cannot be {settings!r}{suggest(settings, ('chiang', 'moses'))}")
    return make.moses(**chosen) if settings == "moses" else make(**chosen)


def _beside(output: Path) -> Path | None:
    """Return the folder of the output, which has room for it; devices and pipes have none."""
    folder = output.absolute().parent
    return folder if str(output) != "-" and folder != Path("/dev") else None
