"""Options of the search, for all commands that decode."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tunesmith.cli.options import given_options
from tunesmith.features import TEMPLATES

if TYPE_CHECKING:
    from tunesmith.features.base import Template

__all__ = ["InputFormat", "Prepare", "Search", "takes_search"]

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


_FLAGS: dict[str, tuple[Any, object]] = {
    "pop_limit": (PopLimit, None),
    "stack_size": (StackSize, None),
    "cell_size": (CellSize, None),
    "beam_threshold": (BeamThreshold, None),
    "distortion_limit": (DistortionLimit, None),
    "span_limit": (SpanLimit, None),
    "table_limit": (TableLimit, None),
    "unknown_words": (UnknownWords, None),
    "no_early_discard": (NoEarlyDiscard, False),
    "memory": (Memory, None),
    "template": (Templates, None),
    "context": (Context, None),
    "arc_feature": (ArcFeatures, None),
    "rule_feature": (RuleFeatures, None),
}
"""The flags by the names of their parameters, with their defaults."""


@dataclass(frozen=True)
class Search:
    """What the flags of the search say; the decoder of the model refuses what it has no use for."""

    options: dict[str, Any] = field(default_factory=dict)
    template_names: tuple[str, ...] = ()

    @property
    def templates(self) -> list[Template]:
        """The templates that were named."""
        return [TEMPLATES[name]() for name in self.template_names]


def takes_search(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the flags of the search in place of its parameter `search`, told as one."""
    whole = inspect.signature(command, eval_str=True)
    flags = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _FLAGS.items()
    ]
    parameters: list[inspect.Parameter] = []
    for parameter in whole.parameters.values():
        named = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        parameters += flags if parameter.name == "search" else [named]

    @wraps(command)
    def taking(**given: Any) -> None:
        told = {name: given.pop(name) for name in _FLAGS}
        command(**given, search=_search(**told))

    taking.__signature__ = whole.replace(parameters=parameters)  # type: ignore[attr-defined]
    taking.__annotations__ = {each.name: each.annotation for each in parameters}
    return taking


def _search(
    *,
    template: list[str] | None,
    no_early_discard: bool,
    arc_feature: list[str] | None,
    rule_feature: list[str] | None,
    **options: Any,
) -> Search:
    given = given_options(
        **options,
        early_discard=False if no_early_discard else None,
        arc_features=tuple(arc_feature) if arc_feature else None,
        rule_features=tuple(rule_feature) if rule_feature else None,
    )
    return Search(given, tuple(template or ()))
