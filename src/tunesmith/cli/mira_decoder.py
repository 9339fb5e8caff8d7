"""`tunesmith mira-decoder`: a decoder for learners that speak Mr. MIRA's protocol."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.options import SingleWeights, WeightsFile, given_weights
from tunesmith.cli.search_options import NO_SEARCH, Search

__all__ = ["register"]

EXAMPLE = """Example:

    tunesmith mira-decoder model --nbest 100 < requests > answers

Reads lines `<seg id="0" delta="B64"> sentence </seg>` and answers each at once: a count, then as many lines
`id ||| source words ||| translation ||| B64 ||| score`. B64 are names and values in base64: in a delta what
is added to the weights, in an answer the features. All weights are 0 at first, so that the first delta
brings them, unless `--weights` or `--weight` are given: then these are the first ones."""


def register(root: typer.Typer) -> None:
    """Add the subcommand."""
    root.command("mira-decoder", help="Translate for a learner that changes weights.\n\n" + EXAMPLE)(serve)


def serve(
    model: Annotated[Path, typer.Argument(help="The model's directory.")],
    weights: WeightsFile = None,
    weight: SingleWeights = None,
    nbest: Annotated[int, typer.Option(help="Different translations of each sentence.")] = 100,
    search: Search = NO_SEARCH,
) -> None:
    """Answer standard input."""
    from tunesmith.decode.opening import open_decoder
    from tunesmith.options import require_at_least
    from tunesmith.tuning.external.mira_decoder import serve_mira

    require_at_least(1, "mira-decoder", nbest=nbest)
    changes = given_weights(weight)
    decoder = open_decoder(model, weights, search.options, search.templates, changes=changes)
    if weights is None and not changes:
        decoder.weights = dict.fromkeys(decoder.feature_names, 0.0)
    serve_mira(decoder, sys.stdin.buffer, sys.stdout.buffer, nbest, path="standard input")
