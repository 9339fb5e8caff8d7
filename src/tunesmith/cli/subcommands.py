"""Subcommands: found by the first line of their files, imported when called.

A subcommand is a file in this folder whose docstring begins with its name, such as `tunesmith lm train`, and
a summary of one sentence; the docstring is its help, and the parameters of its function `run` its options.
Commands of one word name the panel of the help that lists them, `tunesmith align` (models); the others are in
the panel of their group.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from tunesmith.cli.values import read_plainly

__all__ = ["Deferred", "Subcommands"]

PANELS = {
    "start": "Start here",
    "candidates": "Candidate lists and tuning",
    "models": "Translation models",
    "text": "Text and evaluation",
    "forests": "Forests",
}
"""Titles of the panels of the help, in their order."""

GROUPS = {
    "corpus": ("text", "Corpora: prepare, split, generate."),
    "extract": ("models", "Learn phrase pairs or rules from aligned text."),
    "forest": ("forests", "Forests of derivations (decode --forest-output): convert, count, draw, n-best."),
    "lattice": ("text", "Split compounds: train a splitter, segment text, write word lattices."),
    "lm": ("models", "Language models: train, compile, interpolate, score."),
    "stream": ("candidates", "Online learning as a mapper and a reducer, for Hadoop streaming."),
    "tune": ("candidates", "Tune weights: on candidate lists, on forests, or with a decoder."),
    "table": ("models", "Phrase tables: convert, filter, prune, merge."),
    "weights": ("candidates", "Files of weights, up to millions of features: show, convert."),
    "xbleu": (
        "models",
        "Reordering models for expected BLEU: lists, forests, train, attach, rescore.",
    ),
}
"""Panel and summary of the groups of commands of two words."""

_FIRST_LINE = re.compile(r'"""`tunesmith ([a-z -]+)`(?: \(([a-z]+)\))?: (.+?)(?:""")?\n')
_MARKUP: Any = {"rich_markup_mode": "markdown"}


class Deferred(TyperCommand):
    """The name and the summary of a subcommand whose file is not imported yet."""

    def __init__(self, name: str, summary: str, module: str, panel: str | None) -> None:
        super().__init__(name=name, help=summary, rich_help_panel=panel, **_MARKUP)
        self.module = module

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        """Import the file and let its command parse the arguments."""
        return self.load().make_context(info_name, args, parent, **extra)

    def load(self) -> Any:
        """Return the command itself."""
        from tunesmith.cli.flags import Subcommand, expanded

        module = importlib.import_module(self.module)
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, **_MARKUP)
        text = (module.__doc__ or "").partition(": ")[2]
        settings = getattr(module, "CONTEXT_SETTINGS", None)
        app.command(self.name, help=text, cls=Subcommand, context_settings=settings)(expanded(module.run))
        return get_command(app)


class _Group(TyperGroup):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        from tunesmith.cli.unknown_options import refusing_unknown

        with refusing_unknown(self, ctx):
            return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        return read_plainly(super().get_params(ctx))


class Subcommands(_Group):
    """All subcommands, those of two words in groups."""

    def __init__(self, *, commands: Mapping[str, Any] | None = None, **settings: Any) -> None:
        found: dict[str, Any] = {}
        for path in sorted(Path(__file__).parent.glob("*.py")):
            with path.open(encoding="utf-8") as lines:
                head = _FIRST_LINE.match(next(lines, ""))
            if head is None:
                continue
            *group, name = head[1].split()
            module = f"{__package__}.{path.stem}"
            inside = found if not group else found.setdefault(group[0], {})
            inside[name] = Deferred(name, head[3], module, None if group else PANELS[head[2]])
        for name, inside in found.items():
            if isinstance(inside, dict):
                panel, summary = GROUPS[name]
                texts: Any = {"name": name, "help": summary, "no_args_is_help": True}
                found[name] = _Group(commands=inside, rich_help_panel=PANELS[panel], **texts, **_MARKUP)
        order = list(PANELS.values())
        in_order = sorted(found.items(), key=lambda item: (order.index(item[1].rich_help_panel), item[0]))
        super().__init__(commands=dict(in_order) | dict(commands or {}), **settings)
