"""`tunesmith pack` (models): Copy a model and its weights into one folder that can be moved.

Examples:

    tunesmith pack MODEL_DIR -o packed

    tunesmith pack MODEL_DIR --weights TUNED_DIR/weights.json -o packed

    tunesmith decode packed -i test.de -o test.out

The folder has all that translating needs: tables, language models, rules, casing, word lists, also those that
the model refers to elsewhere, and the weights with what they record of how to decode. It translates as the
model does, bit for bit, and has a checksum of each file. The training text and its counts stay behind.
Programs that prepare text, such as segmenters, are named: they cannot be packed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import errors, print_json, reporting, warn
from tunesmith.cli.counted import counted
from tunesmith.cli.options import Json, Quiet
from tunesmith.file_roles import Reads, Writes, own_folder_of


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    output_folder: Annotated[
        Path,
        typer.Option("-o", "--output", help="New folder for the packed model."),
        Writes(is_folder=own_folder_of),
    ],
    *,
    weights: Annotated[
        Path | None, typer.Option(help="Weights of the packed model [default: the model's own]."), Reads()
    ] = None,
    link: Annotated[
        bool,
        typer.Option("--link", help="Make hard links where possible, not copies: never write into them."),
    ] = False,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Pack a model."""
    from tunesmith.decode.packing import pack_model
    from tunesmith.model.steps import show_bytes

    with reporting(quiet) as progress:
        packed = pack_model(model, output_folder, weights=weights, link=link, progress=progress)
    for program in packed.programs:
        warn(
            f"the text is prepared by the program `{program}`, which is not packed: copy it along with the"
            " model"
        )
    for note in packed.notes:
        warn(note)
    if not packed.tuned:
        warn("weights: the start weights, as the model has no tuned ones; --weights packs others")
    if json_:
        print_json(packed.to_dict())
    elif not quiet:
        size = show_bytes(sum(packed.files.values()))
        outside = f", {len(packed.outside)} of them from elsewhere" if packed.outside else ""
        line = f"packed {counted(len(packed.files), 'file')}, {size}{outside}: {output_folder}"
        errors.print(line, markup=False, soft_wrap=True)
