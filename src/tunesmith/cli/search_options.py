"""Options of the search, for all commands that decode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from tunesmith.cli.flags import Given
from tunesmith.decode.settings import ChartOptions, SearchOptions
from tunesmith.features.naming import named_whitelists, parse_templates
from tunesmith.file_roles import Reads
from tunesmith.options import option

if TYPE_CHECKING:
    from tunesmith.features.base import Template

__all__ = ["InputFormat", "Prepare", "PrepareSets", "Search", "SearchFlags", "whitelists"]

InputFormat = Annotated[
    str | None,
    typer.Option(
        help="text, seg, plf, markup or markup-inclusive [default: text, seg or plf, detected per line]."
    ),
]
Prepare = Annotated[
    bool,
    typer.Option(
        "--prepare",
        help="The input is raw text: tokenize and case it like the model's training text.",
    ),
]
PrepareSets = Annotated[
    bool,
    typer.Option(
        "--prepare",
        help="Sentences and references are raw text: tokenize and case them like the model's training text.",
    ),
]


@dataclass(frozen=True)
class SearchFlags:
    """The options of the search on the command line; the decoder refuses options of the other kind."""

    options: dict[str, Any] = field(default_factory=dict)
    template_names: tuple[str, ...] = ()

    @property
    def templates(self) -> list[Template]:
        """The named templates."""
        return parse_templates(self.template_names)


def whitelists(value: str, values: Mapping[str, Any]) -> list[Path]:
    """Return the files that templates name as the lists of their only features."""
    return named_whitelists(value)


@dataclass(frozen=True)
class _TemplateOptions:
    templates: Annotated[tuple[str, ...], Reads(whitelists)] = option(
        (),
        help="Add the features of a template: {tunesmith.features.base:TEMPLATES}; options in parentheses,"
        " 'word-deletion(top=80)'; may be repeated.",
        flag="--template",
    )


def _search(options: dict[str, Any]) -> SearchFlags:
    names = options.pop("templates", ())
    return SearchFlags(options, names)


Search: TypeAlias = Annotated[SearchFlags, Given(SearchOptions, ChartOptions, _TemplateOptions, make=_search)]
"""A parameter of this type takes all flags of the search."""
