"""Options of the search, for all commands that decode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.options import given_options
from tunesmith.features import TEMPLATES

if TYPE_CHECKING:
    from tunesmith.features.base import Template

__all__ = [
    "ArcFeatures",
    "BeamThreshold",
    "CellSize",
    "Context",
    "DistortionLimit",
    "InputFormat",
    "Memory",
    "NoEarlyDiscard",
    "PopLimit",
    "Prepare",
    "RuleFeatures",
    "SpanLimit",
    "StackSize",
    "TableLimit",
    "Templates",
    "UnknownWords",
    "search_options",
    "templates_named",
]

InputFormat = Annotated[
    str | None,
    typer.Option(help="text, seg or plf [told line by line]; markup and markup-inclusive must be named."),
]
Prepare = Annotated[
    bool, typer.Option("--prepare", help="Tokenize and case the input as the model's training text was.")
]
PopLimit = Annotated[
    int | None,
    typer.Option(help="Hypotheses that cube pruning makes for each stack or cell; 0 makes all [200]."),
]
StackSize = Annotated[int | None, typer.Option(help="Phrases: hypotheses that each stack keeps [200].")]
CellSize = Annotated[
    int | None, typer.Option(help="Rules: hypotheses that each cell of the chart keeps [all].")
]
BeamThreshold = Annotated[
    float | None,
    typer.Option(help="Drop hypotheses whose score is below the best of their stack or cell by more [none]."),
]
DistortionLimit = Annotated[
    int | None, typer.Option(help="Phrases: longest jump, in source words; -1 is any [the model's].")
]
SpanLimit = Annotated[
    int | None,
    typer.Option(help="Rules: source words that a rule covers, but for glue; 0 is any [the model's]."),
]
TableLimit = Annotated[
    int | None, typer.Option(help="Most translations of a source side; 0 is all [the model's].")
]
UnknownWords = Annotated[str | None, typer.Option(help="pass (copy them to the translation) or drop [pass].")]
NoEarlyDiscard = Annotated[
    bool,
    typer.Option(
        "--no-early-discard", help="Phrases: try jumps too after which the first gap seems out of reach."
    ),
]
Memory = Annotated[str | None, typer.Option(help="Rules: what the search of a sentence may take [2G].")]
Templates = Annotated[
    list[str] | None,
    typer.Option(help=f"Add the features of a template: {', '.join(TEMPLATES.built_in())}; may be repeated."),
]
Context = Annotated[
    int | None,
    typer.Option(
        help="Keep hypotheses apart whose last (rules: and first) N target words differ [0].", metavar="N"
    ),
]
ArcFeatures = Annotated[
    list[str] | None,
    typer.Option(
        help="A feature that arcs of lattices name, `{'NAME': -0.7}`; may be repeated.", metavar="NAME"
    ),
]
RuleFeatures = Annotated[
    list[str] | None,
    typer.Option(
        help="Rules: a feature that grammars of the input name, beside the model's; may be repeated.",
        metavar="NAME",
    ),
]


def search_options(
    *,
    no_early_discard: bool,
    arc_feature: list[str] | None,
    rule_feature: list[str] | None,
    **options: Any,
) -> dict[str, Any]:
    """Return the options that were given; the decoder of the model refuses what it has no use for."""
    return given_options(
        **options,
        early_discard=False if no_early_discard else None,
        arc_features=tuple(arc_feature) if arc_feature else None,
        rule_features=tuple(rule_feature) if rule_feature else None,
    )


def templates_named(names: list[str] | None) -> list[Template]:
    """Return templates by their names."""
    return [TEMPLATES[name]() for name in names or ()]
