"""Subcommands of two words, such as `lm train`: each is a file of its own and joins its group here."""

from __future__ import annotations

import typer

__all__ = ["group"]

_HELP = {
    "corpus": "Corpora: prepare, split, generate.",
    "extract": "Learn phrase pairs or rules from aligned text.",
    "forest": "Forests, all that a search kept (`decode --forest-output`): convert, count, draw, n-best.",
    "lattice": "Split compounds: train a splitter, segment text, write word lattices.",
    "lm": "Language models: train, compile, score.",
    "tune": "Tune weights: on candidate lists, on forests, or with a decoder.",
    "table": "Phrase tables: convert, filter, prune, merge.",
}


def group(root: typer.Typer, name: str) -> typer.Typer:
    """Return the group of this name, made when the first subcommand asks for it."""
    for known in root.registered_groups:
        if known.name == name and known.typer_instance is not None:
            return known.typer_instance
    made = typer.Typer(help=_HELP[name], no_args_is_help=True, rich_markup_mode="markdown")
    root.add_typer(made, name=name)
    return made
