"""Subcommands: found by the first line of their files, imported when called.

A subcommand is a file in this folder whose docstring begins with its name, such as `tunesmith lm train`, and
a summary of one sentence; the docstring is its help, and the parameters of its function `run` its options.
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

GROUPS = {
    "corpus": "Corpora: prepare, split, generate.",
    "extract": "Learn phrase pairs or rules from aligned text.",
    "forest": "Forests of derivations (`decode --forest-output`): convert, count, draw, n-best.",
    "lattice": "Split compounds: train a splitter, segment text, write word lattices.",
    "lm": "Language models: train, compile, score.",
    "tune": "Tune weights: on candidate lists, on forests, or with a decoder.",
    "table": "Phrase tables: convert, filter, prune, merge.",
}

_FIRST_LINE = re.compile(r'"""`tunesmith ([a-z -]+)`: (.+?)(?:""")?\n')
_MARKUP: Any = {"rich_markup_mode": "markdown"}


class Deferred(TyperCommand):
    """The name and the summary of a subcommand whose file is not imported yet."""

    def __init__(self, name: str, summary: str, module: str) -> None:
        super().__init__(name=name, help=summary, **_MARKUP)
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
            inside[name] = Deferred(name, head[2], module)
        for name, inside in found.items():
            if isinstance(inside, dict):
                texts: Any = {"name": name, "help": GROUPS[name], "no_args_is_help": True}
                found[name] = _Group(commands=inside, **texts, **_MARKUP)
        super().__init__(commands=found | dict(commands or {}), **settings)
