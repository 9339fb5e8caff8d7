"""`tunesmith inspect` (models): Show what a model consists of, and why its settings were chosen.

Examples:

    tunesmith inspect MODEL_DIR

    tunesmith inspect MODEL_DIR --source test.de --references test.en

With `--source`, it shows how much of a text the model knows: the share of its words and longer phrases that
have a translation (in a model of rules on demand: that occur in the training text), and the most frequent
unknown words; with `--references`, also how well the language model knows the reference. `--json` prints all
of it for machines, with every weight.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.console import output, print_json
from tunesmith.cli.counted import counted
from tunesmith.cli.flags import spelled
from tunesmith.cli.options import Json, References
from tunesmith.errors import InputError, OptionError
from tunesmith.file_roles import Reads

if TYPE_CHECKING:
    from tunesmith.model.coverage import Coverage
    from tunesmith.model.inspection import InspectedPart, Inspection

WEIGHTS = 40
"""Most features that the table of weights lists."""


def run(
    model_dir: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    *,
    source: Annotated[
        Path | None,
        typer.Option(help="Sentences whose words and phrases are looked up in the model."),
        Reads(),
    ] = None,
    references: References = None,
    prepare: Annotated[
        bool, typer.Option("--prepare", help="Tokenize and case raw text like the model's training text.")
    ] = False,
    json_: Json = False,
) -> None:
    """Describe a model."""
    from tunesmith.model.inspection import inspect_model

    if source is None and (references or prepare):
        option = "references" if references else "prepare"
        raise OptionError("{} needs {}: give the sentences", option, "source")
    found = inspect_model(model_dir)
    known = None if source is None else _coverage(model_dir, source, references or [], prepare)
    if json_:
        print_json(found.to_dict() | ({} if known is None else {"coverage": known.to_dict()}))
        return
    _print_model(found)
    if known is not None:
        _print_coverage(known)


def _coverage(directory: Path, source: Path, references: list[Path], prepare: bool) -> Coverage:
    from tunesmith.corpus.sets import check_same_segments
    from tunesmith.decode.preparation import model_side, warn_of_raw_source
    from tunesmith.files import read_lines
    from tunesmith.model import Model
    from tunesmith.model.coverage import measure_coverage
    from tunesmith.texts import Texts

    check_same_segments([source, *references])
    model = Model.open(directory)
    texts: list[list[str]] = []
    for number, path in enumerate((source, *references)):
        lines = read_lines(path)
        if not lines:
            raise InputError("the file is empty; expected one sentence per line", path=path)
        if prepare:
            side = model_side(model, "target" if number else "source")
            lines = list(side.prepare(Texts.of(lines), threads=None))
        if texts and len(lines) != len(texts[0]):
            raise InputError(f"has {len(lines)} lines, but {source} has {len(texts[0])}", path=path)
        texts.append(lines)
    if not prepare:
        warn_of_raw_source(model, texts[0])
    return measure_coverage(model, texts[0], texts[1:])


def _print_model(found: Inspection) -> None:
    from tunesmith.model.steps import show_bytes

    made = f"{found.kind} model {found.directory}: {found.origin}, Tunesmith {found.version}"
    _print_line(f"{made}, {show_bytes(found.bytes)}")
    if found.pairs is not None:
        _print_line(
            f"trained on {found.pairs:,} pairs: {found.source_words:,} source words, {found.target_words:,}"
            f" target words; up to {found.unaligned:.1%} per side have no link"
        )
    if found.cleaned is not None:
        _print_line(f"cleaning: {spelled(found.cleaned.report)}")
    if found.text:
        _print_line("text: " + ", ".join(f"{name} {value}" for name, value in found.text.items()))
    if found.templates:
        _print_line(f"templates: {', '.join(found.templates)}")
    settings = [(_flag(each.name), each.value, each.reason) for each in found.settings]
    _print_table("settings", ("setting", "value", "reason"), settings, {1})
    parts = [(each.name, each.what, *_sized(each)) for each in found.parts]
    _print_table("parts", ("part", "what", "contents", "size"), parts, {2, 3})
    _print_table("files outside of the model", ("part", "file"), list(found.outside.items()), set())
    if found.outside:
        _print_line("`tunesmith pack` copies the model and these files into one folder")
    measured = (found.jumps, found.pairs_by_jump, found.spans, found.pairs_by_span)
    order = [(limit, *(f"{shares[limit]:.1%}" for shares in measured)) for limit in found.jumps]
    columns = (
        "limit",
        "jumps within it",
        "pairs without a longer jump",
        "source words not in wider reordered segments",
        "pairs without a wider one",
    )
    _print_table("word order of the training text", columns, order, set(range(len(columns))))
    title = f"{counted(len(found.weights), 'feature')}, {'tuned' if found.tuned else 'start'} weights"
    weights = [(name, f"{value:.4g}") for name, value in list(found.weights.items())[:WEIGHTS]]
    if len(found.weights) > WEIGHTS:
        weights.append(("...", "`tunesmith weights show` lists all"))
    _print_table(title, ("feature", "weight"), weights, {1})


def _flag(setting: str) -> str:
    """Return the name of a setting as options of commands are written: `span-limit of TranslationModel0`."""
    from tunesmith.model.inspection import OF

    option, of, part = setting.partition(OF)
    return option.replace("_", "-") + of + part


def _sized(part: InspectedPart) -> tuple[str, str]:
    """Return the number of entries of a part and the size of its file, if it has them."""
    from tunesmith.model.steps import show_bytes

    entries = f"{part.entries:,} {part.contents}" if part.contents else ""
    return entries, show_bytes(part.bytes) if part.bytes else ""


def _print_coverage(known: Coverage) -> None:
    rows = []
    for each in known.source:
        if each.tokens:
            tokens, types = f"{each.share_of_tokens:.1%}", f"{each.share_of_types:.1%}"
            rows.append((each.length, f"{each.tokens:,}", tokens, f"{each.types:,}", types))
    columns = ("words", "occurrences", "known", "different", "known")
    _print_table(f"source phrases of {counted(known.sentences, 'sentence')}", columns, rows, {0, 1, 2, 3, 4})
    if known.unknown:
        shown = ", ".join(f"{word} {count}" for word, count in known.unknown)
        _print_line(f"most frequent unknown words: {shown}")
    if known.reference is not None:
        perplexity = "" if known.perplexity is None else f"; perplexity {known.perplexity:.1f}"
        _print_line(
            f"references: the language model knows {known.reference.share_of_tokens:.1%} of"
            f" {known.reference.tokens:,} words ({known.reference.share_of_types:.1%} of the different ones)"
            f"{perplexity}"
        )


def _print_line(line: str) -> None:
    output.print(line, markup=False, soft_wrap=True)


def _print_table(title: str, columns: tuple[str, ...], rows: list[tuple[Any, ...]], right: set[int]) -> None:
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number in right else "left")
    for row in rows:
        table.add_row(*(Text(str(each)) for each in row))
    output.print(table)
