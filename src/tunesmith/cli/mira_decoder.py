"""`tunesmith mira-decoder`: a decoder for learners that speak Mr. MIRA's protocol."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tunesmith.cli.options import SingleWeights, WeightsFile, given_weights
from tunesmith.cli.search_options import (
    ArcFeatures,
    BeamThreshold,
    CellSize,
    Context,
    DistortionLimit,
    Memory,
    NoEarlyDiscard,
    PopLimit,
    RuleFeatures,
    SpanLimit,
    StackSize,
    TableLimit,
    Templates,
    UnknownWords,
    search_options,
    templates_named,
)

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
    pop_limit: PopLimit = None,
    stack_size: StackSize = None,
    cell_size: CellSize = None,
    beam_threshold: BeamThreshold = None,
    distortion_limit: DistortionLimit = None,
    span_limit: SpanLimit = None,
    table_limit: TableLimit = None,
    unknown_words: UnknownWords = None,
    no_early_discard: NoEarlyDiscard = False,
    memory: Memory = None,
    template: Templates = None,
    context: Context = None,
    arc_feature: ArcFeatures = None,
    rule_feature: RuleFeatures = None,
) -> None:
    """Answer standard input."""
    from tunesmith.decode.opening import open_decoder
    from tunesmith.options import require_at_least
    from tunesmith.tune.external.mira_decoder import serve_mira

    require_at_least(1, "mira-decoder", nbest=nbest)
    changes = given_weights(weight)
    options = search_options(
        pop_limit=pop_limit,
        stack_size=stack_size,
        cell_size=cell_size,
        beam_threshold=beam_threshold,
        distortion_limit=distortion_limit,
        span_limit=span_limit,
        no_early_discard=no_early_discard,
        unknown_words=unknown_words,
        table_limit=table_limit,
        memory=memory,
        context=context,
        arc_feature=arc_feature,
        rule_feature=rule_feature,
    )
    decoder = open_decoder(model, weights, options, templates_named(template), changes=changes)
    if weights is None and not changes:
        decoder.weights = dict.fromkeys(decoder.feature_names, 0.0)
    serve_mira(decoder, sys.stdin.buffer, sys.stdout.buffer, nbest, path="standard input")
