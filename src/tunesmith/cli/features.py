"""`tunesmith features` (models): List the features of templates that fire for sentences.

Example:

    tunesmith features model --template target-bigrams --template 'word-deletion(top=80)' < input.de

Translates standard input and writes a line per sentence and feature of its best derivation: the number of
the sentence, name, value and weight, tab-separated. `--count` writes names and the number of sentences in
which they fire, most frequent first: the option `only` of a template reads such a file as a whitelist.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.options import SingleWeights, WeightsFile, given_weights
from tunesmith.cli.search_options import Search
from tunesmith.file_roles import Reads


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    *,
    weights: WeightsFile = None,
    weight: SingleWeights = None,
    count: Annotated[
        bool, typer.Option("--count", help="Count the sentences in which features fire.")
    ] = False,
    all_features: Annotated[
        bool, typer.Option("--all", help="Also features that are not of templates.")
    ] = False,
    search: Search,
) -> None:
    """List features."""
    from tunesmith.decode.firing import count_firing, firing
    from tunesmith.decode.opening import open_decoder

    decoder = open_decoder(model, weights, search.options, search.templates, changes=given_weights(weight))
    texts = [line.decode().rstrip("\r\n") for line in sys.stdin.buffer]
    fired = firing(decoder, texts, all_features=all_features)
    write = sys.stdout.write
    if count:
        for name, sentences in count_firing(fired):
            write(f"{name}\t{sentences}\n")
        return
    for each in fired:
        write(f"{each.sentence}\t{each.name}\t{each.value:g}\t{each.weight:g}\n")
