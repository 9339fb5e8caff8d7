"""`tunesmith mira-decoder` (models): Translate for a learner that speaks Mr. MIRA's protocol.

Example:

    tunesmith mira-decoder model --nbest 100 < requests > answers

Reads lines `<seg id="0" delta="B64"> sentence </seg>` and answers each at once: a count, then this many lines
`id ||| source words ||| translation ||| B64 ||| score`. B64 are names and values in base64: in a request
changes to add to the weights, in an answer the features. All weights start at 0, so that the first request
sets them, unless `--weights` or `--weight` is given.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.console import note
from tunesmith.cli.options import SingleWeights, WeightsFile, given_weights
from tunesmith.cli.search_options import Search
from tunesmith.file_roles import Reads


def run(
    model: Annotated[Path, typer.Argument(help="Directory of the model."), Reads()],
    *,
    weights: WeightsFile = None,
    weight: SingleWeights = None,
    nbest: Annotated[int, typer.Option(help="Number of distinct translations per sentence.")] = 100,
    search: Search,
) -> None:
    """Answer standard input."""
    from tunesmith.decode.opening import open_decoder
    from tunesmith.options import require_at_least
    from tunesmith.systems.external.mira_decoder import serve_mira

    require_at_least(1, "mira-decoder", nbest=nbest)
    changes = given_weights(weight)
    decoder = open_decoder(model, weights, search.options, search.templates, changes=changes, announce=note)
    if weights is None and not changes:
        decoder.weights = dict.fromkeys(decoder.feature_names, 0.0)
    serve_mira(decoder, sys.stdin.buffer, sys.stdout.buffer, nbest, path="standard input")
